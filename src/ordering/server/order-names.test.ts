import { sql } from 'kysely';
import pg from 'pg';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { migrate } from '#database/migrate.ts';
import { deleteUnusedCustomerNames } from '#ordering/server/erase-guests.ts';
import { startTestApp, type TestApp } from '#testing/test-app.ts';

let app: TestApp;
let admin: string;
let [one, other]: pg.Client[] = [];
beforeAll(async () => {
  app = await startTestApp();
  admin = await app.signIn('admin');
  [one, other] = [new pg.Client(app.database.config), new pg.Client(app.database.config)];
  await Promise.all([one.connect(), other.connect()]);
  await sql`create sequence test_numbers`.execute(app.database.db);
  // Whoever waits for another here fails.
  for (const each of [one, other]) await each.query(`set lock_timeout = '2s'`);
});
afterAll(async () => {
  await Promise.all([one?.end(), other?.end()]);
  await app.close();
});
afterEach(() => Promise.all([one?.query('rollback'), other?.query('rollback')]));

/** As a program writes them that knows nothing of the names. */
const place = (client: pg.Client | undefined, names: readonly string[]) =>
  client?.query(
    `insert into orders (id, store_id, trading_day, number, channel, session, request_hash, status, payment_status,
       payment_method, fulfilment_type, contact, lines, subtotal, total, vat, created_at)
     select gen_random_uuid(), $1, '2026-11-20', nextval('test_numbers'), 'phone', gen_random_uuid(), '\\x00', 'collected', 'paid', 'cash', 'collection',
       jsonb_build_object('name', name, 'phone', '', 'email', ''), '[]', 100, 100, '[]', now()
     from unnest($2::text[]) as each (name)`,
    [app.shop.storeId, names],
  );
const forget = (client: pg.Client | undefined, name: string) =>
  client?.query(`update orders set contact = '{"name": "", "phone": "", "email": ""}' where contact->>'name' = $1`, [
    name,
  ]);
const kept = async (name: string) => {
  const { rows } = await sql<{ count: number }>`
    select count(*)::int as count from order_names where name = ${name}`.execute(app.database.db);
  return rows[0]?.count ?? 0;
};
const found = async (name: string): Promise<number> =>
  (await app.request('GET', `/v1/orders?search=${name}`, { token: admin })).body.meta.total;
/** Names of orders that are not kept, and kept ones without an order. */
const wrong = async () => {
  const { rows } = await sql`
    select name from (select distinct name from order_search where name <> '') s full join (select distinct name from order_names) n
      using (name) where s is null or n is null`.execute(app.database.db);
  return rows;
};

describe('the names of orders', () => {
  test('are kept once, and forgotten when the last order has lost them', async () => {
    for (const times of [1, 2]) {
      await app.request('POST', '/v1/orders', {
        body: app.orderBody({ contact: { name: 'Ulla Once', phone: '07700900123', email: '' } }),
      });
      expect(await found('ulla')).toBe(times);
    }
    expect(await kept('Ulla Once')).toBe(1);
    await sql`update orders set contact = jsonb_set(contact, '{name}', '"Ulla Twice"')
      where id = (select id from orders where contact->>'name' = 'Ulla Once' limit 1)`.execute(app.database.db);
    await deleteUnusedCustomerNames(app.database.db);
    expect([await kept('Ulla Once'), await kept('Ulla Twice'), await found('ulla')]).toEqual([1, 1, 2]);
    await forget(one, 'Ulla Once');
    expect(await found('ulla')).toBe(1);
    await sql`delete from orders where contact->>'name' = 'Ulla Twice'`.execute(app.database.db);
    await deleteUnusedCustomerNames(app.database.db);
    expect(await wrong()).toEqual([]);
    expect(await kept('Ulla Once')).toBe(0);
  });

  test('of a whole batch are kept, and an empty one is none', async () => {
    await place(one, ['Batch A', 'Batch B', 'Batch A', '']);
    expect([await kept('Batch A'), await kept('Batch B'), await kept('')]).toEqual([1, 1, 0]);
    expect(await found('batch')).toBe(3);
  });
});

