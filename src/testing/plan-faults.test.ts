import { sql } from 'kysely';
import pg from 'pg';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { withStatementTimeout } from '#database/transaction.ts';
import { fillShop } from '#testing/fill-history.ts';
import { planFaults, readsGrowing } from '#testing/plan-faults.ts';
import { seedSmallShop } from '#testing/small-shop.ts';
import { createTestDatabase, type TestDatabase } from '#testing/test-database.ts';

let database: TestDatabase;
let client: pg.Client;
beforeAll(async () => {
  database = await createTestDatabase();
  const { storeId } = await seedSmallShop(database.db);
  await withStatementTimeout(60_000, () =>
    fillShop(database.pool, { storeId, orders: 2_000, days: 200, lastDay: '2026-11-20' }),
  );
  client = new pg.Client(database.config);
  await client.connect();
});
afterAll(async () => {
  await client.end();
  await database.drop();
});

const faults = (text: string, values: string[] = []) => planFaults(client, { text, values, from: 'here' });

describe('a statement is refused', () => {
  test.each([
    ['that has no index to use', `select id from orders where note = 'x'`, 'It reads orders from end to end.'],
    ['that sorts all rows for a few', 'select id from orders order by total limit 5', 'orders from end to end'],
    ['that counts every row', 'select count(*) from audit_log', 'audit_log along'],
    [
      'that goes along an index until a row fits',
      `select id from audit_log where request_id = 'x' order by at desc, id desc limit 1`,
      'without a condition for',
    ],
    ['that changes every row', 'update users set name = name', 'users'],
    [
      'that only joins all rows',
      'select count(*) from refund_requests r join orders o on o.id = r.order_id',
      'refund_requests',
    ],
    ['that does not exist', 'select nothing from orders', 'cannot be explained'],
  ])('%s', async (_, text, words) => {
    expect((await faults(text)).join(' ')).toContain(words);
  });
});

describe('a statement passes', () => {
  test.each([
    ['by a key', 'select * from orders where id = $1', ['5f0f8a52-0000-4000-8000-000000000000']],
    ['that reads the first rows of an index', 'select id from audit_log order by at desc, id desc limit 20', []],
    [
      'that reads what is open',
      `select id from orders where status in ('placed', 'accepted') and status <> 'expired'`,
      [],
    ],
    [
      'that writes a row',
      'insert into order_numbers (store_id, trading_day, last_number) values ($1, $2, 1)',
      ['5f0f8a52-0000-4000-8000-000000000000', '2026-11-21'],
    ],
    ['of a small table', 'select * from stores', []],
  ])('%s', async (_, text, values) => {
    expect(await faults(text, values)).toEqual([]);
  });
});

test('what is looked at names a table that grows, and is no command', () => {
  expect(readsGrowing({ text: '/* prepared */ select 1 from orders' })).toBe(true);
  expect(readsGrowing({ text: '\n  with x as (select 1) select * from users' })).toBe(true);
  for (const text of ['begin', 'select 1', 'create table orders ()', 'select * from stores']) {
    expect(readsGrowing({ text })).toBe(false);
  }
});

test('nothing that is looked at is done', async () => {
  await faults('delete from orders where id is not null');
  const { rows } = await sql<{ count: number }>`select count(*)::int from orders`.execute(database.db);
  expect(rows[0]?.count).toBe(2_000);
});
