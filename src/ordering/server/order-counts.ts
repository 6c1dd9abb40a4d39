import { sql } from 'kysely';
import { sqlLiterals } from '#database/connect.ts';
import { runAfterCommit } from '#database/transaction.ts';
import type { OrderChannel, OrderStatus } from '#ordering/order.ts';
import { isUnanswered, inHandStatuses, unansweredStatuses, unfinishedStatuses } from '#ordering/order-status.ts';
import { createValueFeed } from '#platform/server/value-feed.ts';
import { liveStoresSql } from '#store/server/store-views.ts';

export interface OrderStep {
  channel: OrderChannel;
  status: OrderStatus;
  /** Seconds from the placing of an order to its acceptance; null in all other steps. */
  answeredAfter: number | null;
}

export const orderStepFeed = createValueFeed<OrderStep>();

interface Stepping {
  channel: OrderChannel;
  placed_at: Date | null;
}

/**
 * Sends the steps of an order to `orderStepFeed` once the current transaction is committed. A history entry that does
 * not change the status is no step.
 */
export function publishOrderSteps(
  { channel, placed_at: placedAt }: Stepping,
  lines: readonly { from: OrderStatus | null; to: OrderStatus }[],
  at: Date,
): void {
  const steps = lines.flatMap(({ from, to }): OrderStep[] => {
    if (from === to) return [];
    const isAnswer = from !== null && isUnanswered(from) && inHandStatuses.includes(to) && placedAt !== null;
    return [{ channel, status: to, answeredAfter: isAnswer ? (at.getTime() - placedAt.getTime()) / 1000 : null }];
  });
  if (steps.length > 0) runAfterCommit(() => steps.forEach(orderStepFeed.note));
}

export function publishFirstOrderSteps(
  orders: readonly { id: string; channel: OrderChannel; status: OrderStatus }[],
  written: readonly { id: string; too_many: unknown }[],
): void {
  const ids = new Set(written.flatMap(({ id, too_many: isRefused }) => (isRefused === null ? id : [])));
  for (const { id, channel, status } of orders) {
    if (ids.has(id)) publishOrderSteps({ channel, placed_at: null }, [{ from: null, to: status }], new Date());
  }
}

/** An ended order is counted for this number of hours after its creation. */
const countedFor = 24;

/** SQL that counts unfinished orders, and ended orders created in the last 24 hours, by channel and status, as JSON. */
export function selectOrderCounts(now: Date) {
  return sql<{ channel: OrderChannel; status: OrderStatus; count: number }[]>`(
    select coalesce(json_agg(json_build_object('channel', channel, 'status', status, 'count', count)), '[]') from (
      select channel, status, count(*)::int as count from (
        select channel, status from orders where status in (${sqlLiterals(unfinishedStatuses)})
        union all
        select channel, status from ${liveStoresSql} as stores join orders on orders.store_id = stores.id
        where status not in (${sqlLiterals(unfinishedStatuses)})
          and trading_day >= (${now}::timestamptz - interval '3 days')::date
          and created_at > ${now}::timestamptz - make_interval(hours => ${countedFor})
      ) counted group by channel, status
    ) sums)`;
}

/**
 * SQL for the number of orders that wait for the shop's answer, their earliest deadline, and the time when the oldest
 * was placed, as JSON.
 */
export const unansweredOrderSummarySql = sql<{ count: number; answer_by: string | null; placed_at: string | null }>`(
  select json_build_object('count', count(*), 'answer_by', min(answer_by), 'placed_at', min(placed_at))
  from orders where status in (${sqlLiterals(unansweredStatuses)}))`;
