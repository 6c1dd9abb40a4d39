import { execFileSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { type Pin, pinsFile, readList, sha256 } from './debian-tools.ts';

// `npm run android -- pins`: writes debian-tools.json of the tools that are installed here, with the hashes that Debian's signed
// index has of their packages. Look at what changed before you commit it.

const tools = [
  'aapt',
  'android-framework-res',
  'android-libaapt',
  'android-libandroidfw',
  'android-libbacktrace',
  'android-libbase',
  'android-libcutils',
  'android-liblog',
  'android-libutils',
  'android-libziparchive',
  'apksigner',
  'libapksig-java',
  'openjdk-17-jdk-headless',
  'openjdk-17-jre-headless',
  'unzip',
  'zip',
  'zipalign',
];
const checks = [
  'android-libart',
  'android-libnativebridge',
  'android-libnativeloader',
  'dexdump',
  'enjarify',
  'libandroid-json-org-java',
  'libasm-java',
];

/** No byte of an app comes from these, or its hash in CI would show it: a least version is enough. */
const least: Record<string, string> = {
  'openjdk-17-jdk-headless': '17',
  'openjdk-17-jre-headless': '17',
  unzip: '6.0',
  zip: '3.0',
};

const ask = (program: string, ...args: string[]) => execFileSync(program, args, { encoding: 'utf8' });
const pins = [...tools, ...checks].map((name): Pin => {
  const [version = '', architecture = ''] = ask('dpkg-query', '-W', '-f=${Version} ${Architecture}', name).split(' ');
  const list = readList('/', name);
  const deb = /^SHA256: ([0-9a-f]{64})$/m.exec(ask('apt-cache', 'show', `${name}=${version}`))?.[1];
  if (list === null || deb === undefined) throw new Error(`Debian's index has no ${name} ${version}.`);
  return {
    name,
    version,
    architecture,
    deb,
    list: sha256(list),
    isForChecks: checks.includes(name),
    ...(name in least && { least: least[name] }),
  };
});
writeFileSync(pinsFile, `${JSON.stringify(pins, null, 2)}\n`);