describe('two at once', () => {
  test('place with the same new names, in any order, and neither waits', async () => {
    await one?.query('begin');
    await other?.query('begin');
    await place(one, ['Pia Pair', 'Quin Pair']);
    await place(other, ['Quin Pair', 'Pia Pair']);
    await other?.query('commit');
    await one?.query('commit');
    expect([await found('pia pair'), await found('quin pair')]).toEqual([2, 2]);
    await forget(one, 'Pia Pair');
    await forget(one, 'Quin Pair');
    await deleteUnusedCustomerNames(app.database.db);
    expect([await kept('Pia Pair'), await kept('Quin Pair')]).toEqual([0, 0]);
  });

  test('one places with a name while the last order that has it loses it', async () => {
    await place(one, ['Rob Race']);
    await one?.query('begin');
    await place(one, ['Rob Race']);
    await other?.query(
      `update orders set contact = jsonb_set(contact, '{name}', '""') where contact->>'name' = 'Rob Race'`,
    );
    await deleteUnusedCustomerNames(app.database.db);
    await one?.query('commit');
    expect(await found('rob race')).toBe(1);
    await deleteUnusedCustomerNames(app.database.db);
    expect([await kept('Rob Race'), await wrong()]).toEqual([1, []]);
  });

  test('one places with a name and gives up, while the last order that has it loses it', async () => {
    await place(one, ['Sue Stop']);
    await one?.query('begin');
    await place(one, ['Sue Stop']);
    await forget(other, 'Sue Stop');
    await deleteUnusedCustomerNames(app.database.db);
    expect(await kept('Sue Stop')).toBe(1);
    await one?.query('rollback');
    await deleteUnusedCustomerNames(app.database.db);
    expect([await kept('Sue Stop'), await wrong()]).toEqual([0, []]);
  });

  test('one places with a name that is just being removed', async () => {
    await place(one, ['Tim Taken']);
    await forget(one, 'Tim Taken');
    await one?.query('begin');
    await one?.query(`select from order_names where name = 'Tim Taken' for update`);
    await place(other, ['Tim Taken']);
    await one?.query(`delete from order_names where name = 'Tim Taken' and id =
      (select min(id) from order_names where name = 'Tim Taken')`);
    await one?.query('commit');
    expect(await found('tim taken')).toBe(1);
    await deleteUnusedCustomerNames(app.database.db);
    expect([await kept('Tim Taken'), await wrong()]).toEqual([1, []]);
  });

  test('two forget the last two orders of a name', async () => {
    await place(one, ['Una Both', 'Una Both']);
    const { rows } =
      (await one?.query<{ id: string }>(`select id from orders where contact->>'name' = 'Una Both'`)) ?? {};
    const lose = (client: pg.Client | undefined, id = '') =>
      client?.query(`update orders set contact = jsonb_set(contact, '{name}', '""') where id = $1`, [id]);
    await one?.query('begin');
    await other?.query('begin');
    await lose(one, rows?.[0]?.id);
    await lose(other, rows?.[1]?.id);
    await one?.query('commit');
    await deleteUnusedCustomerNames(app.database.db);
    expect(await kept('Una Both')).toBe(1);
    await other?.query('commit');
    await deleteUnusedCustomerNames(app.database.db);
    expect(await kept('Una Both')).toBe(0);
  });

  test('whatever many do, every order is found by its name, and no other name is kept', async () => {
    const names = ['Vic Many', 'Wyn Many', 'Xia Many'];
    const busy = async (turn: number) => {
      const client = new pg.Client(app.database.config);
      await client.connect();
      for (let step = 0; step < 30; step += 1) {
        const name = names[(turn * 7 + step * 5) % 3] ?? '';
        if ((turn + step) % 3 > 0) {
          await client.query('begin');
          await place(client, [name, names[step % 3] ?? '']);
          await client.query((turn + step) % 5 === 0 ? 'rollback' : 'commit');
        } else {
          await client.query(
            `update orders set contact = jsonb_set(contact, '{name}', '""') where id in (
               select id from orders where contact->>'name' = $1 order by id for update skip locked)`,
            [name],
          );
          await deleteUnusedCustomerNames(app.database.db);
        }
      }
      await client.end();
    };
    await Promise.all([0, 1, 2, 3, 4, 5].map(busy));
    await deleteUnusedCustomerNames(app.database.db);
    expect(await wrong()).toEqual([]);
    const { rows } = await sql`select from order_names_left`.execute(app.database.db);
    expect(rows).toEqual([]);
  });
});

test('a database of an earlier release gets the names of all its orders', async () => {
  const { db } = app.database;
  await sql`drop trigger order_names_added on order_search`.execute(db);
  await sql`drop trigger order_names_changed on order_search`.execute(db);
  await sql`drop trigger order_names_removed on order_search`.execute(db);
  await sql`drop function keep_names_of_new_orders, keep_name_of_order, keep_order_names`.execute(db);
  await sql`drop table order_names, order_names_left`.execute(db);
  await place(one, ['Yan Early', 'Yan Early', 'Zed Early']);
  await sql`delete from kysely_migration where name in ('057-order-names', '058-fill-order-names')`.execute(db);
  await migrate(db);
  expect([await kept('Yan Early'), await kept('Zed Early'), await wrong()]).toEqual([1, 1, []]);
  await place(one, ['Zoe Later']);
  expect(await kept('Zoe Later')).toBe(1);
});
