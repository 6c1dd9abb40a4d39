import { randomUUID } from 'node:crypto';
import fs from 'node:fs';
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
import { syncBuiltinESMExports } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { chooseCopyNumbersToRetain } from '#backup/retention.ts';
import type { SealedObject } from '#backup/sealed.ts';
import { readCopySource } from '#backup/server/copy-source.ts';
import { readErasures } from '#backup/server/erasure-list.ts';
import { makeCopy } from '#backup/server/make-copy.ts';
import { openFolderPlace } from '#backup/server/places/folder-place.ts';
import type { SecondPlace } from '#backup/server/places/place.ts';
import { restoreCopy } from '#backup/server/restore-copy.ts';
import { openS3Place } from '#backup/server/places/s3-place.ts';
import { makeSealingKeys, decryptKeyPair, type SealingKeys } from '#backup/server/sealing/key-pair.ts';
import { restoreSealedCopy } from '#backup/server/sealing/restore-sealed.ts';
import { fetchCopy, unlockSecondPlace, verifySecondPlace } from '#backup/server/sealing/open-place.ts';
import { ownSealedCopies, decryptContents } from '#backup/server/sealing/read-place.ts';
import { sendCopy, sendErasures } from '#backup/server/sealing/send-copy.ts';
import { verifyCopies } from '#backup/server/verify-copies.ts';
import { keyMarkOf, recordKeyMark } from '#database/installation-values.ts';
import { installationKeysOf } from '#platform/server/secrets/installation-keys.ts';
import { startTestBucket, type TestBucket } from '#platform/testing/bucket.ts';
import { seedSmallShop } from '#testing/small-shop.ts';
import { createTestDatabase, type TestDatabase } from '#testing/test-database.ts';

/** Simulates a disk of `folder` that gets full in the middle of a file, after `files` more files. */
const fullDisk = { folder: '/nowhere', files: 0 };
const { createWriteStream } = fs;
/** Node's own function, because a worker's files share the modules, and a mock of one of ours may come too late. */
function replaceCreateWriteStream(next: typeof createWriteStream): void {
  fs.createWriteStream = next;
  syncBuiltinESMExports();
}
const onFullDisk: typeof createWriteStream = (path, options) => {
  const stream = createWriteStream(path, options);
  if (!path.toString().startsWith(`${fullDisk.folder}/`) || fullDisk.files-- > 0) return stream;
  const { _write: write } = stream;
  const full = Object.assign(new Error('no space left on device'), { code: 'ENOSPC' });
  const writeHalf: typeof write = (chunk: Buffer, encoding, done) =>
    write.call(stream, chunk.subarray(0, chunk.length / 2), encoding, (error) => done(error ?? full));
  return Object.assign(stream, {
    _write: writeHalf,
    _writev: null,
    _final: (done: (error: Error) => void) => done(full),
  });
};

const passphrase = 'seven cold chips on a plate';
const secretsKey = 'k'.repeat(40);
const picture = `${'cd'.repeat(32)}.webp`;
const table = 'tables/stores.copy.gz';

let root: string;
let database: TestDatabase;
let bucket: TestBucket;
let keys: SealingKeys;
/** Places with two copies each, of the shop and of another shop. */
let whole: string;
let others: string;

beforeAll(async () => {
  replaceCreateWriteStream(onFullDisk);
  root = await mkdtemp(join(tmpdir(), 'hatch-sealing-'));
  [database, bucket, keys] = await Promise.all([
    createTestDatabase(),
    startTestBucket('copies'),
    makeSealingKeys(passphrase, 4),
  ]);
  await seedSmallShop(database.db);
  await recordKeyMark(database.db, keyMarkOf(installationKeysOf([secretsKey])));
  for (const folder of ['data/uploads', 'data/payment-keys']) await mkdir(join(root, folder), { recursive: true });
  await writeFile(join(root, 'data/uploads', picture), Buffer.alloc(200_000, 7));
  await writeFile(join(root, 'data/payment-keys/a.json'), '{}');
  whole = await makePlace('whole');
  await copy();
  await send(openFolderPlace(whole));
  await database.db.updateTable('stores').set({ name: 'Renamed' }).execute();
  await copy();
  await send(openFolderPlace(whole));
  await makeOthers();
}, 60_000);
afterAll(async () => {
  replaceCreateWriteStream(createWriteStream);
  await Promise.all([database.drop(), bucket.close()]);
  await rm(root, { recursive: true, force: true });
});
beforeEach(() => {
  bucket.mood = 'fine';
  bucket.files.clear();
});

