import { sql } from 'kysely';
import type { Db } from '#database/schema.ts';
import { openStatuses, unansweredStatuses } from '#ordering/order-status.ts';
import { type OrderTimelineEntry, createTimelineEntry } from '#database/order-timeline-entry.ts';

export interface OrderRowSummary {
  id: string;
  store_id: string;
  number: number;
  trading_day: string;
  status: string;
  payment_status: string;
  total: number;
}

interface Wanted {
  id: string | null;
  number: number | null;
  date: string | undefined;
  storeId: string | undefined;
}

/**
 * Reads the two newest orders with this id or number. If there are two, the caller knows that the number is ambiguous.
 */
export async function findOrdersByIdOrNumber(
  db: Db,
  { id, number, date, storeId }: Wanted,
): Promise<OrderRowSummary[]> {
  const { rows } = await sql<OrderRowSummary>`
    select id, store_id, number, trading_day::text, status, payment_status, total from orders
    where ${id === null ? sql`number = ${number}` : sql`id = ${id}`}
      and ${date === undefined ? sql`true` : sql`trading_day = ${date}`}
      and ${storeId === undefined ? sql`true` : sql`store_id = ${storeId}`}
    order by created_at desc limit 2`.execute(db);
  return rows;
}

export interface OpenOrderCounts {
  open: number;
  unanswered: number;
  oldest_unanswered_seconds: number | null;
}

/** Counts a store's open and unanswered orders, and the seconds for which the oldest has waited for an answer. */
export async function countOpenOrders(db: Db, storeId: string, now: Date): Promise<OpenOrderCounts> {
  const { rows } = await sql<OpenOrderCounts>`
    select count(*)::int as open, count(*) filter (where status in (${sql.join(unansweredStatuses)}))::int as unanswered,
      extract(epoch from ${now}::timestamptz - min(placed_at) filter (where status in (${sql.join(unansweredStatuses)})))::int
        as oldest_unanswered_seconds
    from orders where store_id = ${storeId} and status in (${sql.join(openStatuses)})`.execute(db);
  return rows[0] ?? { open: 0, unanswered: 0, oldest_unanswered_seconds: null };
}

export async function readHistoryEvents(db: Db, id: string): Promise<OrderTimelineEntry[]> {
  const rows = await db
    .selectFrom('order_history')
    .select(['at', 'from_status', 'to_status', 'actor', 'reason', 'promised_at'])
    .where('order_id', '=', id)
    .orderBy('version')
    .execute();
  return rows.map(({ at, from_status: from, to_status: to, actor, reason, promised_at: promised }) =>
    createTimelineEntry(
      'order',
      at,
      from === to ? to : `${from ?? 'new'} → ${to}`,
      actor && `by ${actor}`,
      reason && `(${reason})`,
      promised && `for ${promised.toISOString()}`,
    ),
  );
}

export async function readQueuedMailEvents(db: Db, id: string): Promise<OrderTimelineEntry[]> {
  const owed = await db
    .selectFrom('order_mails')
    .select(['kind', 'owed_at'])
    .where('order_id', '=', id)
    .where('mail_id', 'is', null)
    .where('ended_at', 'is', null)
    .execute();
  return owed.map(({ kind, owed_at: at }) =>
    createTimelineEntry('mail', at, kind.replaceAll('_', ' '), 'waits to be written'),
  );
}
