import { sql } from 'kysely';
import type { Db } from '#database/schema.ts';
import { readRefundStates } from '#payment/server/read-balance.ts';
import { refundDue } from '#payment/testing/earlier-due.ts';

/** Refunds that their requests and attempts tell otherwise. What failed in part is told without its VAT. */
export const differingRefunds = sql`
  select coalesce(r.order_id, t.order_id) as order_id, coalesce(r.id, t.id) as id, r.status, t.status as told,
    r.amount, t.amount as amount_told
  from refunds r full join refunds_told t on t.id = r.id
  where (r.order_id, r.payment_id, r.key, r.status, r.amount, r.currency, r.kind, r.reason, r.actor, r.actor_id,
      r.trading_day, r.check_at, r.created_at, r.part_of)
    is distinct from (t.order_id, t.payment_id, t.key, t.status, t.amount, t.currency, t.kind, t.reason, t.actor,
      t.actor_id, t.trading_day, t.check_at, t.created_at, t.part_of)
    or (r.status <> 'failed' and (r.tip, r.vat, r.lines, r.provider_refund, r.settled_at)
      is distinct from (t.tip, t.vat, t.lines, t.provider_refund, t.settled_at))`;

/** One line for each refund that differs; none in a database that a test has taken the view from. */
export async function refundDifferences(db: Db): Promise<string[]> {
  const { rows } = await sql<{ has: boolean }>`select to_regclass('refunds_told') is not null as has`.execute(db);
  if (!rows[0]?.has) return [];
  return [...(await differingRows(db)), ...(await differingDues(db))];
}

async function differingDues(db: Db): Promise<string[]> {
  const rows = await db
    .selectFrom('refunds')
    .select(['id', 'order_id', refundDue.as('earlier')])
    .execute();
  const states = await readRefundStates(
    db,
    rows.map(({ order_id }) => order_id),
  );
  const differing = rows.filter(({ id, earlier }) => states.get(id)?.due !== earlier);
  return differing.map(({ id, earlier }) => `${id}: ${states.get(id)?.due} due, ${earlier} earlier`);
}

async function differingRows(db: Db): Promise<string[]> {
  const { rows } = await sql<Record<'id' | 'status' | 'told' | 'amount' | 'amount_told', string>>`
    ${differingRefunds}`.execute(db);
  return rows.map((row) => `${row.id} ${row.status} ${row.amount}, told ${row.told} ${row.amount_told}`);
}