async function makeOthers(): Promise<void> {
  await rename(join(root, 'data/backups'), join(root, 'own'));
  const { shop_id } = await database.db.selectFrom('installation').select('shop_id').executeTakeFirstOrThrow();
  await database.db.updateTable('installation').set({ shop_id: randomUUID() }).execute();
  others = await makePlace('others');
  const otherKeys = await makeSealingKeys(passphrase, 4);
  for (const _ of [1, 2]) await send(openFolderPlace(others), { number: await copy(), keys: otherKeys });
  await database.db.updateTable('installation').set({ shop_id }).execute();
  await rm(join(root, 'data/backups'), { recursive: true });
  await rename(join(root, 'own'), join(root, 'data/backups'));
  newest = 2;
}

async function makePlace(name: string): Promise<string> {
  await mkdir(join(root, name));
  return join(root, name);
}

let newest = 0;
async function copy(): Promise<number> {
  const source = { config: { dataDir: join(root, 'data') }, db: database.db, database: database.config };
  const now = () => new Date(Date.UTC(2026, 10, 21 + newest, 19));
  const made = await makeCopy(await readCopySource({ ...source, now }, '1.0.0'), join(root, 'data/backups'));
  newest = made.number;
  return newest;
}

const remembered = new Map<string, Map<string, SealedObject>>();
function send(place: SecondPlace, more: Partial<Parameters<typeof sendCopy>[0]> = {}) {
  const known = remembered.get(place.name) ?? new Map<string, SealedObject>();
  remembered.set(place.name, known);
  return sendCopy({
    folder: join(root, 'data/backups'),
    number: newest,
    place,
    keys,
    known,
    remember: async (sha256, object) => void known.set(sha256, object),
    secretsKey,
    store: { timezone: 'Europe/London', day_starts_at: '05:00' },
    lastNumber: null,
    isProven: true,
    erasures: async () => [],
    ...more,
  });
}

const bucketPlace = (prefix = 'hatch/kitchen') =>
  openS3Place({
    endpoint: bucket.environment['S3_ENDPOINT'] ?? '',
    bucket: 'copies',
    prefix,
    region: 'eu-west-2',
    accessKeyId: bucket.environment['S3_ACCESS_KEY_ID'] ?? '',
    secretAccessKey: bucket.environment['S3_SECRET_ACCESS_KEY'] ?? '',
    timeoutMs: 5_000,
  });

const verify = async (place: SecondPlace) =>
  (await verifySecondPlace(await unlockSecondPlace(place, async () => passphrase))).damages;

/** Finds the object of a copy's file. */
async function objectOf(folder: string, number: number, path: string): Promise<string> {
  const { place, state, identity } = await unlockSecondPlace(openFolderPlace(folder), async () => passphrase);
  const listing = ownSealedCopies(state).find((each) => each.listing.number === number)?.listing;
  const contents = listing && (await decryptContents(place, listing, identity));
  if (path === 'contents') return join(folder, 'objects', listing?.contents.name ?? '');
  const files = [
    ...(contents?.manifest.tables.map(({ file }) => file) ?? []),
    ...(contents?.manifest.uploads ?? []),
    ...(contents?.manifest.keys ?? []),
  ];
  const { sha256 = '' } = files.find((file) => file.path === path) ?? {};
  return join(folder, 'objects', contents?.objects[sha256] ?? '');
}

