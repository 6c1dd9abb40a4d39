import { randomUUID, createHash } from 'node:crypto';
import { sql } from 'kysely';
import { Migrator } from 'kysely/migration';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { hashPassword } from '#accounts/server/hash-password.ts';
import type { Db } from '#database/schema.ts';
import { migrate } from '#database/migrate.ts';
import * as firstShop from '#database/migrations/001-first-shop.ts';
import { allAllergensAbsent } from '#menu/allergen-answers.ts';
import { seedSmallShop, type SmallShop } from '#testing/small-shop.ts';
import { startAppOn, type TestApp } from '#testing/test-app.ts';
import { createTestDatabase } from '#testing/test-database.ts';

const owner = { id: randomUUID(), email: 'owner@example.com', password: 'correct horse', token: 'an-old-token' };
const ada = { id: randomUUID(), email: 'ada@example.com', token: 'another-old-token' };
const orders = { open: randomUUID(), sold: randomUUID(), card: randomUUID() };
const sessions = { [orders.open]: randomUUID(), [orders.sold]: randomUUID(), [orders.card]: randomUUID() };
const taken = randomUUID();

type Rows = Record<string, Record<string, unknown>[]>;
let app: TestApp;
let shop: SmallShop;
let before: Rows;
let after: Rows;

beforeAll(async () => {
  const database = await createTestDatabase('template1');
  const { db } = database;
  const first = new Migrator({ db, provider: { getMigrations: async () => ({ '001-first-shop': firstShop }) } });
  const { error } = await first.migrateToLatest();
  if (error) throw error;
  shop = await seedSmallShop(db, {}, {});
  await seedTrade(db);
  before = await readAll(db);
  await migrate(db);
  after = await readAll(db);
  app = await startAppOn(database, shop);
});
afterAll(() => app.close());

