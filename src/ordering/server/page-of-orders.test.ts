import { sql } from 'kysely';
import * as fc from 'fast-check';
import pg from 'pg';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { buildLargeIndexes } from '#database/indexes.ts';
import { withStatementTimeout } from '#database/transaction.ts';
import { doneStatuses } from '#ordering/order-status.ts';
import { slowDraws } from '#testing/draws.ts';
import { addUser } from '#testing/users.ts';
import { saturdayEvening, seedSmallShop } from '#testing/small-shop.ts';
import { startTestApp, type TestApp } from '#testing/test-app.ts';

/** More than are counted. */
const many = 10_040;
const lists = ['/v1/orders', '/v1/payments'] as const;

let app: TestApp;
let admin: string;
let other: string;
let customer: string;
beforeAll(async () => {
  app = await startTestApp();
  admin = await app.signIn('admin');
  other = (await seedSmallShop(app.database.db)).storeId;
  customer = (await addUser(app.database.db, 'customer')).id;
  await withStatementTimeout(60_000, async () => {
    await addPast(app.shop.storeId, many, 'a');
    await addPast(other, 300, 'b');
    await sql`analyze`.execute(app.database.db);
  });
});
afterAll(() => app.close());

/** Orders of many days, several at the same moment, of every status. */
async function addPast(storeId: string, count: number, salt: string): Promise<void> {
  await sql`
    insert into orders (id, store_id, trading_day, number, channel, customer_id, session, request_hash, status, payment_status,
      payment_method, fulfilment_type, contact, lines, subtotal, total, vat, created_at, reject_reason)
    select overlay(overlay(md5(${salt}::text || i) placing '4' from 13) placing '8' from 17)::uuid, ${storeId}, date '2026-11-21' - i / 40, 1000 + i % 40, 'web',
      case when i % 50 = 0 then ${customer}::uuid end, gen_random_uuid(), decode('00', 'hex'),
      (array['delivered', 'collected', 'delivered', 'rejected', 'cancelled', 'expired', 'collected'])[1 + i % 7],
      (array['paid', 'paid', 'refunded', 'unpaid'])[1 + i % 4], 'cash', 'collection',
      jsonb_build_object('name', (array['Ada Byron', 'Bo Li', 'Zoë Żak'])[1 + i % 3], 'phone', '07700 9' || lpad((i % 200)::text, 5, '0'), 'email', ''),
      '[]', 100, 100, '[]', (date '2026-11-21' - i / 40) + interval '13 hours' + make_interval(mins => i % 40 / 4),
      case when i % 7 = 3 then case when i % 3 = 0 then 'not_answered' else 'too_busy' end end
    from generate_series(0, ${count}::int - 1) as i`.execute(app.database.db);
}

async function get(path: string) {
  const { status, body } = await app.request('GET', path, { token: admin });
  expect(status, JSON.stringify(body)).toBe(200);
  return body;
}

/** The ids of every page, following `links.next`. */
async function walk(path: string, between: () => Promise<unknown> = async () => {}): Promise<string[]> {
  const found: string[] = [];
  for (let next: string | null = path; next !== null;) {
    const body = await get(next);
    found.push(...body.data.map((row: { id?: string; order_id?: string }) => row.id ?? row.order_id));
    next = body.links.next;
    await between();
  }
  return found;
}

describe('a list longer than is counted', () => {
  test.each(lists)('%s says how far it counted, and ends its pages there', async (path) => {
    const body = await get(`${path}?store_id=${app.shop.storeId}&per_page=50`);
    expect(body.meta).toMatchObject({ total: 10_000, total_is_exact: false, last_page: 200 });
    const exact = await get(`${path}?store_id=${other}&per_page=50`);
    expect(exact.meta).toMatchObject({ total: 300, total_is_exact: true, last_page: 6 });
  });

  test.each(lists)('%s is read to its end by links.next, each order once', async (path) => {
    const found = await walk(`${path}?store_id=${app.shop.storeId}&per_page=200`);
    expect(found).toHaveLength(many);
    expect(new Set(found).size).toBe(many);
  });

  test('a page by its number is the same page as by its key, also beyond what is counted', async () => {
    const path = `/v1/orders?store_id=${app.shop.storeId}&per_page=200`;
    const all = await walk(path);
    for (const page of [2, 50, 51]) {
      const { data, meta } = await get(`${path}&page=${page}`);
      expect(data.map(({ id }: { id: string }) => id)).toEqual(all.slice((page - 1) * 200, page * 200));
      expect(meta).toMatchObject({ current_page: page, from: (page - 1) * 200 + 1 });
    }
  });

  test('orders that come meanwhile move nothing from one page to the next', async () => {
    const path = `/v1/orders?store_id=${other}&per_page=60`;
    const before = await walk(path);
    const place = () => app.request('POST', '/v1/orders', { body: app.orderBody({ store_id: other }) });
    expect(await walk(path, place)).toEqual(before);
  });

  test('a key that no answer contained is refused in words', async () => {
    for (const after of ['x', 'WzFd', Buffer.from('["2026-01-01","now()","x"]').toString('base64url')]) {
      const { status, body } = await app.request('GET', `/v1/orders?after=${after}`, { token: admin });
      expect([status, body.errors.after]).toEqual([
        422,
        ['This page of the list is not known. Begin with the first page.'],
      ]);
    }
  });
});

