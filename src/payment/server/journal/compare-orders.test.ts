import { sql } from 'kysely';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { extendChains } from '#payment/server/journal/chains.ts';
import { runPaymentChecks } from '#payment/server/journal/compare-orders.ts';
import { openCardBench, type CardBench } from '#payment/testing/card-bench.ts';

let bench: CardBench;
beforeAll(async () => {
  bench = await openCardBench();
});
beforeEach(() => bench.reset());
afterAll(() => bench.close());

const check = () => runPaymentChecks(bench.db, bench.clock.now, bench.storeId);
const paid = async () => {
  const { id } = await bench.placed();
  await bench.move(id, 'accept');
  await bench.jobs.run();
  return id;
};

describe('the checks', () => {
  test('find nothing where all is well', async () => {
    await paid();
    const { id } = await bench.placed();
    await bench.move(id, 'reject', { rejectReason: 'other' });
    await bench.jobs.run();
    await bench.newOrder();
    await extendChains(bench.db);
    const found = await check();
    expect(found).toMatchObject({ disagreements: [], journals: [{ faults: [] }, { faults: [] }] });
    expect(found.orders).toBe(3);
    expect(found.journals[1]?.entries).toBe(4);
  });

  test('name the order whose status was changed behind the money', async () => {
    const id = await paid();
    await bench.db.updateTable('orders').set({ status: 'cancelled' }).where('id', '=', id).execute();
    const { number } = await bench.order(id);
    expect((await check()).disagreements).toEqual([
      {
        order_id: id,
        order_number: String(number),
        store_id: bench.storeId,
        trading_day: '2026-11-21',
        status: 'cancelled',
        payment_status: 'paid',
        kind: 'kept',
        expected: 0,
        found: 1250,
        currency: 'GBP',
      },
    ]);
    await bench.db.updateTable('orders').set({ status: 'accepted' }).where('id', '=', id).execute();
    expect((await check()).disagreements).toEqual([]);
  });

  test('name an order in cash whose refunds had another sum when they became requests', async () => {
    const id = await bench.newOrder({ payment_method: 'cash' });
    await bench.db.updateTable('orders').set({ refunded: 300 }).where('id', '=', id).execute();
    expect((await check()).disagreements).toEqual([]);
    await sql`insert into refund_openings (order_id, refunded, summed) values (${id}, 300, 0)`.execute(bench.db);
    expect((await check()).disagreements).toMatchObject([{ order_id: id, kind: 'refunds', expected: 0, found: 300 }]);
    await bench.db.deleteFrom('orders').where('id', '=', id).execute();
  });

  test('read every order, however many there are', async () => {
    const id = await bench.newOrder();
    await sql`
      insert into orders select copy.* from orders, generate_series(1, 1200) as n,
        lateral jsonb_populate_record(orders, jsonb_build_object('id', gen_random_uuid(),
          'session_hash', sha256(convert_to(n::text, 'UTF8')), 'number', 1000 + n)) as copy
      where orders.id = ${id}`.execute(bench.db);
    await sql`
      update orders set status = 'accepted' where id = (select id from orders order by id desc limit 1)`.execute(
      bench.db,
    );
    const found = await check();
    expect(found.orders).toBeGreaterThan(1_200);
    expect(found.disagreements).toMatchObject([{ kind: 'unpaid', expected: 0, found: 1250 }]);
    await sql`delete from orders where number > 1000`.execute(bench.db);
  });

  test('count the messages that wait, failed or were refused', async () => {
    await sql`
      insert into payment_events (provider, id, received_at, check_at, outcome) values
        ('sandbox', 'evt_waiting', ${bench.clock.now}, ${bench.clock.now}, null),
        ('sandbox', 'evt_failed', ${bench.clock.now}, null, 'failed'),
        ('sandbox', 'evt_old', ${new Date(bench.clock.now.getTime() - 31 * 86_400_000)}, null, 'failed')`.execute(
      bench.db,
    );
    await sql`
      insert into payment_refused_webhooks (hour, count) values
        (${bench.clock.now}, 3), (${new Date(bench.clock.now.getTime() - 25 * 3_600_000)}, 5)`.execute(bench.db);
    expect((await check()).messages).toEqual({
      last_at: bench.clock.now.toISOString(),
      waiting: 1,
      failed: 1,
      refused: 3,
    });
  });
});