describe('a database of the first version, brought to today', () => {
  test('had something to lose', () => {
    const full = Object.entries(before).filter(([, rows]) => rows.length > 0);
    const names = full.map(([name]) => name);
    expect(names).toEqual(
      expect.arrayContaining(['stores', 'users', 'sign_ins', 'menus', 'items', 'options', 'orders', 'order_history']),
    );
    expect(names).toEqual(expect.arrayContaining(['payments', 'prints', 'order_numbers', 'audit_log']));
  });

  test('has every row and every value it had', () => {
    for (const [table, rows] of Object.entries(before)) {
      expect(after[table], table).toHaveLength(rows.length);
      const same = rows.map((row): unknown => expect.objectContaining(asToday(row)));
      expect(after[table], table).toEqual(expect.arrayContaining(same));
    }
  });

  test('the dish of which nobody had answered the fourteen allergens keeps its answers, and is not stated', () => {
    const chips = after['items']?.find(({ id }) => id === shop.chips);
    expect([chips?.['allergens'], chips?.['allergen_answers']]).toEqual([null, allAllergensAbsent]);
  });

  test('an order that nobody has answered keeps what its slowest dish takes', () => {
    const minutes = after['orders']?.map((row) => [row['id'], row['prep_minutes']]);
    expect(Object.fromEntries(minutes ?? [])).toEqual({ [orders.open]: 40, [orders.sold]: 0, [orders.card]: 0 });
  });

  test('has the money that was taken in the journal of movements', () => {
    const moved = after['payment_movements']?.map((row) => [row['payment_id'], row['kind'], row['amount']]);
    expect(moved).toEqual([[taken, 'captured', 1250]]);
  });

  test('takes the same once more, and changes nothing', async () => {
    await migrate(app.database.db);
    const now = await readAll(app.database.db);
    // The start encrypts sessions meanwhile.
    const rest = (rows: Rows) =>
      rows['orders']?.map(({ session: _session, session_sealed: _sealed, ...order }) => order);
    expect(rest(now)).toEqual(expect.arrayContaining(rest(after) ?? []));
    expect(now['orders']).toHaveLength(after['orders']?.length ?? 0);
    expect(now['payment_movements']).toEqual(after['payment_movements']);
  });

  test('lets its people in, with their passwords and the sign-ins they had', async () => {
    const { email, password } = owner;
    const signedIn = await app.request('POST', '/v1/auth/login', { body: { email, password } });
    expect([signedIn.status, signedIn.body.user?.role]).toEqual([200, 'admin']);
    const customer = await app.request('GET', '/v1/auth/user', { token: ada.token });
    expect(customer.body.data).toMatchObject({ id: ada.id, phone: '07700 900123', allergies: ['milk'] });
  });

  test('shows the menu and the orders of old', async () => {
    const menu = await app.request('GET', `/v1/menus/store/${shop.storeId}?include=related`);
    const items = menu.body.data[0].categories[0].items;
    expect(items.map(({ name }: { name: string }) => name)).toEqual(['Margherita', 'Chips']);
    expect(items[0].option_groups).toHaveLength(2);
    const own = await app.request('GET', '/v1/orders', { token: ada.token });
    expect(own.body.data.map(({ id }: { id: string }) => id)).toEqual([orders.sold]);
    expect(own.body.data[0]).toMatchObject({ status: 'collected', total: 1250, lines: [{ name: 'Margherita' }] });
    const exported = await app.request('GET', '/v1/auth/user/export', { token: ada.token });
    expect(exported.status).toBe(200);
    const byDay = await app.request('GET', '/v1/orders?start_date=2026-11-20&end_date=2026-11-20', {
      token: owner.token,
    });
    expect(byDay.body.data.map(({ id }: { id: string }) => id)).toEqual([orders.sold]);
  });

  test('goes on with an order that was open, and numbers the next one behind it', async () => {
    const placed = await app.request('POST', '/v1/orders', { body: app.orderBody() });
    expect([placed.status, placed.body.data.number]).toEqual([201, '8']);
    for (const [call, status] of [
      ['accept', 'accepted'],
      ['packed', 'packed'],
      ['collected-by-customer', 'collected'],
    ]) {
      const moved = await app.request('POST', `/v1/orders/${orders.open}/${call}`, { token: owner.token, body: {} });
      expect([moved.status, moved.body.data?.status]).toEqual([200, status]);
    }
    const receipts = await app.request('GET', `/v1/orders/${orders.open}/receipts`, { token: owner.token });
    expect(receipts.body.data).toHaveLength(2);
    expect(JSON.stringify(receipts.body.data)).toContain('Margherita');
  });

  test('has the sessions of its orders encrypted only, and shows the orders for them', async () => {
    const inClear = () => app.database.db.selectFrom('orders').select('id').where('session', 'is not', null).execute();
    await expect.poll(inClear, { timeout: 60_000 }).toEqual([]);
    for (const id of [orders.open, orders.sold]) {
      const session = sessions[id] ?? '';
      const headers = { 'x-order-session': session };
      for (const path of [`/v1/orders/${id}`, '/v1/orders/session/own']) {
        const read = await app.request('GET', path, { headers });
        expect(read.body, path).toMatchObject({ data: { id, session, contact: { email: ada.email } } });
      }
    }
  });

  test('takes changes to the menu', async () => {
    const path = `/v1/items/${shop.pizza}`;
    const changed = await app.request('PATCH', path, { body: { price: 999 }, token: owner.token });
    expect([changed.status, changed.body.data?.price]).toEqual([200, 999]);
    const kept = await app.request('GET', `/v1/orders/${orders.sold}`, { token: owner.token });
    expect(kept.body.data.lines[0].unit_price).toBe(1250);
  });
});

