import type { Tx } from '#database/schema.ts';
import { setRemovedRefunded, type By } from '#ordering/server/change-orders.ts';
import type { OrderRow } from '#ordering/server/present-order.ts';
import { excessOf, sumOfRemoved, type RefundPlan } from '#payment/refund-rules.ts';
import { insertRefund } from '#payment/server/insert-refund.ts';
import type { PaymentRow } from '#payment/server/owed.ts';
import { refundsInForce } from '#payment/server/refund-rows.ts';
import type { PaymentServices } from '#payment/server/services.ts';

/**
 * Refunds what was paid for an order beyond what it costs since staff took dishes off it: `paid` minor units, through a
 * payment or, without one, by hand. Under the order's lock, when dishes are taken off and when a payment turns out to
 * be captured, so that whichever comes last refunds the difference. Does nothing if there is none.
 */
export async function refundExcess(
  tx: Tx,
  services: Pick<PaymentServices, 'jobs' | 'menus' | 'now'>,
  order: OrderRow,
  { paid, payment, by }: { paid: number; payment: PaymentRow | undefined; by?: By },
): Promise<void> {
  const earlier = await refundsInForce(tx, order.id);
  const amount = excessOf(order, paid, earlier);
  if (amount === 0) return;
  const last = order.removed.at(-1);
  await insertRefund(tx, services, order, {
    payment,
    // The order's own VAT no longer contains it.
    plan: { amount, tip: 0, vat: [], lines: linesOf(order, amount) },
    kind: 'line_removed',
    reason: last?.reason ?? '',
    actor: by?.actor ?? last?.actor ?? 'system',
    actorId: by?.actorId ?? null,
  });
  await setRemovedRefunded(tx, order.id, amount + sumOfRemoved(earlier));
}

/** The removed lines that a refund of this amount is for: the last ones, if they cost as much; else none are named. */
function linesOf({ removed }: Pick<OrderRow, 'removed'>, amount: number): RefundPlan['lines'] {
  const lines = new Map<string, RefundPlan['lines'][number]>();
  let left = amount;
  for (const { line_id, quantity, amount: cost } of removed.toReversed()) {
    if (left <= 0) break;
    const known = lines.get(line_id);
    lines.set(line_id, {
      line_id,
      quantity: quantity + (known?.quantity ?? 0),
      amount: cost + (known?.amount ?? 0),
    });
    left -= cost;
  }
  return left === 0 ? [...lines.values()].toReversed() : [];
}
