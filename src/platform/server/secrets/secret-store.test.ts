import { mkdtemp, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { z } from 'zod';
import { openSecretStore as open } from '#platform/server/secrets/secret-store.ts';

const secrets = { key: 'rk_test_51AbC', more: ['whsec_one', 'whsec_two'] };
const kind = { folder: 'keys', use: 'test', schema: z.object({ key: z.string(), more: z.array(z.string()) }) };
const SECRETS_KEY = 'x'.repeat(32);
let dataDir: string;
const openSecretStore = (config: Parameters<typeof open>[0], use = kind.use) => open(config, { ...kind, use });

beforeEach(async () => {
  dataDir = await mkdtemp(join(tmpdir(), 'hatch-keys-'));
});
afterEach(() => rm(dataDir, { recursive: true, force: true }));

test('with SECRETS_KEY they are encrypted for the database, and no file is written', async () => {
  const store = openSecretStore({ dataDir, SECRETS_KEY });
  const sealed = await store.keep('a', secrets);
  expect(sealed?.toString('latin1')).not.toMatch(/rk_test|whsec|51AbC/);
  expect(await store.read('a', sealed)).toEqual(secrets);
  expect(await readdir(dataDir)).toEqual([]);
});

test('the same secrets look different each time they are encrypted', async () => {
  const store = openSecretStore({ dataDir, SECRETS_KEY });
  expect(await store.keep('a', secrets)).not.toEqual(await store.keep('a', secrets));
});

test('they cannot be opened with another SECRETS_KEY, without one, for another row or use, or changed by one bit', async () => {
  const store = openSecretStore({ dataDir, SECRETS_KEY });
  const sealed = await store.keep('a', secrets);
  if (!sealed) throw new Error('nothing was encrypted');
  const other = openSecretStore({ dataDir, SECRETS_KEY: 'y'.repeat(32) });
  expect(await other.read('a', sealed)).toBeNull();
  expect(await openSecretStore({ dataDir }).read('a', sealed)).toBeNull();
  expect(await store.read('b', sealed)).toBeNull();
  expect(await openSecretStore({ dataDir, SECRETS_KEY }, 'another use').read('a', sealed)).toBeNull();
  for (let at = 0; at < sealed.length; at += 1) {
    const changed = Buffer.from(sealed);
    changed.writeUInt8(changed.readUInt8(at) ^ 1, at);
    expect(await store.read('a', changed)).toBeNull();
  }
  expect(await store.read('a', Buffer.of(1))).toBeNull();
});

test('without SECRETS_KEY they are in a file that only its owner may read', async () => {
  const store = openSecretStore({ dataDir });
  expect(await store.keep('a', secrets)).toBeNull();
  expect(await store.read('a', null)).toEqual(secrets);
  const folder = join(dataDir, 'keys');
  expect((await stat(folder)).mode & 0o777).toBe(0o700);
  expect(await readdir(folder)).toEqual(['a.json']);
  expect((await stat(join(folder, 'a.json'))).mode & 0o777).toBe(0o600);
});

test('a file is replaced as a whole, and wiped for good', async () => {
  const store = openSecretStore({ dataDir });
  await store.keep('a', secrets);
  await store.keep('a', { ...secrets, more: [] });
  expect(await store.read('a', null)).toEqual({ ...secrets, more: [] });
  expect(await readFile(join(dataDir, 'keys', 'a.json'), 'utf8')).not.toContain('whsec');
  await store.wipe('a');
  await store.wipe('a');
  expect(await store.read('a', null)).toBeNull();
  expect(await readdir(join(dataDir, 'keys'))).toEqual([]);
});

test('a file that is damaged, or is of another machine, is as if there were none', async () => {
  const store = openSecretStore({ dataDir });
  expect(await store.read('a', null)).toBeNull();
  await store.keep('a', secrets);
  await writeFile(join(dataDir, 'keys', 'a.json'), '{"key": 1}');
  expect(await store.read('a', null)).toBeNull();
});
