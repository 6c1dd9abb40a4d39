import { m } from '#messages';
import type { Tx } from '#database/schema.ts';
import { setLineTicks } from '#ordering/line-ticks.ts';
import { changeLineTicks } from '#ordering/server/change-orders.ts';
import { lockForOrderCall } from '#ordering/server/apply-order-call.ts';
import type { OrderServices } from '#ordering/server/services.ts';
import type { Actor } from '#ordering/status-row.ts';
import { invalidFieldError } from '#platform/errors.ts';

interface TickRequest {
  orderId: string;
  lines: readonly string[];
  done: boolean;
  actor: Actor;
  now: Date;
}

/**
 * Ticks lines as cooked, or clears their ticks, in the caller's transaction. A repeated tick changes nothing, and
 * removed lines are ignored. Throws `illegal_transition` unless the order is accepted or packed, and 422 on `lines` for
 * an unknown line.
 */
export async function tickOrderLines(
  tx: Tx,
  services: Pick<OrderServices, 'menus' | 'outbox'>,
  { orderId, lines: ids, done, actor, now }: TickRequest,
): Promise<void> {
  const { row } = await lockForOrderCall(tx, services, { orderId, call: 'lines/done', actor, now });
  const known = new Set([...row.lines.map(({ id }) => id), ...row.removed.map(({ line_id }) => line_id)]);
  const unknown = ids.findIndex((id) => !known.has(id));
  if (unknown >= 0) throw invalidFieldError(`lines.${unknown}`, m.ordering_remove_unknown_line());
  const lines = setLineTicks(row.lines, ids, done ? now.toISOString() : null);
  if (lines !== row.lines) await changeLineTicks(tx, services.outbox, row, lines);
}
