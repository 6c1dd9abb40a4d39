import { randomUUID, randomUUIDv7 } from 'node:crypto';
import { sql } from 'kysely';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { openPaymentBench, type PaymentBench } from '#payment/testing/bench.ts';
import { refundDifferences } from '#testing/refund-differences.ts';

let bench: PaymentBench;
beforeAll(async () => {
  bench = await openPaymentBench();
});
afterAll(() => bench.close());

const at = '2026-11-21T18:05:00.000Z';

async function request(order_id: string, amount: number, part_of: string | null = null): Promise<string> {
  const id = randomUUIDv7();
  await sql`insert into refund_requests (id, part_of, store_id, order_id, key, kind, amount, currency, tip, vat, lines,
      reason, actor, trading_day, created_at)
    values (${id}, ${part_of}, ${bench.storeId}, ${order_id}, ${randomUUID()}, 'asked', ${amount}, 'GBP', 0, '[]', '[]',
      'Cold', 'Olive', '2026-11-21', ${at})`.execute(bench.db);
  return id;
}

async function attempt(id: string, number: number, status: string, amount: number): Promise<void> {
  await sql`insert into refund_attempts (request_id, number, key, amount, tip, vat, lines, status)
    values (${id}, ${number}, ${`refund:${id}:${number}`}, ${amount}, 0, '[]', '[]', ${status})`.execute(bench.db);
}

const refundsOf = (order_id: string) =>
  bench.db
    .selectFrom('refunds')
    .select(['status', 'amount', 'attempts'])
    .where('order_id', '=', order_id)
    .orderBy('id')
    .execute();

test('refunds follow their requests and attempts', async () => {
  const order = await bench.newOrder();
  const id = await request(order, 500);
  expect(await refundsOf(order)).toEqual([{ status: 'failed', amount: 500, attempts: 1 }]);
  await attempt(id, 1, 'asked', 500);
  expect(await refundsOf(order)).toEqual([{ status: 'pending', amount: 500, attempts: 1 }]);
  await sql`update refund_attempts set status = 'refused' where request_id = ${id}`.execute(bench.db);
  const part = await request(order, 200, id);
  await attempt(part, 2, 'made', 200);
  expect(await refundsOf(order)).toEqual([
    { status: 'failed', amount: 300, attempts: 1 },
    { status: 'succeeded', amount: 200, attempts: 2 },
  ]);
  expect(await refundDifferences(bench.db)).toEqual([]);
});

test('what an instance of the last version writes afterwards is an attempt once', async () => {
  const order = await bench.newOrder();
  const id = await request(order, 500);
  await attempt(id, 1, 'asked', 500);
  await bench.db
    .updateTable('refunds')
    .set({ status: 'succeeded', settled_at: new Date(at) })
    .where('id', '=', id)
    .execute();
  const { rows } = await sql`select number, status from refund_attempts where request_id = ${id}`.execute(bench.db);
  expect(rows).toEqual([{ number: 1, status: 'made' }]);
  await sql`update refund_attempts set status = 'returned' where request_id = ${id}`.execute(bench.db);
  expect(await refundsOf(order)).toMatchObject([{ status: 'failed' }]);
  expect(await refundDifferences(bench.db)).toEqual([]);
});
