import { sql } from 'kysely';
import type { Db } from '#database/schema.ts';
import { readRefundStates } from '#payment/server/read-balance.ts';

/** Whether money of one of these orders is on its way, or owed to its customer: held, being given back, failed to be, or disputed. */
export async function hasOpenMoney(db: Db, orderIds: readonly string[]): Promise<boolean> {
  if (orderIds.length === 0) return false;
  const of = sql`order_id = any(${orderIds}::uuid[])`;
  const { rows } = await sql<{ is_open: boolean }>`
    select exists (select from payments where ${of} and (owed is not null or status in ('pending', 'authorised')))
      or exists (select from refunds where ${of} and status = 'pending')
      or exists (select from payment_disputes where ${of} and closed_at is null) as is_open`.execute(db);
  if (rows[0]?.is_open) return true;
  const failed = await db
    .selectFrom('refunds')
    .select('order_id')
    .where('order_id', 'in', orderIds)
    .where('status', '=', 'failed')
    .execute();
  const states = await readRefundStates(
    db,
    failed.map(({ order_id }) => order_id),
  );
  return [...states.values()].some(({ due }) => due > 0);
}
