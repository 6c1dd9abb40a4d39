import { execFileSync } from 'node:child_process';
import { copyFileSync, existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';

interface Entry {
  hasInstallScript?: boolean;
}

const read = (name: string): unknown => JSON.parse(readFileSync(name, 'utf8'));
const { allowScripts, scripts } = read('package.json') as {
  allowScripts: Record<string, boolean>;
  scripts: Record<string, string>;
};
const withScript = (lockfile: string): string[] =>
  Object.entries((read(lockfile) as { packages: Record<string, Entry> }).packages).flatMap(
    ([path, { hasInstallScript }]) =>
      hasInstallScript ? [path.slice(path.lastIndexOf('node_modules/') + 'node_modules/'.length)] : [],
  );

describe('packages with a script that npm would run when it installs them', () => {
  const found = withScript('package-lock.json');

  test('are judged in package.json first, and forgotten when they are gone', () => {
    expect(found.length).toBeGreaterThan(0);
    expect([...new Set(found)].toSorted()).toEqual(Object.keys(allowScripts).toSorted());
  });

  test('none may run it, under an npm that reads this list', () => {
    expect(Object.keys(allowScripts).filter((name) => allowScripts[name] !== false)).toEqual([]);
  });

  test.each([
    'bench/tools',
    'scripts/common-passwords/generator',
    'scripts/mail-look/generator',
    'scripts/stripe-schemas/generator',
  ])('there are none among the tools in %s', (folder) => {
    expect(existsSync(`${folder}/package.json`)).toBe(true);
    expect(withScript(`${folder}/package-lock.json`)).toEqual([]);
  });

  // npm before 12 knows no list, so that `.npmrc` forbids all of them.
  test('none is run by the npm of this machine', () => {
    const folder = mkdtempSync(join(tmpdir(), 'hatch-scripts-'));
    try {
      mkdirSync(join(folder, 'curious'));
      const write = "node -e \"fs.writeFileSync(process.env.INIT_CWD + '/ran', '')\"";
      const curious = { name: 'curious', version: '1.0.0', scripts: { preinstall: write, postinstall: write } };
      writeFileSync(join(folder, 'curious/package.json'), JSON.stringify(curious));
      execFileSync('npm', ['pack', '--silent', './curious'], { cwd: folder });
      const project = { name: 'shop', version: '1.0.0', dependencies: { curious: 'file:curious-1.0.0.tgz' } };
      writeFileSync(join(folder, 'package.json'), JSON.stringify(project));
      copyFileSync('.npmrc', join(folder, '.npmrc'));
      execFileSync('npm', ['install', '--offline'], { cwd: folder, stdio: 'pipe' });
      expect(existsSync(join(folder, 'node_modules/curious/package.json'))).toBe(true);
      expect(existsSync(join(folder, 'ran'))).toBe(false);
    } finally {
      rmSync(folder, { recursive: true });
    }
  });
});

test('no script of ours runs because of its name: npm leaves those out too', () => {
  const names = Object.keys(scripts);
  const byName = names.filter(
    (name) => Object.hasOwn(scripts, name.replace(/^(pre|post)/, '')) && /^(pre|post)/.test(name),
  );
  const ofInstall = new Set([
    'preinstall',
    'install',
    'postinstall',
    'preprepare',
    'prepare',
    'postprepare',
    'prepublish',
  ]);
  expect([...byName, ...names.filter((name) => ofInstall.has(name))]).toEqual([]);
});