test('whatever is asked for, the list has those orders, newest first, and counts them', async () => {
  const optional = <T>(of: fc.Arbitrary<T>) => fc.option(of, { nil: undefined });
  const filter = fc.record({
    store_id: optional(fc.constantFrom(app.shop.storeId, other)),
    customer_id: optional(fc.constant(customer)),
    status: optional(fc.uniqueArray(fc.constantFrom(...doneStatuses), { minLength: 1, maxLength: 3 })),
    start_date: optional(fc.constantFrom('2026-03-01', '2026-11-10')),
    end_date: optional(fc.constantFrom('2026-11-15', '2026-11-20')),
    lost: optional(fc.constant('1')),
    search: optional(
      fc.constantFrom('byron', 'żak', 'ZOË Ż', '1007', '#1012', '900012', '07700 900012', '77009', 'none'),
    ),
    page: fc.constantFrom(1, 2),
  });
  await fc.assert(
    fc.asyncProperty(filter, async ({ page, ...wanted }) => {
      const given = Object.entries(wanted).filter(([, value]) => value !== undefined);
      const query = new URLSearchParams(given.map(([name, value]) => [name, String(value)]));
      const body = await get(`/v1/orders?per_page=7&page=${page}&${query}`);
      const expected = await naive(wanted);
      expect(body.data.map(({ id }: { id: string }) => id)).toEqual(expected.slice((page - 1) * 7, page * 7));
      expect(body.meta).toMatchObject({
        total: Math.min(expected.length, 10_000),
        total_is_exact: expected.length <= 10_000,
      });
    }),
    { numRuns: slowDraws },
  );
}, 120_000);

/** The same by one plain statement over all orders. */
async function naive(wanted: Record<string, unknown>): Promise<string[]> {
  const search = typeof wanted['search'] === 'string' ? wanted['search'].replace('#', '').toLowerCase() : '';
  const digits = /^[\d ]{4,}$/.test(search) ? search.replaceAll(' ', '').replace(/^0/, '') : null;
  const { rows } = await sql<{ id: string }>`
    select id from orders
    where (${wanted['store_id'] ?? null}::uuid is null or store_id = ${wanted['store_id'] ?? null}::uuid)
      and (${wanted['customer_id'] ?? null}::uuid is null or customer_id = ${wanted['customer_id'] ?? null}::uuid)
      and (${wanted['status'] ?? null}::text[] is null or status = any(${wanted['status'] ?? null}::text[]))
      and trading_day between ${wanted['start_date'] ?? '2000-01-01'} and ${wanted['end_date'] ?? '2100-01-01'}
      and (${wanted['lost'] ?? null}::text is null
        or status = 'rejected' and reject_reason = 'not_answered' and followed_up is null)
      and (${search} = '' or position(${search} in lower(contact->>'name')) > 0 or number::text = ${search}
        or position(${digits} in substr(replace(contact->>'phone', ' ', ''), 2)) > 0)
    order by trading_day desc, created_at desc, id desc`.execute(app.database.db);
  return rows.map(({ id }) => id);
}

describe('a letter or two', () => {
  test('are searched among the last days, and the answer says so', async () => {
    app.clock.now = saturdayEvening;
    const few = await get('/v1/orders?search=bo&per_page=200');
    expect(few.meta.searched_days).toBe(7);
    expect(few.data.every(({ contact }: { contact: { name: string } }) => contact.name === 'Bo Li')).toBe(true);
    const { rows } = await sql<{ count: number }>`
      select count(*)::int from orders where contact->>'name' = 'Bo Li' and trading_day >= '2026-11-14'`.execute(
      app.database.db,
    );
    expect(few.meta.total).toBe(rows[0]?.count);
    expect((await get('/v1/orders?search=bo+li&per_page=1')).meta.searched_days).toBe(7);
    expect((await get('/v1/orders?search=byron&per_page=1')).meta.searched_days).toBeNull();
  });

  test('a number of two digits is found whenever it was', async () => {
    const { rows } =
      await sql`update orders set number = 12 where store_id = ${other} and trading_day = '2026-11-14' and number = 1019 returning id`.execute(
        app.database.db,
      );
    expect(rows).toHaveLength(1);
    const { data } = await get(`/v1/orders?search=12&store_id=${other}`);
    expect(data).toMatchObject([{ number: '12' }]);
  });
});

test('without the index of words they are searched among the last 90 days, also while it is being made', async () => {
  const days = async () => {
    const { meta, data } = await get('/v1/orders?search=byron&per_page=1');
    expect(data).toHaveLength(1);
    return meta.searched_days;
  };
  const { db } = app.database;
  expect(await days()).toBeNull();
  await sql`drop index order_names_folded`.execute(db);
  expect(await days()).toBe(90);
  await db.transaction().execute(async (writing) => {
    await sql`insert into order_names (name) values ('New')`.execute(writing);
    // It waits for that transaction, and is left unfinished.
    const client = new pg.Client({ ...app.database.config, statement_timeout: 300 });
    await client.connect();
    const make = 'create index concurrently order_names_folded on order_names using gin (fold_text(name) gin_trgm_ops)';
    await expect(client.query(make)).rejects.toThrow(/timeout/);
    await client.end();
  });
  expect(await days()).toBe(90);
  await buildLargeIndexes(db, console);
  expect(await days()).toBeNull();
});
