import type { Tx } from '#database/schema.ts';
import { noteMoney } from '#ordering/server/change-orders.ts';
import type { OrderRow } from '#ordering/server/present-order.ts';
import { refundKey } from '#payment/pair-refunds.ts';
import { oweMail } from '#ordering/server/send-order-mails.ts';
import type { ProviderPayment, ProviderRefund } from '#payment/payment-state.ts';
import { planRefund, sumOf } from '#payment/refund-rules.ts';
import { alertOfFailedRefund } from '#payment/server/alert-refund.ts';
import type { PaymentRow } from '#payment/server/owed.ts';
import { insertRefund } from '#payment/server/insert-refund.ts';
import { type RefundRow, refundsInForce } from '#payment/server/refund-rows.ts';
import type { PaymentServices } from '#payment/server/services.ts';

/**
 * Marks refunds as failed that were made, and whose money the payer's bank has sent back since: people have to give it
 * back in another way. Returns whether there were any.
 */
export async function failRefunds(
  tx: Tx,
  services: FailServices,
  order: OrderRow,
  payment: Pick<PaymentRow, 'id'>,
  { refundList: seen = [], refunded = 0 }: Pick<ProviderPayment, 'refundList' | 'refunded'>,
): Promise<boolean> {
  const failed = seen.filter(({ status }) => status === 'failed');
  if (failed.length === 0) return false;
  const made = await tx
    .selectFrom('refunds')
    .selectAll()
    .where('payment_id', '=', payment.id)
    .where('status', '=', 'succeeded')
    .orderBy('id')
    .execute();
  const back = made.filter((refund) =>
    failed.some(({ id, key }) => id === refund.provider_refund || key === refundKey(refund)),
  );
  for (const refund of back) {
    await tx.updateTable('refunds').set({ status: 'failed' }).where('id', '=', refund.id).execute();
    await noteFailedRefund(tx, services, order, refund);
  }
  const rest = made.filter((refund) => !back.includes(refund));
  const isLost = await failUnnamed(tx, services, order, rest, { seen, over: sumOf(rest) - refunded });
  return back.length > 0 || isLost;
}

/**
 * A refund can be part of what was refunded at the provider without being one of those. If some of that comes back, as much of it
 * has failed as the refunds are `over` what is refunded there.
 */
async function failUnnamed(
  tx: Tx,
  services: FailServices,
  order: OrderRow,
  rest: readonly RefundRow[],
  { seen, over }: { seen: readonly ProviderRefund[]; over: number },
): Promise<boolean> {
  const unnamed = rest.filter(
    (refund) => refund.provider_refund === null && !seen.some(({ key }) => key === refundKey(refund)),
  );
  let left = over;
  for (const refund of unnamed.toReversed()) {
    if (left <= 0) break;
    // What a removed dish cost is no part of the order's total any more, and so has no part that could stay.
    const part = refund.kind === 'line_removed' ? refund.amount : Math.min(left, refund.amount);
    left -= part;
    await failPart(tx, services, order, refund, part);
  }
  return left < over;
}

/** The rest of the refund stays, as one of its own. */
async function failPart(
  tx: Tx,
  services: FailServices,
  order: OrderRow,
  refund: RefundRow,
  part: number,
): Promise<void> {
  await tx.updateTable('refunds').set({ status: 'failed' }).where('id', '=', refund.id).execute();
  if (part < refund.amount) {
    const others = await refundsInForce(tx, order.id);
    const kept = planRefund(order, others, { amount: refund.amount - part });
    if ('fault' in kept) throw new Error(`refund of order ${order.id}: ${kept.fault}`);
    const by = { reason: '', actor: 'system', actorId: null };
    const payment = { id: refund.payment_id ?? '' };
    const row = await insertRefund(tx, services, order, {
      payment,
      plan: kept,
      kind: 'at_provider',
      status: 'succeeded',
      ...by,
    });
    await oweMail(tx, order, 'refunded', { now: services.now(), refundId: row.id });
    const lost = planRefund(order, [...others, row], { amount: part });
    if ('fault' in lost) throw new Error(`refund of order ${order.id}: ${lost.fault}`);
    await tx
      .updateTable('refunds')
      .set({ amount: lost.amount, tip: lost.tip, vat: JSON.stringify(lost.vat), lines: '[]' })
      .where('id', '=', refund.id)
      .execute();
  }
  await noteFailedRefund(tx, services, order, { amount: part, currency: refund.currency });
}

type FailServices = Pick<PaymentServices, 'admins' | 'config' | 'jobs' | 'mail' | 'menus' | 'now' | 'outbox'>;

/** Says in the order's history that a refund failed, and tells the owner: people have to make it in another way. */
export async function noteFailedRefund(
  tx: Tx,
  services: FailServices,
  order: OrderRow,
  { amount, currency }: Pick<RefundRow, 'amount' | 'currency'>,
): Promise<void> {
  await noteMoney(tx, services.outbox, order, {
    by: { actor: 'system', actorId: null },
    note: { kind: 'refund_failed', amount, currency },
    at: services.now(),
  });
  await alertOfFailedRefund(tx, services, order, { amount, currency });
}
