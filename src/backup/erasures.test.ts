import { createReadStream } from 'node:fs';
import { cp, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createGunzip } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { folderOfCopy, listCopies, createByteMeter } from '#backup/server/copy-layout.ts';
import { readCopySource } from '#backup/server/copy-source.ts';
import { readErasures } from '#backup/server/erasure-list.ts';
import { holdRestoredShop, loadCopyRows } from '#backup/server/load-rows.ts';
import { makeCopy } from '#backup/server/make-copy.ts';
import { verifyCopies } from '#backup/server/verify-copies.ts';
import { startAppOn, startTestApp, type TestApp } from '#testing/test-app.ts';
import { createTestDatabase } from '#testing/test-database.ts';
import { addUser } from '#testing/users.ts';

/* People erased after a copy stay erased in a shop restored from it. */

let place: string;
let app: TestApp;
let admin: string;
const erased: { person?: string; order?: string; open?: string } = {};
const folder = () => join(place, 'copies');
const soon = { timeout: 10_000, interval: 50 };

beforeAll(async () => {
  place = await mkdtemp(join(tmpdir(), 'hatch-erasures-'));
  app = await startTestApp();
  admin = await app.signIn('admin');
  erased.person = (await addUser(app.database.db, 'customer')).id;
  erased.order = await orderOf('Grace Guest');
  erased.open = await orderOf('Olga Open');
  await end(erased.order);
  await copy();
  await end(erased.open);
  await forget(`/v1/orders/${erased.order}/forget`, 'POST');
  await forget(`/v1/orders/${erased.open}/forget`, 'POST');
  await forget(`/v1/customers/${erased.person}`, 'DELETE');
});
afterAll(async () => {
  await app.close();
  await rm(place, { recursive: true, force: true });
});

async function orderOf(name: string): Promise<string> {
  const contact = { name, phone: '07700 900123', email: 'guest@example.com' };
  return (await app.request('POST', '/v1/orders', { body: app.orderBody({ contact }) })).body.data.id;
}
const end = (id: string | undefined, shop = app) =>
  shop.request('POST', `/v1/orders/${id}/reject`, { token: admin, body: { reason: 'too_busy' } });
async function forget(path: string, method: string): Promise<void> {
  const { status, body } = await app.request(method, path, { token: admin });
  expect([200, 204], JSON.stringify(body)).toContain(status);
}
async function copy() {
  const { config, db } = app.services;
  const source = { config, db, database: app.database.config, now: () => app.clock.now };
  return makeCopy(await readCopySource(source, '1.0.0'), folder());
}
const listed = async (from = folder()) => (await readErasures(from))?.map(({ kind, subject }) => `${kind} ${subject}`);
const all = () => [`order ${erased.order}`, `order ${erased.open}`, `person ${erased.person}`].toSorted();

test('an erasure after the newest copy is listed beside it, by its id alone', async () => {
  await expect.poll(async () => (await listed())?.toSorted(), soon).toEqual(all());
  const text = await readFile(join(folder(), 'erasures.json'), 'utf8');
  expect(text).not.toMatch(/Grace|Olga|example/);
  expect((await verifyCopies(folder())).damages).toEqual([]);
});

test('the next copy keeps the list, and a new folder gets it', async () => {
  const before = await listed();
  await copy();
  expect(await listed()).toEqual(before);
  expect((await verifyCopies(folder())).damages).toEqual([]);
});

describe('the list is damaged', () => {
  const list = 'erasures.json';
  test.each<[string, (to: string) => Promise<unknown>]>([
    ['with a flipped bit', async (to) => writeFile(join(to, list), flipped(await readFile(join(to, list))))],
    ['cut off', async (to) => writeFile(join(to, list), (await readFile(join(to, list))).subarray(0, 90))],
    ['missing', (to) => rm(join(to, list))],
    ['an older one', (to) => writeFile(join(to, list), shorter())],
  ])('%s', async (_, change) => {
    const to = join(place, crypto.randomUUID());
    await cp(folder(), to, { recursive: true });
    await change(to);
    expect((await verifyCopies(to)).damages).toEqual([expect.objectContaining({ number: null, path: list })]);
    expect(await readErasures(to)).toBeNull();
  });
  const flipped = (text: Buffer) => Buffer.from(text.map((byte, at) => (at === 70 ? byte ^ 1 : byte)));
  let short = '';
  beforeAll(async () => {
    const to = join(place, 'short');
    await cp(folder(), to, { recursive: true });
    await rm(join(to, list));
    const { recordErasures } = await import('#backup/server/erasure-list.ts');
    const { readIndex } = await import('#backup/server/copy-layout.ts');
    const [index, erasures] = [await readIndex(to), await readErasures(folder())];
    if (index && erasures) await recordErasures(to, index, erasures.slice(0, 1));
    short = await readFile(join(to, list), 'utf8');
  });
  const shorter = () => short;
});

test('a shop from a copy of before erases them again before it serves, and the open order once it has ended', async () => {
  const database = await createTestDatabase('template1');
  const [first] = await listCopies(folder());
  if (!first?.manifest) throw new Error('There is no copy.');
  const open = ({ path }: { path: string }) => {
    const { stream, found } = createByteMeter();
    const parts = [createReadStream(join(folderOfCopy(folder(), 1), path)), createGunzip(), stream] as const;
    return { parts, found };
  };
  const { manifest } = first;
  const erasures = (await readErasures(folder())) ?? [];
  await loadCopyRows(database.config, manifest, open, (db) => holdRestoredShop(db, manifest, new Date(), erasures));
  // The clock of tests stands on a Saturday evening.
  await database.db.updateTable('erasures').set({ due_at: app.clock.now }).execute();
  const shop = await startAppOn(database, app.shop);
  try {
    const nameOf = async (id?: string) =>
      (await shop.request('GET', `/v1/orders/${id}`, { token: admin })).body.data.contact.name;
    expect(await nameOf(erased.order)).toBe('');
    expect((await shop.request('GET', `/v1/customers/${erased.person}`, { token: admin })).status).toBe(404);
    expect(await nameOf(erased.open)).toBe('Olga Open');
    expect((await end(erased.open, shop)).status).toBe(200);
    shop.clock.now = new Date(shop.clock.now.getTime() + 11 * 60_000);
    await expect.poll(() => nameOf(erased.open), soon).toBe('');
    expect(
      await database.db.selectFrom('mails').select('kind').where('kind', '=', 'account_deleted').execute(),
    ).toEqual([]);
    expect((await shop.request('GET', '/v1/restored', { token: admin })).body.data.continued_at).toBeNull();
  } finally {
    await shop.close();
  }
});
