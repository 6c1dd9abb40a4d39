import { mkdirSync, mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { useScratchFolder } from '../src/testing/scratch.ts';
import {
  compileJava,
  findKey,
  makeKey,
  packageApk,
  packageBundle,
  type Content,
  type SigningKey,
} from './build/package-apps.ts';
import { type App, packageOf } from './build/manifest.ts';
import { readParameters } from './build/parameters.ts';
import { fetchTools } from './build/tools.ts';
import { buildPages } from './build/web-pages.ts';
import { checkApp, checkLogic, translate } from './checks/java.ts';
import { checkBundle, checkPackage, hashOf } from './checks/package.ts';
import { unpack } from './checks/phone.ts';
import { checkKitchenPages } from './checks/kitchen-pages.ts';
import { checkCustomerPages } from './checks/pages.ts';
import { openShop } from './checks/shop.ts';
import { Tally } from './checks/tally.ts';

// `npm run android:check`: builds both apps twice, and checks what a machine can check of them without a phone.
process.env['NODE_ENV'] = 'production';
process.chdir(new URL('../', import.meta.url).pathname);
useScratchFolder();
const tally = new Tally();
const began = performance.now();
const work = mkdtempSync(join(tmpdir(), 'android-check-'));
const parameters = { ...readParameters({}), isDebug: false };
const say = (line: string) => console.log(line);

await fetchTools(say, { isForChecks: true });
const key = await findKey();
const foreign = { ...key, keystore: join(work, 'foreign.p12'), alias: 'foreign' };
await makeKey(foreign.keystore, foreign.alias, 'CN=Somebody else');

const first = join(work, 'first');
const second = join(work, 'second');
const of = (round: string, file: string) => join(round, `${file}`);

try {
  await tally.part('builds', async () => {
    await Promise.all([build(first), build(second)]);
    for (const file of ['customer.apk', 'kitchen.apk', 'customer.aab']) {
      tally.equal(`two builds of ${file} are equal`, hashOf(of(first, file)), hashOf(of(second, file)));
    }
  });
  await tally.part('packages', () => {
    for (const app of ['customer', 'kitchen'] as const) {
      checkPackage(tally, of(first, `${app}.apk`), app, packageOf(app, parameters), parameters);
    }
    checkBundle(tally, of(first, 'customer.aab'));
  });
  const next = { ...parameters, version: '3.10.19' };
  const [update, stolen] = [join(work, 'update.apk'), join(work, 'stolen.apk')];
  await packageOne('customer', next, first, update, key);
  await packageOne('customer', next, first, stolen, foreign);

  const bytecode = join(work, 'bytecode');
  mkdirSync(bytecode);
  const translated = translate(of(first, 'customer.apk'), bytecode);
  await tally.part('Java logic', () => checkLogic(tally, join(first, 'java', 'classes'), translated, bytecode));
  const www = unpack(of(first, 'customer.apk'), join(work, 'customer'));
  const board = unpack(of(first, 'kitchen.apk'), join(work, 'kitchen'));
  const shop = await openShop(parameters.address);
  try {
    await shop.publish(tally, { update, stolen });
    await tally.part("the APK's bytecode and its update through the real server", () =>
      checkApp(
        tally,
        translated,
        {
          assets: join(www, '..'),
          server: shop.url,
          installed: of(first, 'customer.apk'),
          update,
          foreign: stolen,
          address: parameters.address,
        },
        bytecode,
      ),
    );
    await tally.part("the customers' pages in Chromium", () => checkCustomerPages(tally, www, shop, parameters));
    await tally.part("the kitchen's pages in Chromium", () => checkKitchenPages(tally, board, shop, parameters));
  } finally {
    await shop.end();
  }
} finally {
  rmSync(work, { recursive: true });
}
console.log(`\n${((performance.now() - began) / 1000).toFixed(0)} s\n${tally.passed} passed, ${tally.failed} failed`);
process.exit(tally.failed === 0 ? 0 : 1);

/** Everything of one build, in a folder of its own. */
async function build(round: string): Promise<void> {
  mkdirSync(round);
  const dex = compileJava(join(round, 'java'));
  for (const app of ['customer', 'kitchen'] as const) await buildPages(app, parameters, join(round, `${app}-assets`));
  await dex;
  for (const app of ['customer', 'kitchen'] as const)
    await packageOne(app, parameters, round, of(round, `${app}.apk`), key);
  await packageBundle(content('customer', parameters, round, 'bundle'), key, of(round, 'customer.aab'));
}

async function packageOne(
  app: App,
  values: typeof parameters,
  round: string,
  out: string,
  signer: SigningKey,
): Promise<void> {
  await packageApk(content(app, values, round, `package-${readdirSync(round).length}`), signer, out);
}

function content(app: App, values: typeof parameters, round: string, name: string): Content {
  const folder = join(round, name);
  mkdirSync(folder, { recursive: true });
  return {
    app,
    parameters: values,
    assets: join(round, `${app}-assets`),
    dex: join(round, 'java', 'classes.dex'),
    folder,
  };
}
