import { sql } from 'kysely';
import type { Db, Tx } from '#database/schema.ts';
import { orderDeadlines, unfinishedStatuses } from '#ordering/order-status.ts';
import type { Order } from '#ordering/order.ts';
import { postponeOrderDeadlines } from '#ordering/server/change-orders.ts';
import type { Outbox } from '#realtime/server/outbox.ts';

/** This many order numbers are skipped for each store and trading day. */
const skipped = 100;

/**
 * Skips order numbers of the trading days that may not have ended yet. The shop may have given these numbers to orders
 * between the backup and the restore.
 */
export async function skipOrderNumbers(tx: Tx, stores: readonly string[], now: Date): Promise<void> {
  await sql`
    insert into order_numbers as n (store_id, trading_day, last_number)
    select store.id, (${now}::timestamptz at time zone 'UTC')::date + days.number, ${skipped}::int
    from unnest(${stores}::uuid[]) as store (id) cross join generate_series(-1, 1) as days (number)
    on conflict (store_id, trading_day) do update set last_number = n.last_number + ${skipped}`.execute(tx);
}

export interface OpenOrderRow extends Pick<
  Order,
  'id' | 'store_id' | 'status' | 'payment_status' | 'payment_method' | 'fulfilment_type' | 'total' | 'placed_at'
> {
  number: number;
  name: string;
}

/** Reads the orders that are not finished, oldest first. */
export async function readOpenOrders(db: Db): Promise<OpenOrderRow[]> {
  const rows = await db
    .selectFrom('orders')
    .select(['id', 'store_id', 'number', 'status', 'payment_status', 'payment_method', 'fulfilment_type', 'total'])
    .select(['placed_at', 'contact'])
    .where('status', 'in', unfinishedStatuses)
    .orderBy('created_at')
    .orderBy('id')
    .execute();
  return rows.map(({ contact, placed_at, ...order }) => ({
    ...order,
    placed_at: placed_at?.toISOString() ?? null,
    name: contact.name,
  }));
}

/**
 * If an order's deadline has passed, its new deadline is this number of milliseconds after the restored shop resumes.
 */
const answerWithin = 10 * 60_000;

/** Postpones passed deadlines, so that no order is rejected or expires as soon as the restored shop resumes. */
export async function postponePassedDeadlines(tx: Tx, outbox: Outbox, now: Date): Promise<void> {
  const until = new Date(now.getTime() + answerWithin);
  for (const { status, column } of orderDeadlines) await postponeOrderDeadlines(tx, outbox, { status, column, until });
}

/** Deletes each row of `order_mails` whose mail to the customer is not queued yet. */
export async function dropDueOrderMails(tx: Tx): Promise<void> {
  await tx.deleteFrom('order_mails').where('mail_id', 'is', null).execute();
}
