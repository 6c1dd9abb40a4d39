import { mkdir, mkdtemp, rename, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { compileJava, findKey, packageApk, packageBundle, signerOf, sizeOf } from './build/package-apps.ts';
import { type App, packageOf } from './build/manifest.ts';
import { readParameters, versionCode } from './build/parameters.ts';
import { fetchTools } from './build/tools.ts';
import { buildPages } from './build/web-pages.ts';

// `npm run android`: builds the customers' and the kitchen's app into android/dist (docs/android.md).
const started = performance.now();
const say = (line: string) =>
  console.log(`${((performance.now() - started) / 1000).toFixed(1).padStart(5)} s  ${line}`);
process.env['NODE_ENV'] = 'production';
process.chdir(new URL('../', import.meta.url).pathname);

const out = process.env['ANDROID_OUT'] ?? 'android/dist';
const parameters = readParameters(process.env);
say(`${parameters.shopName} ${parameters.version} for ${parameters.address}`);
await fetchTools(say).catch((error: unknown) => {
  // The faults of tools are sentences: a stack would hide them.
  console.error(error instanceof Error ? error.message : error);
  process.exit(1);
});
const key = await findKey();
say(
  key.isDebug
    ? 'Signing with the debug key: for trying, not for customers'
    : `Signing with the key ${key.alias} of ${key.keystore}`,
);
const work = await mkdtemp(join(tmpdir(), 'android-'));
try {
  await mkdir(out, { recursive: true });
  const assets = { customer: join(work, 'customer-assets'), kitchen: join(work, 'kitchen-assets') };
  const dex = compileJava(join(work, 'java')).then((made) => (say('Java compiled, shrunk by R8'), made));
  for (const app of ['customer', 'kitchen'] as const) await buildPages(app, parameters, assets[app]);
  say('Pages built');
  const of = async (app: App, folder: string) => ({
    app,
    parameters,
    assets: assets[app],
    dex: await dex,
    folder: join(work, folder),
  });
  const made = await Promise.all(
    (
      [
        ['customer.apk', packageApk, 'customer'],
        ['kitchen.apk', packageApk, 'kitchen'],
        ['customer.aab', packageBundle, 'customer'],
      ] as const
    ).map(async ([file, make, app]) => {
      const content = await of(app, file);
      await mkdir(content.folder, { recursive: true });
      const next = join(out, `next-${file}`);
      await make(content, key, next);
      await rename(next, join(out, file));
      return { file, app };
    }),
  );
  for (const { file, app } of made) {
    const megabytes = ((await sizeOf(join(out, file))) / 1024 ** 2).toFixed(1);
    say(
      `${join(out, file)}: ${packageOf(app, parameters)} ${parameters.version} (${versionCode(parameters.version)}), ${megabytes} MB`,
    );
  }
  say(`Signer's certificate, SHA-256: ${await signerOf(join(out, 'customer.apk'))}`);
} finally {
  await rm(work, { recursive: true });
}
