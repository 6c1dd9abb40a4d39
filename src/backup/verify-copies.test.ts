import { randomUUID } from 'node:crypto';
import { existsSync } from 'node:fs';
import {
  appendFile,
  cp,
  mkdir,
  mkdtemp,
  open,
  readdir,
  readFile,
  rename,
  rm,
  truncate,
  writeFile,
} from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Writable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import pg from 'pg';
import { to as copyTo } from 'pg-copy-streams';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { findFaultsInBackupChain, chooseCopy, type FoundCopy } from '#backup/manifest.ts';
import { readCopySource } from '#backup/server/copy-source.ts';
import { makeCopy, removeCopies } from '#backup/server/make-copy.ts';
import { restoreCopy } from '#backup/server/restore-copy.ts';
import { inPortableTransaction } from '#backup/server/tables.ts';
import { verifyCopies } from '#backup/server/verify-copies.ts';
import { keyMarkOf, recordKeyMark } from '#database/installation-values.ts';
import { installationKeysOf } from '#platform/server/secrets/installation-keys.ts';
import { seedSmallShop } from '#testing/small-shop.ts';
import { createTestDatabase, type TestDatabase } from '#testing/test-database.ts';

let place: string;
let database: TestDatabase;
const picture = `${'cd'.repeat(32)}.webp`;
const key = 'installation-key/key';

beforeAll(async () => {
  place = await mkdtemp(join(tmpdir(), 'hatch-verify-'));
  database = await createTestDatabase();
  await seedSmallShop(database.db);
  for (const folder of ['data/uploads', 'data/installation-key', 'data/postgres'])
    await mkdir(join(place, folder), { recursive: true });
  await writeFile(join(place, 'data/uploads', picture), 'a picture');
  await writeFile(join(place, 'data', key), `${'0'.repeat(64)}\n`);
  await copyInto('copies');
  await database.db.updateTable('stores').set({ name: 'Renamed' }).execute();
  await copyInto('copies');
  await database.db.updateTable('installation').set({ shop_id: randomUUID() }).execute();
  await copyInto('others');
  await copyInto('others');
});
afterAll(async () => {
  await database.drop();
  await rm(place, { recursive: true, force: true });
});

async function copyInto(name: string) {
  const source = { config: { dataDir: join(place, 'data') }, db: database.db, database: database.config };
  const now = () => new Date('2026-11-21T19:00:00Z');
  return makeCopy(await readCopySource({ ...source, now }, '1.0.0'), join(place, name));
}

/** Changes a duplicate of the folder, and verifies it. */
async function damagesAfter(change: (folder: string) => Promise<unknown>) {
  const folder = join(place, randomUUID());
  await cp(join(place, 'copies'), folder, { recursive: true });
  await change(folder);
  return (await verifyCopies(folder)).damages;
}

async function flipBit(path: string, at: number): Promise<void> {
  const file = await open(path, 'r+');
  const { size } = await file.stat();
  const byte = Buffer.alloc(1);
  await file.read(byte, 0, 1, Math.floor(size * at));
  await file.write(Buffer.of((byte[0] ?? 0) ^ 4), 0, 1, Math.floor(size * at));
  await file.close();
}

const orders = 'tables/stores.copy.gz';
const inCopy = (folder: string, number: number, path: string) => join(folder, 'copies', `00000${number}`, path);
const others = () => join(place, 'others');

describe('a folder of copies', () => {
  test('as it was written has no damage', async () => {
    expect(await damagesAfter(async () => undefined)).toEqual([]);
  });

  test.each<[string, (folder: string) => Promise<unknown>, number | null, string | null]>([
    ['a flipped bit in a table', (to) => flipBit(inCopy(to, 1, orders), 0.5), 1, orders],
    ['a flipped bit in a list of contents', (to) => flipBit(inCopy(to, 2, 'manifest.json'), 0.3), 2, 'manifest.json'],
    ['a flipped bit in a hash', (to) => flipBit(inCopy(to, 2, 'manifest.json.sha256'), 0.3), 2, 'manifest.json'],
    ['a flipped bit in a picture', (to) => flipBit(join(to, 'uploads', picture), 0.5), 1, `uploads/${picture}`],
    ['a truncated table', (to) => truncate(inCopy(to, 2, orders), 10), 2, orders],
    ['an empty list of contents', (to) => truncate(inCopy(to, 2, 'manifest.json')), 2, 'manifest.json'],
    ['a longer key', (to) => appendFile(inCopy(to, 2, `keys/${key}`), '1'), 2, `keys/${key}`],
    ['a missing table', (to) => rm(inCopy(to, 1, orders)), 1, orders],
    ['a missing picture', (to) => rm(join(to, 'uploads', picture)), 1, `uploads/${picture}`],
    ['a missing key', (to) => rm(inCopy(to, 2, 'keys'), { recursive: true }), 2, `keys/${key}`],
    ['a missing newest copy', (to) => rm(inCopy(to, 2, ''), { recursive: true }), 2, null],
    ['no file of the folder', (to) => rm(join(to, 'hatch-backups.json')), null, null],
    ['a file too many', (to) => writeFile(inCopy(to, 1, 'tables/more'), ''), 1, 'tables/more'],
    ['an older table', (to) => cp(inCopy(to, 1, orders), inCopy(to, 2, orders)), 2, orders],
    ['an older copy in its place', (to) => swap(to, inCopy(to, 1, ''), 2), 2, null],
    ['a newer copy in its place', (to) => swap(to, inCopy(to, 2, ''), 1), 1, null],
    ['an older copy under the newest number', (to) => swap(to, inCopy(others(), 2, ''), 2), 2, null],
    ['the copy of another shop', (to) => swap(to, inCopy(others(), 1, ''), 1), 1, null],
    [
      'the table of another shop',
      (to) => cp(inCopy(others(), 1, 'tables/installation.copy.gz'), inCopy(to, 1, 'tables/installation.copy.gz')),
      1,
      'tables/installation.copy.gz',
    ],
    [
      'the file of another folder',
      (to) => cp(join(others(), 'hatch-backups.json'), join(to, 'hatch-backups.json')),
      1,
      null,
    ],
  ])('%s is found', async (_, change, number, path) => {
    expect(await damagesAfter(change)).toContainEqual(expect.objectContaining({ number, path }));
  });

  test('that is wholly another shop’s is found by somebody who knows the shop', async () => {
    const { shop_id: own } = await verifyCopies(join(place, 'copies'));
    expect((await verifyCopies(others())).damages).toEqual([]);
    expect((await verifyCopies(others(), own)).damages).toHaveLength(3);
  });

  test('heals a damaged shared picture with the next copy', async () => {
    await flipBit(join(others(), 'uploads', picture), 0.5);
    expect((await verifyCopies(others())).damages).toHaveLength(2);
    await copyInto('others');
    expect((await verifyCopies(others())).damages).toEqual([]);
    expect(await readFile(join(others(), 'uploads', picture), 'utf8')).toBe('a picture');
  });

  test('loses old copies, and pictures that no other copy has', async () => {
    const folder = join(place, 'old');
    await copyInto('old');
    await rename(join(place, 'data/uploads', picture), join(place, 'data/uploads', picture.replace('webp', 'avif')));
    await copyInto('old');
    expect(await removeCopies(folder, ({ number }) => number === 1)).toEqual([1]);
    expect(await verifyCopies(folder)).toMatchObject({ damages: [], copies: [{ number: 2 }] });
    await expect(readFile(join(folder, 'uploads', picture))).rejects.toThrow('ENOENT');
  });
});

