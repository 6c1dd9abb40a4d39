import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { startTestApp, type TestApp } from '#testing/test-app.ts';
import { addUser } from '#testing/users.ts';

let app: TestApp;
let admin: string;
beforeAll(async () => {
  app = await startTestApp();
  admin = await app.signIn('admin');
});
afterAll(() => app.close());

const call = (method: string, path: string, body?: object, token = admin) =>
  app.request(method, path, { token, ...(body && { body }) });
const step = (id: string, name: string) => call('POST', `/v1/orders/${id}/${name}`, {});

async function customer() {
  const token = await app.signIn('customer');
  const id: string = (await call('GET', '/v1/auth/user', undefined, token)).body.data.id;
  const order = async () =>
    (await call('POST', '/v1/orders', app.orderBody(), token)).body.data as { id: string; total: number };
  const sums = async () => {
    const { orders, spent, last_order_at } = (await call('GET', `/v1/customers/${id}`)).body.data;
    return { orders, spent, hasOrdered: last_order_at !== null };
  };
  return { id, token, order, sums };
}

/** Every account's sums, counted anew. */
async function recounted() {
  const { rows } = await sql`
    select s.user_id from customer_sums s left join orders o on o.customer_id = s.user_id
    group by s.user_id, s.orders, s.spent, s.last_order_at
    having (s.orders, s.spent, s.last_order_at) is distinct from (count(o.id)::int,
      coalesce(sum(o.total) filter (where o.status in ('delivered', 'collected')), 0),
      coalesce(max(o.created_at), '-infinity'))`.execute(app.database.db);
  const missing = await sql`
    select id from users where not exists (select from customer_sums where user_id = users.id)`.execute(
    app.database.db,
  );
  return { wrong: rows, missing: missing.rows };
}

describe('what the orders of a customer come to', () => {
  test('follows each order as it comes, is handed over, and that is undone', async () => {
    const { order, sums } = await customer();
    expect(await sums()).toEqual({ orders: 0, spent: 0, hasOrdered: false });
    const { id, total } = await order();
    expect(await sums()).toEqual({ orders: 1, spent: 0, hasOrdered: true });
    await step(id, 'accept');
    await step(id, 'collected-by-customer');
    expect(await sums()).toEqual({ orders: 1, spent: total, hasOrdered: true });
    await step(id, 'undo');
    expect(await sums()).toEqual({ orders: 1, spent: 0, hasOrdered: true });
    expect(await recounted()).toEqual({ wrong: [], missing: [] });
  });

  test('is right when many orders of one customer come and close at once', async () => {
    const { order, sums } = await customer();
    const first = await Promise.all(Array.from({ length: 4 }, order));
    await Promise.all(first.map(({ id }) => step(id, 'accept')));
    // Each holds its own order, and all of them count for one customer; new ones come meanwhile.
    const done = await Promise.all([...first.map(({ id }) => step(id, 'collected-by-customer')), order()]);
    expect(done.slice(0, 4)).toMatchObject(Array(4).fill({ status: 200 }));
    expect(await sums()).toMatchObject({ orders: 5, spent: first.reduce((sum, { total }) => sum + total, 0) });
    expect(await recounted()).toEqual({ wrong: [], missing: [] });
  });

  test('counts what another program writes: a release that knows nothing of it', async () => {
    const { id, sums, order } = await customer();
    const { id: orderId } = await order();
    await sql`update orders set status = 'delivered', total = 4321 where id = ${orderId}`.execute(app.database.db);
    expect(await sums()).toMatchObject({ orders: 1, spent: 4321 });
    await sql`update orders set customer_id = null where id = ${orderId}`.execute(app.database.db);
    expect(await sums()).toEqual({ orders: 0, spent: 0, hasOrdered: false });
    await sql`delete from users where id = ${id}`.execute(app.database.db);
    expect(await recounted()).toEqual({ wrong: [], missing: [] });
  });
});

describe('the list of customers', () => {
  test.each(['name', '-name', 'created_at', '-created_at', 'orders', '-orders', 'last_order_at', '-last_order_at'])(
    'sorted by %s is read to its end, each customer once and in order',
    async (sort) => {
      await Promise.all(Array.from({ length: 3 }, () => addUser(app.database.db, 'customer')));
      const found: Record<string, string | number>[] = [];
      for (let next: string | null = `/v1/customers?per_page=2&sort=${encodeURIComponent(sort)}`; next !== null;) {
        const { body } = await call('GET', next);
        found.push(...body.data);
        next = body.links.next;
      }
      const { rows } = await sql<{ count: number }>`
        select count(*)::int from users where role = 'customer'`.execute(app.database.db);
      expect(new Set(found.map(({ id }) => id)).size).toBe(rows[0]?.count);
      const values = found.map((one) => one[sort.replace('-', '')] ?? '');
      const ascending = values.toSorted((a, b) => (a < b ? -1 : a > b ? 1 : 0));
      expect(values).toEqual(sort.startsWith('-') ? ascending.toReversed() : ascending);
    },
  );

  test('is searched by a letter or two among those who came or ordered lately, and says so', async () => {
    const old = await addUser(app.database.db, 'customer');
    await sql`update users set name = 'Qi Old', created_at = '2020-01-01' where id = ${old.id}`.execute(
      app.database.db,
    );
    const { body } = await call('GET', '/v1/customers?search=qi');
    expect([body.data, body.meta.searched_days]).toEqual([[], 7]);
    const longer = await call('GET', '/v1/customers?search=qi%20old');
    expect(longer.body.data.map(({ id }: { id: string }) => id)).toEqual([old.id]);
    expect(longer.body.meta.searched_days).toBeNull();
  });
});
