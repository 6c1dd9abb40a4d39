import { mkdtemp, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { openSecretStore } from '#payment/server/keys/key-secrets.ts';

const secrets = { secretKey: 'rk_test_51AbC', webhookSecrets: ['whsec_one', 'whsec_two'] };
const SECRETS_KEY = 'x'.repeat(32);
let dataDir: string;

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

test('they cannot be opened with another SECRETS_KEY, without one, for another set, or changed by one bit', async () => {
  const store = openSecretStore({ dataDir, SECRETS_KEY });
  const sealed = await store.keep('a', secrets);
  if (!sealed) throw new Error('nothing was encrypted');
  const other = openSecretStore({ dataDir, SECRETS_KEY: 'y'.repeat(32) });
  expect(await other.read('a', sealed)).toBeNull();
  expect(await openSecretStore({ dataDir }).read('a', sealed)).toBeNull();
  expect(await store.read('b', sealed)).toBeNull();
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
  const folder = join(dataDir, 'payment-keys');
  expect((await stat(folder)).mode & 0o777).toBe(0o700);
  expect(await readdir(folder)).toEqual(['a.json']);
  expect((await stat(join(folder, 'a.json'))).mode & 0o777).toBe(0o600);
});

test('a file is replaced as a whole, and wiped for good', async () => {
  const store = openSecretStore({ dataDir });
  await store.keep('a', secrets);
  await store.keep('a', { ...secrets, webhookSecrets: [] });
  expect(await store.read('a', null)).toEqual({ ...secrets, webhookSecrets: [] });
  expect(await readFile(join(dataDir, 'payment-keys', 'a.json'), 'utf8')).not.toContain('whsec');
  await store.wipe('a');
  await store.wipe('a');
  expect(await store.read('a', null)).toBeNull();
  expect(await readdir(join(dataDir, 'payment-keys'))).toEqual([]);
});

test('a file that is damaged, or is of another machine, is as if there were none', async () => {
  const store = openSecretStore({ dataDir });
  expect(await store.read('a', null)).toBeNull();
  await store.keep('a', secrets);
  await writeFile(join(dataDir, 'payment-keys', 'a.json'), '{"secretKey": 1}');
  expect(await store.read('a', null)).toBeNull();
});