test('a copy is of the moment in which its rows were read, however long its pictures take', async () => {
  const folder = join(place, 'slow');
  const config = { dataDir: join(place, 'data') };
  // The clock moves two hours when the first file exists.
  const now = () => new Date(existsSync(join(folder, 'uploads')) ? '2026-11-21T21:00:00Z' : '2026-11-21T19:00:00Z');
  const source = await readCopySource({ config, db: database.db, database: database.config, now }, '1.0.0');
  const { manifest } = await makeCopy(source, folder);
  expect(manifest.made_at).toBe('2026-11-21T19:00:00.000Z');
});

test('a disk that gets full in the middle of a large table ends the transaction', async () => {
  const client = new pg.Client(database.config);
  await client.connect();
  const rows = () => client.query(copyTo(`copy (select repeat('x', 200) from generate_series(1, 10000)) to stdout`));
  const full = new Writable({ write: (_chunk, _encoding, done) => done(new Error('no space left on device')) });
  const copied = inPortableTransaction(client, '', () => pipeline(rows(), full));
  await expect(copied).rejects.toThrow('no space left on device');
  await client.end();
});

test('the copy of a shop with SECRETS_KEY needs that key, and has it nowhere', async () => {
  const [right, wrong] = ['r'.repeat(40), 'w'.repeat(40)];
  await recordKeyMark(database.db, keyMarkOf(installationKeysOf([right])));
  await copyInto('keyed');
  const restored = (secretsKey: string | undefined) => {
    const log = { info() {}, warn() {}, error() {} };
    const [from, dataDir] = [join(place, 'keyed'), join(place, 'not-made')];
    return restoreCopy({ from, dataDir, until: null, secretsKey, hatch: '1.0.0', log });
  };
  await expect(restored(undefined)).rejects.toThrow('This shop had a SECRETS_KEY');
  await expect(restored(wrong)).rejects.toThrow('is another one than that of this shop');
  await expect(readdir(join(place, 'not-made'))).rejects.toThrow('ENOENT');
  const found = await readFile(join(place, 'keyed/copies/000001/manifest.json'), 'utf8');
  expect([found.includes(right), found.includes('"needs_secrets_key": true')]).toEqual([false, true]);
});

/** Replaces a copy by another one. */
async function swap(folder: string, from: string, number: number): Promise<void> {
  const target = inCopy(folder, number, '');
  await rm(target, { recursive: true });
  await cp(from, target, { recursive: true });
}

describe('the copy for a restore', () => {
  const copy = (number: number, made_at: string): FoundCopy =>
    // `chooseCopy` reads only the time.
    ({ number, manifest: { made_at } as FoundCopy['manifest'], manifestSha256: '' });
  const copies = [copy(1, '2026-11-20T03:00:00Z'), copy(3, '2026-11-22T03:00:00Z'), copy(2, '2026-11-21T03:00:00Z')];
  test.each([
    [null, 3],
    ['2026-11-21T03:00:00Z', 2],
    ['2026-11-20T02:00:00Z', undefined],
  ])('until %s is %s', (until, number) => {
    expect(chooseCopy(copies, until === null ? null : new Date(until))?.number).toBe(number);
  });

  test('is the newest even if its list is unreadable, so that nobody gets an older one unasked', () => {
    const newest = { number: 4, manifest: null, manifestSha256: '' };
    expect(chooseCopy([...copies, newest], null)).toBe(newest);
    expect(findFaultsInBackupChain(null, [], null)).toHaveLength(1);
  });
});