async function listingOf(folder: string, number: number): Promise<string> {
  const { state } = await unlockSecondPlace(openFolderPlace(folder), async () => passphrase);
  return join(folder, 'copies', ownSealedCopies(state).find((each) => each.listing.number === number)?.name ?? '');
}

async function flipBit(path: string, at: number): Promise<void> {
  const file = await open(path, 'r+');
  const { size } = await file.stat();
  const byte = Buffer.alloc(1);
  await file.read(byte, 0, 1, Math.floor(size * at));
  await file.write(Buffer.of((byte[0] ?? 0) ^ 4), 0, 1, Math.floor(size * at));
  await file.close();
}

async function damagesAfter(change: (folder: string) => Promise<unknown>) {
  const folder = join(root, randomUUID());
  await cp(whole, folder, { recursive: true });
  await change(folder);
  return verify(openFolderPlace(folder));
}

describe('a sealed place', () => {
  test('shows hashes, times and sizes, and nothing else', async () => {
    const names = await readdir(whole, { recursive: true });
    const plain = names.filter((name) => !/^(objects|copies)(\/[0-9a-f]{64})?$/.test(name));
    expect(plain).toEqual(['hatch-sealed.json']);
    const listing = JSON.parse((await readFile(await listingOf(whole, 2), 'utf8')).split('\n')[0] ?? '') as object;
    expect(Object.keys(listing).join(' ')).toBe(
      'format shop_id number before made_at recipient key contents objects is_proven',
    );
    for (const name of names.filter((each) => each.includes('/'))) {
      const bytes = await readFile(join(whole, name));
      for (const secret of [secretsKey, 'payment-keys', 'Renamed', picture, keys.secret])
        expect(bytes.includes(secret)).toBe(false);
    }
  });

  test('as it was written has no damage', async () => {
    expect(await damagesAfter(async () => undefined)).toEqual([]);
  });

  test('shares a picture between copies', async () => {
    expect(await objectOf(whole, 1, picture)).toBe(await objectOf(whole, 2, picture));
  });

  const upload = `uploads/${picture}`;
  test.each<[string, (folder: string) => Promise<unknown>, number | null, string | null]>([
    ['a flipped bit in a table', async (to) => flipBit(await objectOf(to, 2, table), 0.9), 2, table],
    ['a flipped bit in the header of a table', async (to) => flipBit(await objectOf(to, 2, table), 0.1), 2, table],
    ['a flipped bit in a picture', async (to) => flipBit(await objectOf(to, 1, picture), 0.5), 1, upload],
    ['a truncated picture', async (to) => truncate(await objectOf(to, 1, picture), 100_000), 2, upload],
    [
      'a picture cut at an encrypted block',
      async (to) => truncate(await objectOf(to, 1, picture), 200 + 16 + 65_552),
      2,
      upload,
    ],
    ['an empty table', async (to) => truncate(await objectOf(to, 1, table), 0), 1, table],
    [
      'a longer key',
      async (to) => appendFile(await objectOf(to, 2, 'keys/payment-keys/a.json'), '1'),
      2,
      'keys/payment-keys/a.json',
    ],
    ['a missing table', async (to) => rm(await objectOf(to, 1, table)), 1, table],
    ['a missing picture', async (to) => rm(await objectOf(to, 1, picture)), 2, upload],
    ['a missing list of contents', async (to) => rm(await objectOf(to, 2, 'contents')), 2, 'manifest.json'],
    [
      'a flipped bit in a list of contents',
      async (to) => flipBit(await objectOf(to, 2, 'contents'), 0.7),
      2,
      'manifest.json',
    ],
    [
      'an older table in its place',
      async (to) => cp(await objectOf(to, 1, table), await objectOf(to, 2, table)),
      2,
      table,
    ],
    [
      'an older list of contents',
      async (to) => cp(await objectOf(to, 1, 'contents'), await objectOf(to, 2, 'contents')),
      2,
      'manifest.json',
    ],
    [
      'a file of another shop',
      async (to) => cp(await objectOf(others, 1, table), await objectOf(to, 1, table)),
      1,
      table,
    ],
    ['a missing list of the newest copy', async (to) => rm(await listingOf(to, 2)), 2, null],
    ['a missing list of an older copy', async (to) => rm(await listingOf(to, 1)), 1, null],
    ['a flipped bit in a list', async (to) => flipBit(await listingOf(to, 2), 0.5), 2, null],
    ['a flipped bit in the key of a list', async (to) => flipBit(await listingOf(to, 1), 0.3), 1, null],
    ['an older list in its place', async (to) => cp(await listingOf(to, 1), await listingOf(to, 2)), 2, null],
    [
      'the list of another shop',
      async (to) => cp(await listingOf(others, 1), join(to, 'copies', (await listingOf(others, 1)).slice(-64))),
      null,
      null,
    ],
    ['no file of the place', (to) => rm(join(to, 'hatch-sealed.json')), null, null],
    ['a flipped bit in the file of the place', (to) => flipBit(join(to, 'hatch-sealed.json'), 0.5), null, null],
    [
      'the file of another place',
      (to) => cp(join(others, 'hatch-sealed.json'), join(to, 'hatch-sealed.json')),
      null,
      null,
    ],
  ])('%s is found', async (_, change, number, path) => {
    expect(await damagesAfter(change)).toContainEqual(
      expect.objectContaining({ number, ...(path !== null && { path }) }),
    );
  });

  test('does not open with another passphrase', async () => {
    const opened = unlockSecondPlace(openFolderPlace(whole), async () => `${passphrase}s`);
    await expect(opened).rejects.toThrow('This is not the passphrase of these copies.');
    expect(await decryptKeyPair(keys.key, passphrase)).toEqual({
      identity: expect.stringMatching(/^AGE-/),
      secret: keys.secret,
    });
  });

  test('gives a copy back, whole, with SECRETS_KEY; or nothing', async () => {
    const opened = await unlockSecondPlace(openFolderPlace(whole), async () => passphrase);
    const folder = join(root, 'fetched');
    expect(await fetchCopy(opened, null, folder)).toEqual({ folder, secretsKey, hasErasures: true });
    expect(await verifyCopies(folder)).toMatchObject({ damages: [], copies: [{ number: 2, is_whole: true }] });
    for (const file of ['copies/000002/manifest.json', `copies/000002/${table}`, `uploads/${picture}`])
      expect(await readFile(join(folder, file))).toEqual(await readFile(join(root, 'data/backups', file)));

    const damaged = join(root, 'damaged');
    await cp(whole, damaged, { recursive: true });
    await flipBit(await objectOf(damaged, 2, picture), 0.99);
    const again = await unlockSecondPlace(openFolderPlace(damaged), async () => passphrase);
    await expect(fetchCopy(again, null, join(root, 'not'))).rejects.toThrow(`Copy 2, uploads/${picture} is damaged`);
    await expect(readdir(join(root, 'not'))).rejects.toThrow('ENOENT');
    await rm(await listingOf(damaged, 2));
    const older = await unlockSecondPlace(openFolderPlace(damaged), async () => passphrase);
    await expect(fetchCopy(older, null, join(root, 'not'))).rejects.toThrow(
      'Copy 2, the newest, is damaged or missing',
    );
  });
});

