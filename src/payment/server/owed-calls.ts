import { m } from '#messages';
import type { Db, PaymentsTable, Tx } from '#database/schema.ts';
import type { OwedProviderCall, PaymentAttemptStatus } from '#payment/payment-state.ts';
import { AppError } from '#platform/errors.ts';
import { isHoldTimeOver } from '#ordering/payment-status.ts';
import type { OrderRow } from '#ordering/server/present-order.ts';
import type { Jobs } from '#database/jobs/jobs.ts';
import type { Selectable, Updateable } from 'kysely';
import { lockReferencedOrder } from '#ordering/server/change-orders.ts';

export const owedCallQueues = { capture: 'payment.capture', release: 'payment.release' } as const;
export type OwedCallJob = { payment_id: string };
export const refundQueue = 'payment.refund';
export type RefundJob = { refund_id: string };

/** The idempotency key of a call. The key stays the same until the provider refuses the call. */
export function providerCallIdempotencyKey(
  { order_id, id, attempts }: PaymentRow,
  call: 'checkout' | 'capture' | 'void' | 'refund',
): string {
  return `order:${order_id}:payment:${id}:${call}:${attempts}`;
}

/** Gives a payment the next idempotency key after a refusal, because a repeated key would get the same answer. */
export async function renewIdempotencyKey(
  db: Db,
  { id, attempts }: Pick<PaymentRow, 'id' | 'attempts'>,
  also: { capture_amount: null } | { updated_at: Date },
): Promise<void> {
  await db
    .updateTable('payments')
    .set({ attempts: attempts + 1, ...also })
    .where('id', '=', id)
    .where('attempts', '=', attempts)
    .execute();
}

/** Milliseconds after which a new payment is checked if no webhook arrived. */
export const firstPaymentCheckDelayMs = 20_000;
/** Replaces `firstPaymentCheckDelayMs` while no webhook has ever arrived. */
export const noWebhookCheckDelayMs = 4_000;

/** Milliseconds after which the sweep makes owed calls and refunds, in case their job was lost. */
export const owedCallSweepDelayMs = 20_000;

/**
 * Queues the capture of an accepted order's payment. Throws `hold_ended` if the hold has ended, so that nobody cooks an
 * order that cannot be charged.
 */
export async function queueCapture(tx: Tx, jobs: Jobs, order: OrderRow): Promise<void> {
  if (order.payment_method !== 'card') return;
  const payment = (await lockPayments(tx, order.id)).findLast(
    ({ status, owed }) => status === 'authorised' && owed === null,
  );
  const now = order.accepted_at ?? new Date();
  if (order.payment_status === 'voided' || (payment && isHoldTimeOver(payment.held_until, now))) {
    throw new AppError('hold_ended', m.payment_hold_ended());
  }
  if (payment) await queueOwedCall(tx, jobs, payment, 'capture', now);
}

/** Closes the open pages of an order on which the customer must not pay any more. */
export async function closePaymentPages(tx: Tx, jobs: Jobs, orderId: string, now: Date): Promise<void> {
  await releaseOrderPayments(tx, jobs, orderId, now, ['pending']);
}

/**
 * Releases the payments of an order that ends or is paid in another way: closes open pages, voids holds, refunds
 * captures.
 */
export async function releaseOrderPayments(
  tx: Tx,
  jobs: Jobs,
  orderId: string,
  now: Date,
  states: readonly PaymentAttemptStatus[] = ['pending', 'authorised', 'captured'],
): Promise<void> {
  for (const payment of await lockPayments(tx, orderId)) {
    if (!states.includes(payment.status) || payment.owed === 'release') continue;
    if (payment.reference !== null) await queueOwedCall(tx, jobs, payment, 'release', now);
    // The payment's page was never shown, so nobody can have paid on it.
    else await updatePayment(tx, payment.id, { status: 'voided', owed: null, check_at: null, updated_at: now });
  }
}

export async function queueOwedCall(
  tx: Tx,
  jobs: Jobs,
  payment: Pick<PaymentRow, 'id'>,
  act: OwedProviderCall,
  now: Date,
): Promise<void> {
  const checkAt = new Date(now.getTime() + owedCallSweepDelayMs);
  await updatePayment(tx, payment.id, { owed: act, check_at: checkAt, updated_at: now });
  await jobs.send<OwedCallJob>(tx, owedCallQueues[act], { payment_id: payment.id });
}

export type PaymentRow = Selectable<PaymentsTable>;

export async function updatePayment(tx: Tx, id: string, set: Updateable<PaymentsTable>): Promise<void> {
  await tx.updateTable('payments').set(set).where('id', '=', id).execute();
}

export interface LockedPayment {
  order: OrderRow;
  payment: PaymentRow;
  isLatest: boolean;
}

/** Locks and returns an order's payments, oldest first. The caller holds the order's lock. */
export function lockPayments(tx: Tx, orderId: string): Promise<PaymentRow[]> {
  return tx.selectFrom('payments').selectAll().where('order_id', '=', orderId).orderBy('id').forNoKeyUpdate().execute();
}

/** Locks a payment, and its order first, so that changes of one order are serialised and cannot deadlock. */
export async function lockPayment(
  tx: Tx,
  { order_id, id }: Pick<PaymentRow, 'id' | 'order_id'>,
): Promise<LockedPayment> {
  const order = await lockReferencedOrder(tx, order_id);
  const payments = await lockPayments(tx, order_id);
  const payment = payments.find((row) => row.id === id);
  if (!payment) throw new Error(`payment ${id} is gone`);
  return { order, payment, isLatest: payments.at(-1)?.id === id };
}

/**
 * Locks and returns an order's newest captured payment; undefined if there is none, or if the order was paid in another
 * way.
 */
export async function lockCapturedPayment(
  tx: Tx,
  { id, payment_method }: Pick<OrderRow, 'id' | 'payment_method'>,
): Promise<PaymentRow | undefined> {
  if (payment_method !== 'card') return undefined;
  return (await lockPayments(tx, id)).findLast(({ status }) => status === 'captured');
}
