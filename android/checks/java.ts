import { execFileSync, spawnSync } from 'node:child_process';
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { filesIn } from '../build/package-apps.ts';
import { androidJar } from '../build/tools.ts';
import type { Tally } from './tally.ts';

const home = new URL('../', import.meta.url).pathname;
const json = '/usr/share/java/json-android.jar';
const asm = ['asm', 'asm-tree'].map((name) => `/usr/share/java/${name}.jar`).join(':');
const quiet = ['-nowarn', '-Xlint:-options', '-XDignore.symbol.file', '-encoding', 'UTF-8'];
const run = (program: string, args: readonly string[]) =>
  execFileSync(program, args, { stdio: ['ignore', 'pipe', 'pipe'], encoding: 'utf8' });
const ask = (args: readonly string[]) => {
  const { stdout, stderr } = spawnSync('java', ['-XX:TieredStopAtLevel=1', ...args], {
    encoding: 'utf8',
    timeout: 240_000,
  });
  return `${stderr}${stdout}`;
};

export interface Translated {
  /** The platform of the tests. */
  platform: string;
  /** The APK's own code as class files. */
  code: string;
}

/** The APK's classes.dex as class files, and a platform to run them on. */
export function translate(apk: string, folder: string): Translated {
  const [platform, code, maker] = [join(folder, 'platform.jar'), join(folder, 'app.jar'), join(folder, 'maker')];
  mkdirSync(maker, { recursive: true });
  run('javac', [...quiet, '-cp', asm, '-d', maker, join(home, 'fake/MakeAndroid.java')]);
  run('java', ['-cp', `${maker}:${asm}`, 'MakeAndroid', androidJar, platform]);
  run('unzip', ['-q', '-o', apk, 'classes.dex', '-d', folder]);
  // Debian's own Python has its module, whichever comes first in the path.
  execFileSync('enjarify', ['-f', '-o', code, join(folder, 'classes.dex')], {
    stdio: 'ignore',
    env: { ...process.env, PATH: `/usr/bin:${process.env['PATH'] ?? ''}` },
  });
  return { platform, code };
}

/** The logic as javac made it, and as it stands in the APK. */
export function checkLogic(tally: Tally, classes: string, { code, platform }: Translated, folder: string): void {
  const tests = join(folder, 'logic-tests');
  mkdirSync(tests, { recursive: true });
  run('javac', [
    ...quiet,
    '-cp',
    `${classes}:${json}:${androidJar}`,
    '-d',
    tests,
    ...filesIn(join(home, 'tests'), '.java'),
  ]);
  tally.add('Java logic', ask(['-cp', `${tests}:${classes}:${json}:${androidJar}`, 'hatch.shell.LogicTests']));
  tally.add(
    "Java logic of the APK's bytecode",
    ask(['-cp', `${tests}:${code}:${json}:${platform}`, 'hatch.shell.LogicTests']),
  );
}

export interface AppRun {
  assets: string;
  server: string;
  installed: string;
  update: string;
  foreign: string;
  address: string;
}

/** The APK's bytecode from its start to the installed update. */
export function checkApp(tally: Tally, { code, platform }: Translated, given: AppRun, folder: string): void {
  const tests = join(folder, 'app-tests');
  mkdirSync(tests, { recursive: true });
  const sources = [
    join(home, 'fake/AppTests.java'),
    ...filesIn(join(home, 'fake/phone'), '.java'),
    ...filesIn(join(home, 'fake/newer'), '.java'),
  ];
  run('javac', [...quiet, '-cp', `${platform}:${json}`, '-d', tests, ...sources]);
  const { assets, server, installed, update, foreign, address } = given;
  const args = [
    '-Xverify:all',
    '-cp',
    `${tests}:${code}:${platform}:${json}`,
    'AppTests',
    assets,
    server,
    installed,
    update,
    foreign,
    address,
  ];
  tally.add("the APK's bytecode", ask(args));
}