describe('the list of erasures in a place', () => {
  const erasure = (subject: string) => ({ kind: 'order' as const, subject, erased_at: '2026-11-21T19:00:00.000Z' });
  const [first, second] = [erasure(randomUUID()), erasure(randomUUID())];
  let place: SecondPlace;
  const seen: object[] = [];
  const list = async (folder = place.name) => {
    const opened = await unlockSecondPlace(openFolderPlace(folder), async () => passphrase);
    const to = join(root, randomUUID());
    const { hasErasures } = await fetchCopy(opened, null, to);
    return { hasErasures, subjects: (await readErasures(to))?.map(({ subject }) => subject) };
  };
  beforeAll(async () => {
    const { shop_id: shopId } = await database.db
      .selectFrom('installation')
      .select('shop_id')
      .executeTakeFirstOrThrow();
    place = openFolderPlace(await makePlace('erased'));
    await send(place);
    seen.push(await list());
    await sendErasures({ place, keys, shopId }, [first]);
    seen.push(await list());
    // A shop that was restored from elsewhere knows other erasures.
    await send(place, { lastNumber: newest, erasures: async () => [second] });
  });

  test('comes by itself and with a copy, and an earlier one stays in it', async () => {
    expect(seen).toEqual([[], [first.subject]].map((subjects) => ({ hasErasures: true, subjects })));
    expect(await list()).toEqual({ hasErasures: true, subjects: [first.subject, second.subject] });
    expect(await verify(place)).toEqual([]);
  });

  test('of a place without copies is not written: its disk is another one', async () => {
    const empty = openFolderPlace(await makePlace('other-disk'));
    const order = { place: empty, keys, shopId: randomUUID() };
    await expect(sendErasures(order, [first])).rejects.toThrow('has no copies now');
    expect(await readdir(empty.name)).toEqual([]);
  });

  test.each<[string, (path: string) => Promise<unknown>]>([
    ['missing', (path) => rm(path)],
    ['damaged', (path) => flipBit(path, 0.5)],
    ['cut off', (path) => truncate(path, 100)],
  ])('that is %s is found, and a restore says that it is not whole', async (_, change) => {
    const folder = join(root, randomUUID());
    await cp(place.name, folder, { recursive: true });
    await change(join(folder, 'erasures.json'));
    expect(await verify(openFolderPlace(folder))).toEqual([
      expect.objectContaining({ number: null, path: 'erasures.json' }),
    ]);
    expect((await list(folder)).hasErasures).toBe(false);
  });
});

