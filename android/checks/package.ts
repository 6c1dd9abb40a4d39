import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { readFileSync, writeFileSync } from 'node:fs';
import { minSdk, permissionsOf, targetSdk, type App } from '../build/manifest.ts';
import { type Parameters, versionCode } from '../build/parameters.ts';
import type { Tally } from './tally.ts';

const run = (program: string, ...args: string[]) =>
  execFileSync(program, args, { encoding: 'utf8', maxBuffer: 1 << 27 });

/** What Debian's tools read from an APK: package, permissions, signature and code. */
export function checkPackage(tally: Tally, apk: string, app: App, name: string, parameters: Parameters): void {
  const badging = run('aapt', 'dump', 'badging', apk);
  const head = `package: name='${name}' versionCode='${versionCode(parameters.version)}' versionName='${parameters.version}'`;
  tally.check(`${app}: package and version`, badging.startsWith(head), badging.slice(0, 120));
  tally.check(`${app}: minSdk`, badging.includes(`\nsdkVersion:'${minSdk}'\n`));
  tally.check(`${app}: targetSdk`, badging.includes(`\ntargetSdkVersion:'${targetSdk}'\n`));
  tally.check(`${app}: not debuggable`, !badging.includes('application-debuggable'));
  const permissions = [...badging.matchAll(/^uses-permission: name='android\.permission\.(\w+)'/gm)].map(
    ([, found]) => found,
  );
  tally.equal(`${app}: permissions`, permissions.toSorted(), permissionsOf({ app, updatesItself: true }));

  const verified = run('apksigner', 'verify', '--verbose', '--print-certs', '--min-sdk-version', '21', apk);
  for (const scheme of ['v1', 'v2', 'v3'])
    tally.check(`${app}: signed by ${scheme}`, new RegExp(`${scheme} scheme.*: true`).test(verified), verified);
  tally.check(`${app}: one signer`, verified.includes('Number of signers: 1'));
  // It ends with an error otherwise.
  tally.check(`${app}: aligned`, run('zipalign', '-c', '-v', '-p', '4', apk).includes('resources.arsc'));

  const manifest = run('aapt', 'dump', 'xmltree', apk, 'AndroidManifest.xml');
  tally.check(`${app}: no backup`, /allowBackup\([^)]*\)=\(type 0x12\)0x0/.test(manifest));
  tally.check(`${app}: no cleartext`, /usesCleartextTraffic\([^)]*\)=\(type 0x12\)0x0/.test(manifest));
  const exported = [
    ...manifest.matchAll(
      /E: (activity|service|receiver|provider) [\s\S]*?(?=\n {6}E: |\n {8}E: (?:activity|service|receiver|provider)|$)/g,
    ),
  ]
    .map(([element, kind]) => ({
      kind,
      name: /name\([^)]*\)="([^"]+)"/.exec(element)?.[1],
      isOpen: /exported\([^)]*\)=\(type 0x12\)0xffffffff/.test(element),
    }))
    .filter(({ isOpen }) => isOpen)
    .map(({ name }) => name);
  tally.equal(`${app}: what others may call`, exported, [
    'hatch.shell.ShellActivity',
    ...(app === 'kitchen' ? ['hatch.shell.BoardAdmin'] : []),
  ]);

  const code = run('dexdump', '-a', apk);
  // Without the annotation the page sees no method of the bridge, and nothing says so.
  tally.check(
    `${app}: the bridge's annotation`,
    /annotations on method #\d+ 'send'[\s\S]{0,80}JavascriptInterface/.test(run('dexdump', '-a', '-d', apk)) ||
      code.includes('JavascriptInterface'),
  );
  const files = run('unzip', '-Z1', apk).split('\n');
  tally.check(
    `${app}: nothing but what belongs there`,
    files.every((file) =>
      /^(AndroidManifest\.xml|resources\.arsc|classes\.dex|res\/|assets\/www\/|META-INF\/|$)/.test(file),
    ),
    files,
  );
  const everything = execFileSync('unzip', ['-p', apk], { maxBuffer: 1 << 28 }).toString('latin1');
  tally.check(
    `${app}: no secret`,
    !/-----BEGIN [A-Z ]+-----\s*[A-Za-z0-9+/=]{40}|[rs]k_(live|test)_\w{10}|whsec_\w{16}|ANDROID_KEY|\.p12/.test(
      everything,
    ),
  );
}

/** The bundle for a store: signed, and without the permissions of an app that updates itself. */
export function checkBundle(tally: Tally, bundle: string): void {
  const manifest = execFileSync('unzip', ['-p', bundle, 'base/manifest/AndroidManifest.xml']).toString('latin1');
  tally.check(
    'bundle: it cannot install packages',
    manifest.includes('android.permission.INTERNET') && !/INSTALL_PACKAGES|UPDATE_PACKAGES/.test(manifest),
  );
  const files = run('unzip', '-Z1', bundle);
  for (const wanted of ['BundleConfig.pb', 'base/dex/classes.dex', 'base/resources.pb', 'base/assets/www/index.html']) {
    tally.check(`bundle: ${wanted}`, files.includes(wanted));
  }
  tally.check('bundle: signed', run('jarsigner', '-verify', bundle).includes('jar verified.'));
}

export function hashOf(file: string): string {
  return createHash('sha256').update(readFileSync(file)).digest('hex');
}

/** The parts of an app that the tools make, and no page. */
const madeParts = ['AndroidManifest.xml', 'classes.dex', 'resources.arsc'] as const;
const partsFile = new URL('../build/app-parts.json', import.meta.url);

/**
 * Whether the tools of this machine make the same bytes as those of everybody else: compares the parts of both apps that do not
 * change with the shop's pages with their hashes in app-parts.json. With ANDROID_WRITE_PARTS=1 they are written there.
 */
export function checkParts(tally: Tally, apks: Record<App, string>): void {
  const found = Object.fromEntries(
    Object.entries(apks).map(([app, apk]) => [
      app,
      Object.fromEntries(madeParts.map((part) => [part, hashOfPart(apk, part)])),
    ]),
  );
  if (process.env['ANDROID_WRITE_PARTS'] === '1') writeFileSync(partsFile, `${JSON.stringify(found, null, 2)}\n`);
  const known = JSON.parse(readFileSync(partsFile, 'utf8')) as typeof found;
  for (const [app, parts] of Object.entries(found)) {
    for (const [part, hash] of Object.entries(parts)) {
      tally.equal(`${app}: ${part} has the bytes of app-parts.json`, hash, known[app]?.[part]);
    }
  }
}

function hashOfPart(apk: string, part: string): string {
  return createHash('sha256')
    .update(execFileSync('unzip', ['-p', apk, part], { maxBuffer: 1 << 27 }))
    .digest('hex');
}
