import type { Tx } from '#database/schema.ts';
import { noteMoney } from '#ordering/server/change-orders.ts';
import type { OrderRow } from '#ordering/server/present-order.ts';
import { refundKey } from '#payment/pair-refunds.ts';
import { oweMail } from '#ordering/server/mails/send-order-mails.ts';
import type { PaymentStep, ProviderPayment, ProviderRefund } from '#payment/payment-state.ts';
import { planRefund, sumOf } from '#payment/refund-rules.ts';
import { alertOfFailedRefund } from '#payment/server/alert-refund.ts';
import { paysOrder } from '#payment/balance.ts';
import type { LockedPayment } from '#payment/server/lock-payment.ts';
import { readBalance } from '#payment/server/read-balance.ts';
import { insertRefund } from '#payment/server/insert-refund.ts';
import { type RefundRow, refundsInForce } from '#payment/server/refund-rows.ts';
import type { PaymentServices } from '#payment/server/services.ts';

/**
 * Marks refunds as failed that were made, and whose money the payer's bank has sent back since: people have to give it
 * back in another way. `order` is as the payment that comes to `status` leaves it, which then owes `owed`. Returns whether any of them counts as
 * refunded of the order.
 */
export async function failRefunds(
  tx: Tx,
  services: FailServices,
  { order, payment, isLatest }: LockedPayment,
  { status, owed }: Pick<PaymentStep, 'status' | 'owed'>,
  { refundList: seen = [], refunded = 0 }: Pick<ProviderPayment, 'refundList' | 'refunded'>,
): Promise<boolean> {
  const failed = seen.filter(({ status }) => status === 'failed');
  if (failed.length === 0) return false;
  const all = await tx.selectFrom('refunds').selectAll().where('payment_id', '=', payment.id).orderBy('id').execute();
  const made = all.filter(({ status }) => status === 'succeeded');
  // One that the owner made at the provider has still the key of the call that failed before.
  const isOf = (refund: RefundRow, { id, key }: ProviderRefund) =>
    refund.provider_refund === null ? key === refundKey(refund) : id === refund.provider_refund;
  const back = made.filter((refund) => failed.some((found) => isOf(refund, found)));
  for (const refund of back) {
    await tx.updateTable('refunds').set({ status: 'failed' }).where('id', '=', refund.id).execute();
    await noteFailedRefund(tx, services, order, refund);
  }
  const rest = made.filter((refund) => !back.includes(refund));
  // What went back of a payment that its order did not need has no row as long as nobody has to look after it.
  const isOver = owed === null && !paysOrder({ order, isLatest }, status);
  if (isOver) await failLateRefund(tx, services, { order, payment, isLatest });
  const isLost = await failUnnamed(tx, services, order, rest, { seen, over: sumOf(rest) - refunded });
  return back.some(({ kind }) => kind !== 'late_payment') || isLost;
}

/**
 * Writes what the payer has not got back of a payment that did not pay its order as a failed refund, for people to make.
 * Does nothing if there is one already.
 */
export async function failLateRefund(tx: Tx, services: FailServices, locked: LockedPayment): Promise<void> {
  const { order, payment } = locked;
  const forPeople = await tx
    .selectFrom('refunds')
    .select('amount')
    .where('payment_id', '=', payment.id)
    .where('status', '=', 'failed')
    .execute();
  const amount = (await readBalance(tx, locked)).left - sumOf(forPeople);
  if (amount <= 0) return;
  const refund = await insertRefund(tx, services, order, {
    payment,
    plan: { amount, tip: 0, vat: [], lines: [] },
    kind: 'late_payment',
    status: 'failed',
    reason: '',
    actor: 'system',
    actorId: null,
  });
  await noteFailedRefund(tx, services, order, refund);
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
      partOf: refund.id,
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
  await noteFailedRefund(tx, services, order, { ...refund, amount: part });
}

type FailServices = Pick<PaymentServices, 'admins' | 'config' | 'jobs' | 'mail' | 'menus' | 'now' | 'outbox'>;

/** Says in the history that a refund failed, and tells the customer and the owner, who has to make it in another way. */
export async function noteFailedRefund(
  tx: Tx,
  services: FailServices,
  order: OrderRow,
  { id, amount, currency }: Pick<RefundRow, 'id' | 'amount' | 'currency'>,
): Promise<void> {
  await oweMail(tx, order, 'refund_failed', { now: services.now(), refundId: id });
  await noteMoney(tx, services.outbox, order, {
    by: { actor: 'system', actorId: null },
    note: { kind: 'refund_failed', amount, currency },
    at: services.now(),
  });
  await alertOfFailedRefund(tx, services, order, { amount, currency });
}
