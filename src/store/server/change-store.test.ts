import { glob, readFile } from 'node:fs/promises';
import pg from 'pg';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Tx } from '#database/schema.ts';
import { changeWithEffects } from '#database/transaction.ts';
import { addOutboxEntry } from '#realtime/server/outbox.ts';
import { changeStore, shopChangedChannel } from '#store/server/change-store.ts';
import { untilWaiting } from '#testing/database-waits.ts';
import { seedSmallShop, type SmallShop } from '#testing/small-shop.ts';
import { createTestDatabase, type TestDatabase } from '#testing/test-database.ts';

let database: TestDatabase;
let shop: SmallShop;
let listener: pg.Client;
let notified: string[];
let forgotten: [string, number][];
beforeAll(async () => {
  database = await createTestDatabase();
  shop = await seedSmallShop(database.db);
  listener = new pg.Client(database.config);
  await listener.connect();
  listener.on('notification', ({ payload = '' }) => notified.push(payload));
  await listener.query(`listen ${shopChangedChannel}`);
});
afterAll(async () => {
  await listener.end();
  await database.close();
});

const log = { error: () => {} };
const services = {
  menus: { forget: (id: string, version: number) => void forgotten.push([id, version]) },
  outbox: { add: addOutboxEntry, wake: () => {} },
};
const change = (what: 'store' | 'menu', write: (tx: Tx) => Promise<unknown>) =>
  changeWithEffects({ db: database.db, log }, (tx, afterCommit) =>
    changeStore(services, { db: tx, afterCommit }, shop.storeId, what, write),
  );
const readVersion = async () => {
  const row = await database.db
    .selectFrom('stores')
    .select('version')
    .where('id', '=', shop.storeId)
    .executeTakeFirst();
  return row?.version ?? 0;
};
const begin = () => {
  notified = [];
  forgotten = [];
};
const readOwed = () => database.db.deleteFrom('outbox').returning(['event', 'subject_id']).execute();

test('of two who write at once the second waits, and each has a version, a notification and an event', async () => {
  begin();
  const before = await readVersion();
  const steps: string[] = [];
  const { promise: held, resolve: release } = Promise.withResolvers<void>();
  const first = change('menu', async (tx) => {
    steps.push('first writes');
    await held;
    await tx.updateTable('items').set({ name: 'Thin chips' }).where('id', '=', shop.chips).execute();
  });
  await expect.poll(() => steps).toHaveLength(1);
  const second = change('store', async (tx) => {
    const item = await tx.selectFrom('items').select('name').where('id', '=', shop.chips).executeTakeFirst();
    steps.push(`second reads ${item?.name}`);
  });
  await untilWaiting(database.db);
  release();
  await Promise.all([first, second]);
  expect(steps).toEqual(['first writes', 'second reads Thin chips']);
  expect(await readVersion()).toBe(before + 2);
  const versions = [before + 1, before + 2];
  await expect.poll(() => notified).toEqual(versions.map((version) => `${shop.storeId} ${version}`));
  expect(forgotten.toSorted(([, a], [, b]) => a - b)).toEqual(versions.map((version) => [shop.storeId, version]));
  const owed = (await readOwed()).map(({ event }) => event);
  expect(owed.toSorted()).toEqual(['menu.updated', 'store.updated']);
});

test('a write that is refused leaves nothing behind', async () => {
  begin();
  const before = await readVersion();
  await expect(change('menu', () => Promise.reject(new Error('refused')))).rejects.toThrow('refused');
  expect([await readVersion(), forgotten, await readOwed()]).toEqual([before, [], []]);
});

test('a change that waited while its store was deleted is refused', async () => {
  begin();
  const gone = await seedSmallShop(database.db);
  const deletion = await database.db.startTransaction().execute();
  const deleted = { deleted_at: new Date(), slug: `deleted-${gone.storeId}` };
  await deletion.updateTable('stores').set(deleted).where('id', '=', gone.storeId).execute();
  const changing = changeWithEffects({ db: database.db, log }, (tx, afterCommit) =>
    changeStore(services, { db: tx, afterCommit }, gone.storeId, 'menu', async () => {}),
  );
  const refusal = changing.catch((error: unknown) => error);
  await untilWaiting(database.db);
  await deletion.commit().execute();
  expect(await refusal).toMatchObject({ code: 'not_found' });
  expect([forgotten, await readOwed()]).toEqual([[], []]);
});

test('several changes in one transaction are announced once', async () => {
  begin();
  const before = await readVersion();
  const firsts: boolean[] = [];
  await changeWithEffects({ db: database.db, log }, async (tx, afterCommit) => {
    const call = { db: tx, afterCommit, announced: new Set<string>() };
    for (let turn = 0; turn < 3; turn += 1) {
      await changeStore(services, call, shop.storeId, 'menu', async (_tx, isFirst) => void firsts.push(isFirst));
    }
  });
  expect(firsts).toEqual([true, false, false]);
  expect([await readVersion(), forgotten]).toEqual([before + 1, [[shop.storeId, before + 1]]]);
  expect(await readOwed()).toHaveLength(1);
});

const tables =
  'stores|menus|categories|category_items|items|item_option_groups|option_groups|option_group_options|options';
const writes = new RegExp(
  `(insertInto|updateTable|deleteFrom)\\(\\s*'(${tables})'|(insert into|update|delete from) (${tables})\\b`,
  'i',
);
/** Only these domains may name the tables: `table-owners.test.ts`. */
const owners = /^src\/(menu|store)\//;
const writesVariable = /(insert into|update|delete from) \$\{(table|sql\.table)/i;

test('nothing else counts the version, sends the notification, owes the event, or writes beside it', async () => {
  const found: Record<string, string[]> = { version: [], notification: [], event: [], write: [] };
  for await (const file of glob('src/**/*.ts')) {
    if (/\.test\.ts$|\/testing[./]|messages\.gen|migrations|embedded/.test(file)) continue;
    const text = await readFile(file, 'utf8');
    if (/update stores\b/i.test(text)) found['version']?.push(file);
    if (/shopChangedChannel|hatch_shop_changed/.test(text)) found['notification']?.push(file);
    if (/outbox\.add\([^)]*(store|menu)\.updated/s.test(text) || /topic: '(store|menu)'/.test(text))
      found['event']?.push(file);
    // The parts of a write are given the transaction by `changeStore`.
    const isPart = /src\/menu\/server\/editing\/(insert-parts|menu-bin|write-difference)\.ts$/.test(file);
    const isWriting = writes.test(text) || (owners.test(file) && writesVariable.test(text));
    if (isWriting && !isPart && !/\b(changeStore|createStore|changeMenu)\(/.test(text)) found['write']?.push(file);
  }
  for (const files of Object.values(found)) files.sort();
  expect(found).toEqual({
    version: ['src/store/server/change-store.ts'],
    notification: ['src/shop/server/shop-cache.ts', 'src/store/server/change-store.ts'],
    event: [],
    write: [],
  });
});
