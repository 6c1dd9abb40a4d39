import { spawnSync } from 'node:child_process';
import {
  chmodSync,
  copyFileSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';

const { scripts } = JSON.parse(readFileSync('package.json', 'utf8')) as { scripts: Record<string, string> };
const step = '(node scripts/require-node.cjs) && ';

test('each script that runs our code begins with this step', () => {
  // It completes the lockfile, before anything is installed.
  const { lockfix: _lockfix, ...others } = scripts;
  const own = Object.values(others).filter((script) => /\bnode\b/.test(script));
  expect(own.length).toBeGreaterThan(10);
  expect(own.filter((script) => !script.startsWith(step))).toEqual([]);
});

describe('on a machine whose own Node is too old', () => {
  let folder: string;
  let links: string;
  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'hatch-old-node-'));
    links = join(folder, 'node_modules/.bin');
    for (const part of ['scripts', 'machine', 'node_modules/.bin']) mkdirSync(join(folder, part), { recursive: true });
    copyFileSync('scripts/require-node.cjs', join(folder, 'scripts/require-node.cjs'));
    writeFileSync(join(folder, 'old.cjs'), "Object.defineProperty(process.versions, 'node', { value: '20.20.2' });");
    const old = join(folder, 'machine/node');
    writeFileSync(old, `#!/bin/sh\nexec '${process.execPath}' --require '${join(folder, 'old.cjs')}' "$@"\n`);
    chmodSync(old, 0o755);
  });
  afterEach(() => rmSync(folder, { recursive: true }));

  /** Which version the step's successor runs in, as npm starts a script. */
  const run = (path = [links, join(folder, 'machine')]) => {
    const { status, stdout, stderr } = spawnSync('sh', ['-c', `${step}node -p process.versions.node`], {
      cwd: folder,
      encoding: 'utf8',
      env: { PATH: [...path, '/usr/bin', '/bin'].join(delimiter) },
    });
    return { status, version: stdout.trim(), stderr };
  };
  const install = () => {
    mkdirSync(join(folder, `node_modules/node-linux-${process.arch}/bin`), { recursive: true });
    symlinkSync(process.execPath, join(folder, `node_modules/node-linux-${process.arch}/bin/node`));
  };

  test('the next steps run the Node that npm installed, though npm 10 left out its link', () => {
    install();
    expect(run()).toEqual({ status: 0, version: process.versions.node, stderr: '' });
    expect(run()).toEqual({ status: 0, version: process.versions.node, stderr: '' });
  });

  test('the headers in it are removed, since they are a third of it and nothing is built with them', () => {
    install();
    const headers = join(folder, `node_modules/node-linux-${process.arch}/include`);
    mkdirSync(join(headers, 'node'), { recursive: true });
    writeFileSync(join(headers, 'node/v8.h'), '');
    expect(run().status).toBe(0);
    expect(existsSync(headers)).toBe(false);
  });

  test('where npm installed none it says so', () => {
    expect(run()).toMatchObject({ status: 1, version: '', stderr: expect.stringContaining('Hatch needs Node 26') });
  });

  test('somebody who runs a file by hand, without npm, is told how', () => {
    install();
    const byHand = [join(folder, 'machine')];
    for (const _ of ['the link is missing', 'the link is there']) {
      expect(run(byHand)).toMatchObject({ status: 1, stderr: expect.stringContaining('use the npm script instead') });
    }
  });
});
