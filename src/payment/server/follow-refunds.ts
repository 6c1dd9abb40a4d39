import type { Tx } from '#database/schema.ts';
import type { OrderMoney } from '#ordering/server/change-orders.ts';
import { oweMail } from '#ordering/server/mails/send-order-mails.ts';
import { capturedOf, type PaymentStep, type ProviderPayment } from '#payment/payment-state.ts';
import { paysOrder } from '#payment/balance.ts';
import { readRefundStates } from '#payment/server/read-balance.ts';
import type { LockedPayment } from '#payment/server/lock-payment.ts';
import { planRefund, refundable, sumOf } from '#payment/refund-rules.ts';
import { pairRefunds } from '#payment/pair-refunds.ts';
import { insertRefund, type NewRefund } from '#payment/server/insert-refund.ts';
import type { PaymentRow } from '#payment/server/owed.ts';
import { countRefunded, type RefundRow, refundsInForce } from '#payment/server/refund-rows.ts';
import type { PaymentServices } from '#payment/server/services.ts';

/**
 * Settles the refunds found at the provider, including `settled`, of a payment that comes to `status`; other refunds there (an
 * order ended after it was paid, or a refund made at the provider) get rows of their own, so that the refunds always
 * add up to the refunded money. Returns the order's new money columns, null if nothing changed.
 */
export async function followRefunds(
  tx: Tx,
  services: Pick<PaymentServices, 'jobs' | 'menus' | 'now'>,
  { order, payment, isLatest }: LockedPayment,
  { status }: Pick<PaymentStep, 'status'>,
  seen: ProviderPayment,
  settled?: string,
): Promise<OrderMoney | null> {
  const back = seen.refunded ?? (seen.state === 'refunded' ? capturedOf(seen) : 0);
  // The refund of a dish that was taken off may come after those of the whole total.
  const isOwn = paysOrder({ order, isLatest }, status);
  if (back === 0) return null;
  const now = services.now();
  const ours = await refundsInForce(tx, order.id);
  const gone = ours.filter(
    ({ id, status, kind, payment_id }) =>
      status === 'pending' &&
      (isOwn ? kind !== 'late_payment' : payment_id === payment.id) &&
      (id === settled || seen.state === 'refunded'),
  );
  for (const { id, kind, attempts } of gone) {
    await tx
      .updateTable('refunds')
      .set({ status: 'succeeded', settled_at: now, check_at: null })
      .where('id', '=', id)
      .execute();
    // What goes back for a removed line was said when it was removed; not that it does after all, once it had failed.
    if (kind !== 'line_removed' || attempts > 1) await oweMail(tx, order, 'refunded', { now, refundId: id });
  }
  if (!isOwn) return null;
  const all = [...ours];
  // What has no room beside refunds on their way waits: they will be refused, and leave it theirs.
  const mayLeave = ours.some((refund) => refund.status === 'pending' && !gone.includes(refund));
  for (const { amount, ...found } of unknownRefunds(payment, ours, seen, back)) {
    const remade = await makeFailed(tx, payment, found, amount, now);
    if (remade) {
      await oweMail(tx, order, 'refunded', { now, refundId: remade.id });
      all.push(remade);
      continue;
    }
    const room = refundable(order, all);
    const plan = planRefund(order, all, { amount: amount > room && mayLeave ? 0 : Math.min(amount, room) });
    if ('fault' in plan) throw new Error(`refund of order ${order.id}: ${plan.fault}`);
    if (plan.amount === 0) continue;
    const made = { payment, plan, ...found, status: 'succeeded', reason: '', actor: 'system', actorId: null } as const;
    const row = await insertRefund(tx, services, order, made);
    await oweMail(tx, order, 'refunded', { now, refundId: row.id });
    all.push(row);
  }
  if (gone.length === 0 && all.length === ours.length) return null;
  return countRefunded(tx, order);
}

/**
 * The newest failed refund of which as much is due as somebody refunded at the provider: that is this refund, made there. null:
 * there is none.
 */
async function makeFailed(
  tx: Tx,
  payment: PaymentRow,
  { kind, providerRefund }: Omit<Found, 'amount'>,
  amount: number,
  now: Date,
): Promise<RefundRow | null> {
  if (kind !== 'at_provider' || providerRefund === undefined) return null;
  const failed = await tx
    .selectFrom('refunds')
    .select(['id', 'amount'])
    .where('payment_id', '=', payment.id)
    .where('status', '=', 'failed')
    .where('kind', '!=', 'late_payment')
    .orderBy('id', 'desc')
    .execute();
  const states = await readRefundStates(tx, failed.length > 0 ? [payment.order_id] : []);
  const same = failed.find((refund) => refund.amount === amount && states.get(refund.id)?.due === amount);
  if (!same) return null;
  return tx
    .updateTable('refunds')
    .set({ status: 'succeeded', settled_at: now, check_at: null, provider_refund: providerRefund })
    .where('id', '=', same.id)
    .returningAll()
    .executeTakeFirstOrThrow();
}

type Found = Pick<NewRefund, 'kind' | 'providerRefund'> & { amount: number };

/**
 * Refunds at the provider that have no row yet, each by itself, because each may fail; one sum where it does not list
 * them.
 */
function unknownRefunds(
  payment: PaymentRow,
  ours: readonly RefundRow[],
  { refundList }: ProviderPayment,
  back: number,
): Found[] {
  const through = ours.filter(({ payment_id }) => payment_id === payment.id);
  if (!refundList) {
    const amount = back - sumOf(through);
    return amount > 0 ? [{ amount, kind: payment.owed === 'release' ? 'order_ended' : 'at_provider' }] : [];
  }
  const known = new Set([...pairRefunds(through, refundList).values(), ...through.map((row) => row.provider_refund)]);
  return refundList
    .filter(({ id, status }) => status !== 'failed' && !known.has(id))
    .map(({ id, key, amount }) => ({
      amount,
      kind: key?.startsWith('order:') ? 'order_ended' : 'at_provider',
      providerRefund: id,
    }));
}
