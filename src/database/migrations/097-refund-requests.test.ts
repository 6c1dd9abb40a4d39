import { randomUUID, randomUUIDv7 } from 'node:crypto';
import { sql, type Kysely } from 'kysely';
import { afterAll, beforeAll, expect, test } from 'vitest';
import * as refundRequests from '#database/migrations/097-refund-requests.ts';
import { openPaymentBench, type PaymentBench } from '#payment/testing/bench.ts';
import { forgetRequests } from '#payment/testing/refunds.ts';

let bench: PaymentBench;
beforeAll(async () => {
  bench = await openPaymentBench();
});
afterAll(() => bench.close());

const kinds = ['asked', 'order_ended', 'at_provider', 'line_removed', 'late_payment'] as const;
const made = '2026-11-21T18:05:00.000Z';
const states = [
  { status: 'pending', settled_at: null, attempt: 'asked' },
  { status: 'succeeded', settled_at: made, attempt: 'made' },
  { status: 'failed', settled_at: made, attempt: 'returned' },
  { status: 'failed', settled_at: null, attempt: null },
] as const;

test('each refund becomes one request with one attempt, and a sum that differs is kept', async () => {
  const { db, storeId } = bench;
  await forgetRequests(db);
  const [good, odd] = [await bench.newOrder(), await bench.newOrder()];
  const written: { id: string; attempt: string | null }[] = [];
  for (const order_id of [good, odd]) {
    for (const kind of kinds) {
      for (const { attempt, ...state } of states) {
        const id = randomUUIDv7();
        await sql`insert into refunds (id, store_id, order_id, key, amount, currency, kind, reason, actor, trading_day,
            created_at, status, settled_at)
          values (${id}, ${storeId}, ${order_id}, ${randomUUID()}, 100, 'GBP', ${kind}, 'Cold', 'Olive', '2026-11-21',
            ${made}, ${state.status}, ${state.settled_at})`.execute(db);
        written.push({ id, attempt });
      }
    }
  }
  await db.updateTable('orders').set({ refunded: 300 }).where('id', '=', good).execute();
  await db.updateTable('orders').set({ refunded: 250 }).where('id', '=', odd).execute();
  const { rows: before } = await sql`select * from refunds order by id`.execute(db);
  // A migration does not use today's column types.
  await db.transaction().execute((tx) => refundRequests.up(tx as unknown as Kysely<unknown>));
  const { rows: attempts } = await sql<{ id: string; number: number | null; attempt: string | null; amount: number }>`
    select r.id, a.number, a.status as attempt, r.amount from refund_requests r
    left join refund_attempts a on a.request_id = r.id order by r.id`.execute(db);
  const expected = written.map((one) => ({ ...one, number: one.attempt === null ? null : 1, amount: 100 }));
  expect(attempts).toEqual(expected.toSorted((a, b) => (a.id < b.id ? -1 : 1)));
  const { rows: openings } = await sql`select * from refund_openings`.execute(db);
  expect(openings).toEqual([{ order_id: odd, refunded: 250, summed: 300 }]);
  expect((await sql`select * from refunds order by id`.execute(db)).rows).toMatchObject(before as object[]);
});