describe('a bucket', () => {
  test('gets copies that are whole, each picture once, and gives them back', async () => {
    const first = await send(bucketPlace());
    const sent = [...bucket.files.keys()];
    expect(sent.every((path) => path.startsWith('/copies/hatch/kitchen/'))).toBe(true);
    const second = await send(bucketPlace(), { lastNumber: first.number });
    expect([second.number, second.copies, second.damaged]).toEqual([first.number + 1, 1, []]);
    expect(second.bytes).toBeLessThan(first.bytes / 3);
    expect(await verify(bucketPlace())).toEqual([]);
  });

  test.each(['objects/', 'copies/', 'hatch-sealed.json'])(
    'that acknowledges %s and loses it is found at once',
    async (name) => {
      bucket.mood = 'forgetful';
      bucket.forgets = name;
      await expect(send(bucketPlace())).rejects.toThrow('did not store what it was given');
    },
  );

  test('that loses a stored file later is told so by the next copy, which is whole', async () => {
    const place = bucketPlace('late');
    const first = await send(place);
    const [lost = ''] = [...bucket.files].toSorted(([, a], [, b]) => b.bytes.length - a.bytes.length)[0] ?? [];
    bucket.files.delete(lost);
    await database.db.updateTable('stores').set({ name: randomUUID() }).execute();
    const number = await copy();
    const second = await send(place, { number, lastNumber: first.number });
    expect([second.damaged, second.copies]).toEqual([[first.number], 2]);
    const damages = await verify(place);
    expect(damages.map((damage) => damage.number)).toEqual([first.number]);
    const [list = ''] = [...bucket.files.keys()].filter((path) => path.includes('/late/copies/')).slice(-1);
    bucket.files.delete(list);
    expect((await send(place, { number, lastNumber: second.number })).damaged).toContain(second.number);
  });

  test('that was exchanged for an empty one gets nothing', async () => {
    await expect(send(bucketPlace(), { lastNumber: 3 })).rejects.toThrow('is empty, but had copies');
  });

  test.each([
    ['refuses our key', { accessKeyId: 'other' }, 'does not know this access key: InvalidAccessKeyId'],
    ['is not there', { bucket: 'elsewhere' }, 'is not there: NoSuchBucket'],
    ['does not answer', { endpoint: 'http://127.0.0.1:9' }, 'did not answer: '],
  ])('that %s is named in one line', async (_, change, words) => {
    const { environment } = bucket;
    const settings = {
      endpoint: environment['S3_ENDPOINT'] ?? '',
      bucket: 'copies',
      prefix: '',
      region: 'eu-west-2',
      accessKeyId: environment['S3_ACCESS_KEY_ID'] ?? '',
      secretAccessKey: environment['S3_SECRET_ACCESS_KEY'] ?? '',
      timeoutMs: 2_000,
      ...change,
    };
    await expect(send(openS3Place(settings))).rejects.toThrow(words);
  });
});

