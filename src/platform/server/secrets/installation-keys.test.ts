import { mkdir, mkdtemp, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { openInstallationKeys } from '#platform/server/secrets/installation-keys.ts';

const SECRETS_KEY = 'x'.repeat(32);
let dataDir: string;
let path: string;

beforeEach(async () => {
  dataDir = await mkdtemp(join(tmpdir(), 'hatch-key-'));
  path = join(dataDir, 'installation-key', 'key');
});
afterEach(() => rm(dataDir, { recursive: true, force: true }));

test('without SECRETS_KEY the key is made once, in a file that only its owner may read', async () => {
  const keys = await openInstallationKeys({ dataDir });
  expect((await stat(join(dataDir, 'installation-key'))).mode & 0o777).toBe(0o700);
  expect((await stat(path)).mode & 0o777).toBe(0o600);
  expect(keys.secret('a')).toMatch(/^[0-9a-f]{64}$/);
  expect(keys.secret('a')).not.toBe(keys.secret('b'));
  expect((await openInstallationKeys({ dataDir })).secret('a')).toBe(keys.secret('a'));
  expect(keys.lostBecause).toBeNull();
});

test('instances that start at once in one folder have one key', async () => {
  const all = await Promise.all(Array.from({ length: 8 }, () => openInstallationKeys({ dataDir })));
  expect(new Set(all.map((keys) => keys.secret('a'))).size).toBe(1);
});

test('with SECRETS_KEY no file is written, and instances in different folders have the same secrets', async () => {
  const keys = await openInstallationKeys({ dataDir, SECRETS_KEY });
  await expect(stat(path)).rejects.toThrow('ENOENT');
  const elsewhere = await openInstallationKeys({ dataDir: join(dataDir, 'elsewhere'), SECRETS_KEY });
  expect(elsewhere.secret('a')).toBe(keys.secret('a'));
  expect((await openInstallationKeys({ dataDir, SECRETS_KEY: 'y'.repeat(32) })).secret('a')).not.toBe(keys.secret('a'));
});

test('a shop that is given a SECRETS_KEY later opens what the key of its folder closed', async () => {
  const before = (await openInstallationKeys({ dataDir })).seal('use');
  const after = (await openInstallationKeys({ dataDir, SECRETS_KEY })).seal('use');
  expect(after.open(before.close('a session', 'row'), 'row')).toBe('a session');
  expect(after.open(before.close('a session', 'row'), 'another row')).toBeNull();
  expect(before.open(after.close('a session', 'row'), 'row')).toBeNull();
});

test('a damaged file is replaced, and one that may not be read stays as it is', async () => {
  await mkdir(join(dataDir, 'installation-key'));
  await writeFile(path, 'half a k');
  const keys = await openInstallationKeys({ dataDir });
  expect(await readFile(path, 'utf8')).toMatch(/^[0-9a-f]{64}\n$/);
  expect((await openInstallationKeys({ dataDir })).secret('a')).toBe(keys.secret('a'));
  // A folder in its place cannot be read by anybody, not even by root.
  await rm(path);
  await mkdir(path);
  const lost = await openInstallationKeys({ dataDir });
  expect(lost.lostBecause).toContain('EISDIR');
  expect(lost.secret('a')).not.toBe(keys.secret('a'));
  expect((await stat(path)).isDirectory()).toBe(true);
});
