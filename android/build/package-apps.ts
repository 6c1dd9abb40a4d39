import { execFile } from 'node:child_process';
import { existsSync, readdirSync } from 'node:fs';
import { chmod, copyFile, mkdir, readFile, rm, utimes, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { debugKeyName } from '../../src/app-release/release-rules.ts';
import { type App, minSdk, writeManifest } from './manifest.ts';
import type { Parameters } from './parameters.ts';
import { writeResources } from './resources.ts';
import { androidJar, bundletool, cache, framework } from './tools.ts';

const execute = promisify(execFile);
const home = new URL('../', import.meta.url).pathname;
/** The time of every file in a package: a build has none of its own. */
const fixed = new Date('1980-01-01T00:00:00Z');
const environment: NodeJS.ProcessEnv = { ...process.env, TZ: 'UTC' };
/** Archives keep the permissions of files, which a machine's umask would decide. */
const readable = 0o644;

const run = (program: string, args: readonly string[], options: { cwd?: string; maxBuffer?: number } = {}) =>
  execute(program, args, { ...options, env: environment });

export interface SigningKey {
  keystore: string;
  alias: string;
  /** The variables with the passwords: no program's arguments show them. */
  storePassword: string;
  keyPassword: string;
  isDebug: boolean;
}

/** The release key that the environment names, or the debug key, which is made once. */
export async function findKey(): Promise<SigningKey> {
  const keystore = process.env['ANDROID_KEYSTORE'];
  if (keystore) {
    for (const needed of ['ANDROID_KEYSTORE_PASSWORD', 'ANDROID_KEY_ALIAS']) {
      if (!process.env[needed]) throw new Error(`Set ${needed} with ANDROID_KEYSTORE.`);
    }
    environment['ANDROID_KEY_PASSWORD'] ??= environment['ANDROID_KEYSTORE_PASSWORD'];
    const alias = process.env['ANDROID_KEY_ALIAS'] ?? '';
    return {
      keystore,
      alias,
      storePassword: 'ANDROID_KEYSTORE_PASSWORD',
      keyPassword: 'ANDROID_KEY_PASSWORD',
      isDebug: false,
    };
  }
  environment['ANDROID_DEBUG_PASSWORD'] = 'android';
  const debug = { keystore: join(cache, 'debug.p12'), alias: 'debug' };
  if (!existsSync(debug.keystore)) await makeKey(debug.keystore, debug.alias, `CN=${debugKeyName}`);
  return { ...debug, storePassword: 'ANDROID_DEBUG_PASSWORD', keyPassword: 'ANDROID_DEBUG_PASSWORD', isDebug: true };
}

/** A key whose password is in ANDROID_DEBUG_PASSWORD: for debug builds and for tests. */
export async function makeKey(keystore: string, alias: string, name: string): Promise<void> {
  const kind = ['-storetype', 'PKCS12', '-keyalg', 'RSA', '-keysize', '3072', '-validity', '10950'];
  const password = ['-storepass:env', 'ANDROID_DEBUG_PASSWORD'];
  await run('keytool', ['-genkeypair', '-keystore', keystore, '-alias', alias, '-dname', name, ...kind, ...password]);
}

/** Compiles the one Java source of both apps to `classes.dex` in a folder. */
export async function compileJava(folder: string): Promise<string> {
  const [newer, classes] = [join(folder, 'newer'), join(folder, 'classes')];
  for (const made of [newer, classes]) await mkdir(made, { recursive: true });
  const java8 = ['-source', '8', '-target', '8', '-encoding', 'UTF-8'];
  await run('javac', [
    ...java8,
    '-nowarn',
    '-Xlint:-options',
    '-bootclasspath',
    androidJar,
    '-d',
    newer,
    ...filesIn(join(home, 'stubs'), '.java'),
  ]);
  const lint = ['-Xlint:all,-options,-deprecation,-serial', '-Werror'];
  await run('javac', [
    ...java8,
    ...lint,
    '-bootclasspath',
    `${newer}:${androidJar}`,
    '-d',
    classes,
    ...filesIn(join(home, 'java'), '.java'),
  ]);
  const shrink = [
    'com.android.tools.r8.R8',
    '--release',
    '--min-api',
    String(minSdk),
    '--lib',
    androidJar,
    '--classpath',
    newer,
  ];
  const rules = ['--pg-conf', join(home, 'keep.pro'), '--output', folder];
  await run('java', ['-XX:TieredStopAtLevel=1', '-cp', bundletool, ...shrink, ...rules, ...filesIn(classes, '.class')]);
  return join(folder, 'classes.dex');
}

export interface Content {
  app: App;
  parameters: Parameters;
  /** The folder with `www`. */
  assets: string;
  dex: string;
  /** A folder of this package alone. */
  folder: string;
}

/** Builds one APK, aligned and signed (v1, v2 and v3). */
export async function packageApk(content: Content, key: SigningKey, out: string): Promise<void> {
  const { folder } = content;
  const linked = await link(content, { updatesItself: true, isBundle: false });
  await settle(content.dex);
  await run('zip', ['-q', '-X', '-j', linked, content.dex]);
  const aligned = join(folder, 'aligned.apk');
  await run('zipalign', ['-f', '-p', '4', linked, aligned]);
  await sign(aligned, key, out, [
    '--v1-signing-enabled',
    'true',
    '--v2-signing-enabled',
    'true',
    '--v3-signing-enabled',
    'true',
  ]);
}

/** Builds the bundle for a store: without the permissions of an app that updates itself. */
export async function packageBundle(content: Content, key: SigningKey, out: string): Promise<void> {
  const { folder } = content;
  const linked = await link(content, { updatesItself: false, isBundle: true });
  const base = join(folder, 'base');
  await mkdir(base, { recursive: true });
  await run('unzip', ['-q', '-o', linked, '-d', base]);
  for (const part of ['manifest', 'dex']) await mkdir(join(base, part), { recursive: true });
  await copyFile(join(base, 'AndroidManifest.xml'), join(base, 'manifest', 'AndroidManifest.xml'));
  await rm(join(base, 'AndroidManifest.xml'));
  await copyFile(content.dex, join(base, 'dex', 'classes.dex'));
  const module = join(folder, 'base.zip');
  const names = filesIn(base, '').map((file) => file.slice(base.length + 1));
  for (const name of names) await settle(join(base, name));
  await run('zip', ['-q', '-X', '-D', module, ...names], { cwd: base, maxBuffer: 1 << 26 });
  const unsigned = join(folder, 'unsigned.aab');
  await rm(unsigned, { force: true });
  await run('java', ['-jar', bundletool, 'build-bundle', `--modules=${module}`, `--output=${unsigned}`]);
  await sign(unsigned, key, out, [
    '--v1-signing-enabled',
    'true',
    '--v2-signing-enabled',
    'false',
    '--v3-signing-enabled',
    'false',
  ]);
}

/** The package without its code: manifest, resources and assets. */
async function link(
  { app, parameters, assets, folder }: Content,
  kind: { updatesItself: boolean; isBundle: boolean },
): Promise<string> {
  const resources = join(folder, 'res');
  await writeResources(resources, app, parameters);
  const manifest = join(folder, 'AndroidManifest.xml');
  await writeFile(manifest, writeManifest({ app, updatesItself: kind.updatesItself }, parameters));
  const linked = join(folder, kind.isBundle ? 'linked.pb.apk' : 'linked.apk');
  // Paths from the folder: a bundle keeps them as the sources of its resources.
  const here = { cwd: folder };
  await run('aapt2', ['compile', '--dir', 'res', '-o', 'res.zip'], here);
  const form = kind.isBundle ? ['--proto-format'] : [];
  const from = ['-I', framework, '--manifest', manifest, '-A', assets];
  await run('aapt2', ['link', ...form, ...from, '--auto-add-overlay', '-o', linked, 'res.zip'], here);
  return linked;
}

/** Nothing of a file in a package tells when and where it was built. */
async function settle(file: string): Promise<void> {
  await chmod(file, readable);
  await utimes(file, fixed, fixed);
}

async function sign(file: string, key: SigningKey, out: string, schemes: readonly string[]): Promise<void> {
  const of = [
    '--ks',
    key.keystore,
    '--ks-key-alias',
    key.alias,
    '--ks-pass',
    `env:${key.storePassword}`,
    '--key-pass',
    `env:${key.keyPassword}`,
  ];
  const how = [...schemes, '--v4-signing-enabled', 'false', '--min-sdk-version', String(minSdk)];
  await run('apksigner', ['sign', ...of, ...how, '--out', out, file]);
}

/** The SHA-256 of the certificate that signed a package, as the office and assetlinks.json show it. */
export async function signerOf(file: string): Promise<string> {
  const { stdout } = await run('apksigner', ['verify', '--print-certs', '--min-sdk-version', String(minSdk), file]);
  return /certificate SHA-256 digest: ([0-9a-f]{64})/.exec(stdout)?.[1] ?? '';
}

/** Sorted, so that two builds have the same order. */
export function filesIn(folder: string, ending: string): string[] {
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && entry.name.endsWith(ending))
    .map((entry) => join(entry.parentPath, entry.name))
    .toSorted();
}

export async function sizeOf(file: string): Promise<number> {
  return (await readFile(file)).length;
}
