import { execFile, execFileSync } from 'node:child_process';
import { mkdirSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
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
/** Runs a JVM program beside other checks, and returns its output. The JVM ignores TMPDIR, which is removed after the run. */
const ask = (args: readonly string[]): Promise<string> =>
  new Promise((resolve) => {
    const options = ['-XX:TieredStopAtLevel=1', `-Djava.io.tmpdir=${tmpdir()}`];
    execFile('java', [...options, ...args], { timeout: 240_000 }, (_error, stdout, stderr) =>
      resolve(`${stderr}${stdout}`),
    );
  });

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
export async function checkLogic(tally: Tally, classes: string, { code, platform }: Translated, folder: string) {
  const tests = join(folder, 'logic-tests');
  mkdirSync(tests, { recursive: true });
  const sources = filesIn(join(home, 'tests'), '.java');
  run('javac', [...quiet, '-cp', `${classes}:${json}:${androidJar}`, '-d', tests, ...sources]);
  tally.add('Java logic', await ask(['-cp', `${tests}:${classes}:${json}:${androidJar}`, 'hatch.shell.LogicTests']));
  tally.add(
    "Java logic of the APK's bytecode",
    await ask(['-cp', `${tests}:${code}:${json}:${platform}`, 'hatch.shell.LogicTests']),
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

/** Compiles the platform's parts and the tests of the APK's bytecode; returns Java's arguments before a test's name. */
export function compileAppTests({ code, platform }: Translated, folder: string): string[] {
  const tests = join(folder, 'app-tests');
  mkdirSync(tests, { recursive: true });
  const sources = filesIn(join(home, 'fake'), '.java').filter((file) => !file.endsWith('MakeAndroid.java'));
  run('javac', [...quiet, '-cp', `${platform}:${json}`, '-d', tests, ...sources]);
  return ['-Xverify:all', '-cp', `${tests}:${code}:${platform}:${json}`];
}

/** The bytecode of the customers' app from its start to the installed update. */
export async function checkApp(tally: Tally, java: readonly string[], given: AppRun): Promise<void> {
  const { assets, server, installed, update, foreign, address } = given;
  tally.add(
    "the APK's bytecode",
    await ask([...java, 'AppTests', assets, server, installed, update, foreign, address]),
  );
}

/** The bytecode of the kitchen's app as a board without a page. `given` is what BoardTests.java names. */
export async function checkBoard(tally: Tally, java: readonly string[], given: object, folder: string): Promise<void> {
  const file = join(folder, 'board.json');
  writeFileSync(file, JSON.stringify(given));
  tally.add("the kitchen's bytecode", await ask([...java, 'BoardTests', file]));
}