describe('old copies in a place', () => {
  test('go by days, weeks and months, and pictures stay as long as a copy needs them', async () => {
    const folder = await makePlace('aged');
    const place = openFolderPlace(folder);
    const sent: { number: number; made_at: string }[] = [];
    for (let day = 0; day < 12; day += 1)
      sent.push(await send(place, { number: await copy(), lastNumber: sent.at(-1)?.number ?? null }));
    const opened = await unlockSecondPlace(place, async () => passphrase);
    const numbers = ownSealedCopies(opened.state).map(({ listing }) => listing.number);
    expect(numbers.length).toBeLessThan(11);
    expect(new Set(numbers)).toEqual(
      chooseCopyNumbersToRetain(sent, { timezone: 'Europe/London', day_starts_at: '05:00' }),
    );
    expect(await verify(place)).toEqual([]);
    const needed = new Set(
      ownSealedCopies(opened.state).flatMap(({ listing }) =>
        [listing.contents, ...listing.objects].map(({ name }) => name),
      ),
    );
    expect(new Set(await readdir(join(folder, 'objects')))).toEqual(needed);
  });

  test('do not go where a damaged one would take their place, nor any file while a list is unreadable', async () => {
    const folder = await makePlace('careful');
    const place = openFolderPlace(folder);
    const first = await send(place);
    await send(place, { lastNumber: first.number });
    // Retention would keep the newest of a day only, which is damaged.
    await rm(await objectOf(folder, first.number + 1, table));
    remembered.get(folder)?.clear();
    const third = await send(place, { number: await copy(), lastNumber: first.number + 1 });
    expect(third.damaged).toEqual([first.number + 1]);
    await flipBit(await listingOf(folder, first.number + 1), 0.5);
    const before = (await readdir(join(folder, 'objects'))).length;
    await send(place, { number: await copy(), lastNumber: third.number });
    expect((await readdir(join(folder, 'objects'))).length).toBeGreaterThan(before);
  });

  test('stay beside later ones of the same day that were never restored for a trial', async () => {
    const folder = await makePlace('unproven');
    const place = openFolderPlace(folder);
    await send(place);
    for (const lastNumber of [newest, newest + 1]) await send(place, { isProven: false, lastNumber });
    const { copies } = await verifySecondPlace(await unlockSecondPlace(place, async () => passphrase));
    expect(copies.map(({ number, is_proven }) => [number, is_proven])).toEqual([
      [newest, true],
      [newest + 2, false],
    ]);
    await send(place, { lastNumber: newest + 2 });
    const after = await verifySecondPlace(await unlockSecondPlace(place, async () => passphrase));
    expect(after.copies.map(({ is_proven }) => is_proven)).toEqual([true]);
  });

  test('are another shop’s, or of an earlier passphrase: nothing is written', async () => {
    await expect(send(openFolderPlace(others))).rejects.toThrow('the copies of another shop');
    const again = { keys: await makeSealingKeys(passphrase, 4) };
    await expect(send(openFolderPlace(whole), again)).rejects.toThrow('an earlier passphrase');
    expect(await verify(openFolderPlace(whole))).toEqual([]);
  });
});

