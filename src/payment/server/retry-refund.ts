import { m } from '#messages';
import type { Tx } from '#database/schema.ts';
import { lockKnownOrder, noteMoney } from '#ordering/server/change-orders.ts';
import { oweMail } from '#ordering/server/mails/send-order-mails.ts';
import { findAtBank } from '#payment/server/bank/read-disputes.ts';
import { haveKeysEnded } from '#payment/server/keys/ended-keys.ts';
import { lockPayment } from '#payment/server/lock-payment.ts';
import { refundQueue, type RefundJob } from '#payment/server/owed.ts';
import { kindsBesideTotal, planRefund, type RefundPlan } from '#payment/refund-rules.ts';
import { insertRefund } from '#payment/server/insert-refund.ts';
import { readRefundStates } from '#payment/server/read-balance.ts';
import { countRefunded, refundsInForce, type RefundRow } from '#payment/server/refund-rows.ts';
import type { OrderRow } from '#ordering/server/present-order.ts';
import { AppError } from '#platform/errors.ts';
import type { PaymentServices } from '#payment/server/services.ts';

/**
 * Tries a failed refund again at the provider, or records that it was made by hand instead, and returns its id. If only a part
 * is due, that becomes a refund of its own: what the payer got back in another way stays failed, to be due if that comes back.
 */
export async function retryRefund(
  tx: Tx,
  services: Pick<PaymentServices, 'jobs' | 'menus' | 'now' | 'outbox'>,
  { id, by, actor, actorId }: { id: string; by: 'provider' | 'hand'; actor: string; actorId: string | null },
): Promise<string> {
  const found = await tx.selectFrom('refunds').select('order_id').where('id', '=', id).executeTakeFirst();
  if (!found) throw new AppError('not_found', m.platform_not_found());
  const order = await lockKnownOrder(tx, found.order_id);
  const refund = await tx
    .selectFrom('refunds')
    .selectAll()
    .where('id', '=', id)
    .forNoKeyUpdate()
    .executeTakeFirstOrThrow();
  if (refund.status !== 'failed') throw new AppError('conflict', m.payment_refund_not_failed());
  const amount = await dueToRetry(tx, order, refund, by);
  const through = by === 'hand' ? null : refund.payment_id;
  const made = await (amount < refund.amount
    ? retryPart(tx, services, order, refund, { amount, through })
    : retryWhole(tx, services, order, refund, through));
  if (through !== null) return made;
  const now = services.now();
  await oweMail(tx, order, 'refunded', { now, refundId: made });
  await noteMoney(tx, services.outbox, order, {
    ...(refund.kind !== 'late_payment' && { set: await countRefunded(tx, order) }),
    by: { actor, actorId },
    note: { kind: 'refund_by_hand', amount, currency: refund.currency },
    at: now,
  });
  return made;
}

/** The minor units of a failed refund that are due. Throws `conflict` where that cannot be made in this way. */
async function dueToRetry(tx: Tx, order: OrderRow, refund: RefundRow, by: 'provider' | 'hand'): Promise<number> {
  if (refund.payment_id === null) return refund.amount;
  const { payment } = await lockPayment(tx, { id: refund.payment_id, order_id: order.id });
  const isAtBank = (await findAtBank(tx, payment.id)) !== null;
  const { due = 0 } = (await readRefundStates(tx, [order.id])).get(refund.id) ?? {};
  // The money at the payer's bank would go back twice.
  if (isAtBank && (by === 'provider' || due === 0)) throw new AppError('conflict', m.payment_refund_disputed());
  if (by === 'provider' && (await haveKeysEnded(tx, payment.key_set))) {
    throw new AppError('conflict', m.payment_refund_keys_ended());
  }
  if (due === 0) throw new AppError('conflict', m.payment_refund_nothing_left());
  return due;
}

/** `through`: the payment, or null for one that is made by hand. */
async function retryWhole(
  tx: Tx,
  { jobs, now }: Pick<PaymentServices, 'jobs' | 'now'>,
  order: OrderRow,
  refund: RefundRow,
  through: string | null,
): Promise<string> {
  const { id, amount, attempts, lines } = refund;
  const at = now();
  // What was refunded since may have changed the VAT of an amount.
  const plan = lines.length > 0 ? null : await planAmount(tx, order, refund, amount);
  await tx
    .updateTable('refunds')
    .set(
      through === null
        ? { status: 'succeeded', payment_id: null, settled_at: at, check_at: null }
        : { status: 'pending', attempts: attempts + 1, check_at: at, settled_at: null, provider_refund: null },
    )
    .set(plan ? { tip: plan.tip, vat: JSON.stringify(plan.vat) } : {})
    .where('id', '=', id)
    .execute();
  if (through !== null) await jobs.send<RefundJob>(tx, refundQueue, { refund_id: id });
  return id;
}

async function retryPart(
  tx: Tx,
  services: Pick<PaymentServices, 'jobs' | 'menus' | 'now'>,
  order: OrderRow,
  refund: RefundRow,
  { amount, through }: { amount: number; through: string | null },
): Promise<string> {
  await tx
    .updateTable('refunds')
    .set({ amount: refund.amount - amount, tip: 0, vat: '[]', lines: '[]' })
    .where('id', '=', refund.id)
    .execute();
  const { id } = await insertRefund(tx, services, order, {
    payment: through === null ? undefined : { id: through },
    plan: await planAmount(tx, order, refund, amount),
    kind: refund.kind,
    partOf: refund.id,
    attempts: refund.attempts + 1,
    reason: refund.reason,
    actor: refund.actor,
    actorId: refund.actor_id,
  });
  return id;
}

/** What is none of the order's total has no VAT either. */
async function planAmount(tx: Tx, order: OrderRow, { kind }: RefundRow, amount: number): Promise<RefundPlan> {
  if (kindsBesideTotal.includes(kind)) return { amount, tip: 0, vat: [], lines: [] };
  const plan = planRefund(order, await refundsInForce(tx, order.id), { amount });
  if ('fault' in plan) throw new Error(`refund of order ${order.id}: ${plan.fault}`);
  return plan;
}
