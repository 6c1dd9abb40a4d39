import type { Selectable } from 'kysely';
import type { PaymentsTable, Tx } from '#database/schema.ts';
import { lockKnownOrder } from '#ordering/server/change-orders.ts';
import type { OrderRow } from '#ordering/server/present-order.ts';

export type PaymentRow = Selectable<PaymentsTable>;

export interface LockedPayment {
  order: OrderRow;
  payment: PaymentRow;
  isLatest: boolean;
}

/** All of an order's, oldest first, locked. The caller holds the order's lock. */
export function lockPayments(tx: Tx, orderId: string): Promise<PaymentRow[]> {
  return tx.selectFrom('payments').selectAll().where('order_id', '=', orderId).orderBy('id').forNoKeyUpdate().execute();
}

/** Locks the order and then the payment, always in this order, so that two changes of one order wait for each other. */
export async function lockPayment(
  tx: Tx,
  { order_id, id }: Pick<PaymentRow, 'id' | 'order_id'>,
): Promise<LockedPayment> {
  const order = await lockKnownOrder(tx, order_id);
  const payments = await lockPayments(tx, order_id);
  const payment = payments.find((row) => row.id === id);
  if (!payment) throw new Error(`payment ${id} is gone`);
  return { order, payment, isLatest: payments.at(-1)?.id === id };
}

/**
 * The captured payment of an order, the newest if there are several, locked. An order that was paid another way has
 * none: its captures did not pay it. The caller holds the order's lock.
 */
export async function capturedPayment(
  tx: Tx,
  { id, payment_method }: Pick<OrderRow, 'id' | 'payment_method'>,
): Promise<PaymentRow | undefined> {
  if (payment_method !== 'card') return undefined;
  return (await lockPayments(tx, id)).findLast(({ status }) => status === 'captured');
}