test('a folder whose disk is not connected, or that has other things, gets nothing', async () => {
  await expect(send(openFolderPlace(join(root, 'unplugged')))).rejects.toThrow('Is its disk connected?');
  await expect(readdir(join(root, 'unplugged'))).rejects.toThrow('ENOENT');
  const holiday = await makePlace('holiday');
  await writeFile(join(holiday, 'beach.jpg'), '');
  await expect(send(openFolderPlace(holiday))).rejects.toThrow('has other things in it');
});

describe('a full disk', () => {
  test('refuses a copy in one line at any of its files, and the earlier copies stay', async () => {
    const folder = join(root, 'data/backups');
    const { length: all } = (await verifyCopies(folder)).copies;
    for (const files of [0, 20, 90]) {
      Object.assign(fullDisk, { folder, files });
      await expect(copy().finally(() => (fullDisk.folder = '/nowhere'))).rejects.toThrow(
        `The disk of ${folder} is full: no copy was made, and the earlier ones are as they were.`,
      );
      const { copies, damages } = await verifyCopies(folder);
      expect([copies.length, damages]).toEqual([all, []]);
      expect((await readdir(folder, { recursive: true })).filter((name) => name.includes('.hatch-draft'))).toEqual([]);
    }
  });

  test.each(['a folder of copies', 'a sealed place'])(
    'ends a restore from %s in one line, and leaves nothing',
    async (from) => {
      const dataDir = join(root, randomUUID());
      const order = { dataDir, until: null, secretsKey, hatch: '1.0.0', log: { info() {}, warn() {}, error() {} } };
      Object.assign(fullDisk, { folder: dataDir, files: 0 });
      const restored =
        from === 'a sealed place'
          ? restoreSealedCopy(order, openFolderPlace(whole), async () => passphrase)
          : restoreCopy({ ...order, from: join(root, 'data/backups') });
      await expect(restored.finally(() => (fullDisk.folder = '/nowhere'))).rejects.toThrow(
        `The disk of ${dataDir} is full: nothing was restored.`,
      );
      expect((await readdir(dataDir)).filter((name) => !name.startsWith('hatch.lock'))).toEqual([]);
    },
  );

  test('refuses to send a copy in one line at any of its files, and takes it later', async () => {
    const folder = await makePlace('small-disk');
    const place = openFolderPlace(folder);
    const first = await send(place);
    await database.db.updateTable('stores').set({ name: randomUUID() }).execute();
    const number = await copy();
    const before = remembered.get(folder);
    let refused = 0;
    for (let isSent = false; !isSent; refused += isSent ? 0 : 1) {
      remembered.set(folder, new Map(before));
      Object.assign(fullDisk, { folder, files: refused });
      isSent = await send(place, { number, lastNumber: first.number }).then(
        () => true,
        (error: unknown) => {
          expect(String(error)).toBe(
            `Error: The disk of ${folder} is full: the copy was not sent whole. Make room there.`,
          );
          return false;
        },
      );
      fullDisk.folder = '/nowhere';
      const { copies, damages } = await verifySecondPlace(await unlockSecondPlace(place, async () => passphrase));
      expect([copies[0]?.number, copies.every(({ is_whole }) => is_whole), damages]).toEqual([first.number, true, []]);
      expect(copies.length).toBeGreaterThanOrEqual(isSent ? 2 : 1);
      expect((await readdir(folder, { recursive: true })).filter((name) => name.includes('.hatch-draft'))).toEqual([]);
    }
    // At least a table, the contents, the list and the index were refused.
    expect(refused).toBeGreaterThan(3);
  });
});

test('a copy that is damaged on this machine is not sent', async () => {
  const place = openFolderPlace(await makePlace('fresh'));
  const number = await copy();
  await flipBit(join(root, 'data/backups/copies', String(number).padStart(6, '0'), table), 0.5);
  await expect(send(place, { number })).rejects.toThrow(`${table} of copy ${number} is damaged on this machine`);
  expect(
    await readdir(join(root, 'data/backups')).then((names) => names.filter((name) => name.startsWith('.'))),
  ).toEqual([]);
});
