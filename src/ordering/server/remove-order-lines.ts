import { m } from '#messages';
import { restorePortions } from '#menu/server/portions.ts';
import { portionsOfLines } from '#ordering/server/new-order.ts';
import type { Tx } from '#database/schema.ts';
import type { Actor } from '#ordering/status-row.ts';
import type { PaymentStatus } from '#ordering/order.ts';
import { paymentStatuses, statusAfterRefunds } from '#ordering/payment-status.ts';
import { toRemovedLines, removeLines, type RemovalFault, type WantedRemoval } from '#ordering/remove-lines.ts';
import { applyOrderChange, type HistoryActor } from '#ordering/server/change-orders.ts';
import { lockForOrderCall, applyOrderCall } from '#ordering/server/apply-order-call.ts';
import type { OrderRow } from '#ordering/server/present-order.ts';
import { queueOrderMail } from '#ordering/server/mails/send-order-mails.ts';
import { queueOrderNotifications } from '#push/server/follows.ts';
import { AppError, invalidFieldError } from '#platform/errors.ts';
import type { OrderServices } from '#ordering/server/services.ts';

export interface RemoveLinesRequest {
  orderId: string;
  lines: readonly WantedRemoval[];
  /** Whether the remaining lines lose their discounts. */
  endsOffers?: boolean | undefined;
  /** The reason for the removal: a person's text, or a RemovalReason. */
  reason: string;
  role: Actor;
  by: HistoryActor;
  now: Date;
}

/**
 * Removes dishes from an order in the caller's transaction, and changes its amounts, payments, prints and mails
 * accordingly. Cancels the order if no dish is left. Throws `illegal_transition` unless the order is placed, accepted
 * or packed. Throws 422 on `lines` for an unknown line or too many pieces. Throws `conflict` if the order changed since
 * the caller saw it, or if too much was refunded.
 */
export async function removeOrderLines(
  tx: Tx,
  services: Pick<OrderServices, 'menus' | 'outbox' | 'owed' | 'prints'>,
  { orderId, lines, endsOffers, reason, role, by, now }: RemoveLinesRequest,
): Promise<OrderRow> {
  const call = 'lines/remove';
  const { row: before, store } = await lockForOrderCall(tx, services, { orderId, call, actor: role, now });
  const reduction = removeLines(before, lines, { endsOffers });
  if ('fault' in reduction) throw refusal(reduction, before, lines);
  if (reduction.lines.length === 0) {
    return applyOrderCall(tx, services, {
      orderId,
      call: 'cancel',
      actor: role,
      actorName: by.actor,
      actorId: by.actorId,
      reason,
      now,
    });
  }
  const { removed, discounts, vat, ...sums } = reduction;
  const gone = toRemovedLines(reduction, { reason, actor: by.actor, at: now.toISOString() });
  const step = {
    lines: [{ from: before.status, to: before.status }],
    set: {
      subtotal: sums.subtotal,
      total: sums.total,
      lines: JSON.stringify(sums.lines),
      discounts: JSON.stringify(discounts),
      vat: JSON.stringify(vat),
      removed: JSON.stringify([...before.removed, ...gone]),
      ...statusAfter(before, sums.total),
    },
    by,
    reason: null,
    note: {
      kind: 'lines_removed' as const,
      lines: removed.map(({ line, quantity }) => ({ name: line.name, quantity })),
      amount: before.total - sums.total,
      currency: store.currency,
      reason,
    },
    at: now,
    event: 'order.updated' as const,
  };
  return applyOrderChange(tx, services.outbox, before, step, async (order) => {
    await restorePortions(tx, portionsOfLines(removed.map(({ line, quantity }) => ({ ...line, quantity }))));
    await services.owed.lower(tx, { before, order, lines, by });
    await services.prints.changed(tx, { order, now, removed: gone });
    await queueOrderMail(tx, order, 'changed', { now });
    await queueOrderNotifications(tx, { orderId: order.id, customerId: order.customer_id, news: 'changed', now });
  });
}

/**
 * The payment status after a removal. An unpaid order whose rest costs nothing counts as paid. A paid order whose rest
 * costs no more than was refunded counts as refunded.
 */
function statusAfter(
  { payment_status: before, refunded }: OrderRow,
  total: number,
): { payment_status?: PaymentStatus } {
  if (!paymentStatuses[before].isTaken) return total === 0 ? { payment_status: 'paid' } : {};
  return refunded === 0 ? {} : { payment_status: statusAfterRefunds(refunded, total) };
}

function refusal(fault: RemovalFault, { removed }: OrderRow, wanted: readonly WantedRemoval[]): AppError {
  const { index } = fault;
  if (fault.fault === 'too_many')
    return invalidFieldError(`lines.${index}.quantity`, m.ordering_remove_too_many({ left: fault.left }));
  const isGone = removed.some(({ line_id }) => line_id === wanted[index]?.line_id);
  if (fault.fault === 'changed' || isGone) return new AppError('conflict', m.ordering_remove_changed());
  return invalidFieldError(`lines.${index}.line_id`, m.ordering_remove_unknown_line());
}