/** People, sign-ins and orders, written with the first version's own columns, without any of today's code. */
async function seedTrade(db: Db): Promise<void> {
  const hash = await hashPassword(owner.password);
  await sql`insert into users (id, name, email, phone, role, password_hash, allergies) values
    (${owner.id}, 'Olga Owner', ${owner.email}, '', 'admin', ${hash}, '{}'),
    (${ada.id}, 'Ada Byron', ${ada.email}, '07700 900123', 'customer', ${hash}, '{milk}')`.execute(db);
  for (const { id, token } of [owner, ada]) {
    const digest = createHash('sha256').update(token).digest();
    await sql`insert into sign_ins (id, token_hash, user_id, user_agent, created_at, last_used_at, expires_at)
      values (${randomUUID()}, ${digest}, ${id}, 'Old browser', '2026-11-20T10:00Z', '2026-11-21T17:30Z', '2026-12-20T10:00Z')`.execute(
      db,
    );
  }
  const line = {
    id: randomUUID(),
    item_id: shop.pizza,
    name: 'Margherita',
    kitchen_name: null,
    quantity: 1,
    unit_price: 1250,
    options: [
      {
        option_group_id: shop.size.group,
        option_id: shop.size.large,
        group_name: 'Size',
        name: 'Large',
        quantity: 1,
        price: 300,
      },
    ],
    note: 'Well done',
    vat_rate: 2000,
    allergens: { contains: ['gluten', 'milk'], may_contain: [] },
    total: 1250,
  };
  await sql`update items set prep_minutes = 40 where id = ${shop.pizza}`.execute(db);
  const rows = [
    { id: orders.sold, day: '2026-11-20', number: 31, status: 'collected', paid: 'paid', how: 'cash', who: ada.id },
    { id: orders.card, day: '2026-11-21', number: 6, status: 'cancelled', paid: 'released', how: 'card', who: null },
    { id: orders.open, day: '2026-11-21', number: 7, status: 'placed', paid: 'unpaid', how: 'cash', who: null },
  ];
  for (const { id, day, number, status, paid, how, who } of rows) {
    const at = `${day}T17:55:00Z`;
    const isOver = status !== 'placed';
    await sql`insert into orders (id, store_id, trading_day, number, channel, placed_by, customer_id, session,
        request_hash, status, payment_status, payment_method, fulfilment_type, contact, lines, subtotal, total, vat,
        created_at, placed_at, completed_at, closed_at, answer_by)
      values (${id}, ${shop.storeId}, ${day}, ${number}, 'web', ${who}, ${who}, ${sessions[id]}, '\\x00', ${status},
        ${paid}, ${how}, 'collection', ${JSON.stringify({ name: 'Ada Byron', phone: '07700 900123', email: ada.email })},
        ${JSON.stringify([line])}, 1250, 1250, ${JSON.stringify([{ rate: 2000, net: 1042, vat: 208 }])}, ${at}, ${at},
        ${status === 'collected' ? at : null}, ${isOver ? at : null}, ${isOver ? null : '2026-11-21T18:05:00Z'})`.execute(
      db,
    );
    await sql`insert into order_history (order_id, version, to_status, actor, actor_id, at)
      values (${id}, 1, 'placed', ${who ? 'customer' : 'guest'}, ${who}, ${at})`.execute(db);
    await sql`insert into order_numbers (store_id, trading_day, last_number) values (${shop.storeId}, ${day}, ${number})
      on conflict (store_id, trading_day) do update set last_number = excluded.last_number`.execute(db);
  }
  const then = '2026-11-21T17:55:00Z';
  await sql`insert into payments (id, order_id, provider, status, amount, currency, reference, created_at, updated_at)
    values (${randomUUID()}, ${orders.card}, 'sandbox', 'released', 1250, 'GBP', 'sb_old', ${then}, ${then}),
      (${taken}, ${orders.card}, 'sandbox', 'captured', 1250, 'GBP', 'sb_taken', ${then}, ${then})`.execute(db);
  await sql`insert into prints (id, store_id, order_id, copy, status, due_at, source, created_at, printed_at)
    values (${randomUUID()}, ${shop.storeId}, ${orders.sold}, 'kitchen', 'printed', ${then}, '{}', ${then}, ${then})`.execute(
    db,
  );
  await sql`insert into audit_log (id, at, actor_id, actor, role, store_id, action, request_id) values
    (${randomUUID()}, ${then}, ${owner.id}, 'Olga Owner', 'admin', ${shop.storeId}, 'POST /v1/items', 'r')`.execute(db);
}

/** Fourteen times "no" is not stated until the owner confirms it, but for the demo's own; browsers fetch the menu anew. */
function asToday({ version, ...row }: Record<string, unknown>): Record<string, unknown> {
  const isNone = JSON.stringify(row['allergens']) === JSON.stringify({ contains: [], may_contain: [] });
  const isAssumed = isNone && row['name'] !== 'Large';
  return {
    ...row,
    ...(isAssumed && { allergens: null }),
    ...('slug' in row || version === undefined ? {} : { version }),
  };
}

/** Every row of every table of ours. */
async function readAll(db: Db): Promise<Rows> {
  const { rows: tables } = await sql<{ name: string }>`
    select table_name as name from information_schema.tables
    where table_schema = 'public' and table_name not like 'kysely%' order by 1`.execute(db);
  const read = tables.map(async ({ name }) => {
    const { rows } = await sql<Record<string, unknown>>`select * from ${sql.table(name)}`.execute(db);
    return [name, rows] as const;
  });
  return Object.fromEntries(await Promise.all(read));
}
