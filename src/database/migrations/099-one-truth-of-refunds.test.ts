import { randomUUID, randomUUIDv7 } from 'node:crypto';
import { sql, type Kysely } from 'kysely';
import { afterAll, beforeAll, expect, test } from 'vitest';
import * as refundRequests from '#database/migrations/097-refund-requests.ts';
import * as refundsTold from '#database/migrations/098-refunds-told.ts';
import * as oneTruth from '#database/migrations/099-one-truth-of-refunds.ts';
import { openPaymentBench, type PaymentBench } from '#payment/testing/bench.ts';
import { forgetRequests } from '#payment/testing/refunds.ts';

let bench: PaymentBench;
let order: string;
let before: Refund[];
beforeAll(async () => {
  bench = await openPaymentBench();
  await forgetRequests(bench.db);
  order = await bench.newOrder();
});
afterAll(() => bench.close());

type Refund = Record<string, unknown> & { id: string; status: string; attempts: number };
type Old = { status: string; kind?: string; attempts?: number; provider_refund?: string; settled_at?: string };

const at = '2026-11-21T18:05:00.000Z';
const kinds = ['asked', 'order_ended', 'at_provider', 'line_removed', 'late_payment'];
const states: Old[] = [
  { status: 'pending' },
  { status: 'pending', attempts: 3 },
  { status: 'succeeded', settled_at: at, provider_refund: 're_1' },
  { status: 'succeeded', settled_at: at, attempts: 4 },
  { status: 'failed' },
  { status: 'failed', attempts: 2 },
  { status: 'failed', provider_refund: 're_2' },
  { status: 'failed', settled_at: at, attempts: 5, provider_refund: 're_3' },
];

/** As the release before the requests wrote a refund. */
async function write({ status, kind = 'asked', attempts = 1, provider_refund, settled_at }: Old): Promise<string> {
  const id = randomUUIDv7();
  await sql`
    insert into refunds (id, store_id, order_id, key, amount, currency, kind, reason, actor, trading_day, created_at, status,
      attempts, provider_refund, settled_at, check_at, tip, vat)
    values (${id}, ${bench.storeId}, ${order}, ${randomUUID()}, 100, 'GBP', ${kind}, 'Cold', 'Olive', '2026-11-21', ${at},
      ${status}, ${attempts}, ${provider_refund}, ${settled_at}, ${status === 'pending' ? at : null}, 20,
      '[{"rate": 2000, "net": 67, "vat": 13}]')`.execute(bench.db);
  return id;
}

// A migration does not use today's column types.
const run = ({ up }: { up(db: Kysely<unknown>): Promise<void> }) =>
  bench.db.transaction().execute((tx) => up(tx as unknown as Kysely<unknown>));

const all = async () => {
  const { rows } = await sql<Refund>`
    select id, part_of, store_id, order_id, payment_id, key, status, amount, currency, tip, vat, lines, kind,
      provider_refund, reason, actor, actor_id, attempts, trading_day, check_at, created_at, settled_at
    from refunds order by id`.execute(bench.db);
  return rows;
};

test('the refunds of a folder of any earlier release are told as they were', async () => {
  for (const kind of kinds) for (const state of states) await write({ kind, ...state });
  await run(refundRequests);
  for (const kind of kinds) for (const state of states) await write({ kind, ...state });
  const changed = await write({ status: 'pending' });
  const change = (set: Record<string, string | number | null>) =>
    sql`update refunds set ${sql.join(Object.entries(set).map(([name, to]) => sql`${sql.ref(name)} = ${to}`))}
      where id = ${changed}`.execute(bench.db);
  await change({ status: 'failed', attempts: 2, settled_at: at, provider_refund: 're_4', check_at: null });
  await change({ amount: 40, tip: 0, vat: '[]' });
  await run(refundsTold);
  const [one, two] = [await write({ status: 'pending', attempts: 2 }), await write({ status: 'succeeded' })];
  await sql`update refunds set status = 'failed', settled_at = ${at}, check_at = null where id in (${one}, ${two})`.execute(
    bench.db,
  );
  before = await all();
  const mailed = sql`insert into order_mails (order_id, kind, refund_id, owed_at) values (${order}, 'refunded', ${two}, ${at})`;
  await mailed.execute(bench.db);
  await run(oneTruth);
  expect(before.length).toBeGreaterThan(80);
  expect(await all()).toEqual(before);
});

test('no call has a key of an earlier one, and a mail stays with its refund', async () => {
  const { rows } = await sql<{ id: string; last: number | null }>`
    select request_id as id, max(split_part(key, ':', 3)::int) as last from refund_attempts group by 1`.execute(
    bench.db,
  );
  const last = new Map(rows.map((row) => [row.id, row.last ?? 1]));
  expect(before.filter(({ id, attempts }) => attempts > (last.get(id) ?? 1))).toEqual([]);
  const mails = await bench.db.selectFrom('order_mails').select('refund_id').where('order_id', '=', order).execute();
  expect(mails.filter(({ refund_id }) => refund_id !== null)).toHaveLength(1);
});

test('the takings of a day are counted anew when one of its refunds comes to another status', async () => {
  const { db } = bench;
  const noted = async () => {
    const { rows } = await sql<{ day: string }>`
      with noted as (delete from takings_changes returning trading_day) select distinct trading_day::text as day from noted
      `.execute(db);
    return rows.map(({ day }) => day);
  };
  const pending = before.find(({ status }) => status === 'pending')?.id;
  await noted();
  await sql`update refund_attempts set check_at = null where request_id = ${pending}`.execute(db);
  expect(await noted()).toEqual([]);
  await sql`update refund_attempts set status = 'made' where request_id = ${pending} and status = 'asked'`.execute(db);
  expect(await noted()).toEqual(['2026-11-21']);
  await sql`delete from refund_requests where id = ${pending}`.execute(db);
  expect(await noted()).toEqual(['2026-11-21']);
});
