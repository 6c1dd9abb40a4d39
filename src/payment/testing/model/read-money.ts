import type { Selectable } from 'kysely';
import type Stripe from 'stripe';
import type { PaymentMovementsTable } from '#database/schema.ts';
import type { OrderRow } from '#ordering/server/present-order.ts';
import type { PaymentRow } from '#payment/server/owed.ts';
import type { RefundRow } from '#payment/server/refund-rows.ts';
import type { ShopBench } from '#payment/testing/model/shop-bench.ts';

/** An order with its money, as the shop knows it and as it is at Stripe. Amounts in pence. */
export interface OrderMoney {
  order: OrderRow;
  /** Oldest first. */
  payments: PaymentRow[];
  refunds: RefundRow[];
  movements: Selectable<PaymentMovementsTable>[];
  mails: { kind: string; refund_id: string | null }[];
  atStripe: StripeMoney[];
}

/** What one payment has at Stripe. */
export interface StripeMoney {
  paymentId: string;
  session: Stripe.Checkout.Session;
  /** Undefined until somebody tries to pay. */
  intent: Stripe.PaymentIntent | undefined;
  captured: number;
  /** How often it was charged. */
  charges: number;
  /** Without refunds that failed. */
  refunded: number;
  held: number;
}

export async function readMoney(shop: ShopBench): Promise<OrderMoney[]> {
  const { db } = shop;
  const atStripe = readStripe(shop);
  const orders = await db.selectFrom('orders').selectAll().orderBy('id').execute();
  const payments = await db.selectFrom('payments').selectAll().orderBy('id').execute();
  const refunds = await db.selectFrom('refunds').selectAll().orderBy('id').execute();
  const movements = await db.selectFrom('payment_movements').selectAll().execute();
  const mails = await db.selectFrom('order_mails').select(['order_id', 'kind', 'refund_id']).execute();
  return orders.map((order) => {
    const own = <Row extends { order_id: string }>(rows: readonly Row[]) =>
      rows.filter(({ order_id }) => order_id === order.id);
    return {
      order,
      payments: own(payments),
      refunds: own(refunds),
      movements: own(movements),
      mails: own(mails),
      atStripe: atStripe.filter(({ session }) => session.client_reference_id === order.id),
    };
  });
}

function readStripe({ stripe }: ShopBench): StripeMoney[] {
  const { tables } = stripe.control.books();
  const movements = [...tables.balance_transaction.values()];
  return [...tables['checkout.session'].values()].map((session) => {
    const intent = tables.payment_intent.get(idOf(session.payment_intent));
    const charge = tables.charge.get(idOf(intent?.latest_charge));
    const refunds = [...tables.refund.values()].filter(({ payment_intent }) => idOf(payment_intent) === intent?.id);
    return {
      paymentId: session.metadata?.['payment_id'] ?? '',
      session,
      intent,
      captured: intent?.amount_received ?? 0,
      charges: movements.filter(
        ({ source, type }) => (type === 'charge' || type === 'payment') && source === charge?.id,
      ).length,
      refunded: sum(refunds.filter(({ status }) => status !== 'failed' && status !== 'canceled')),
      held: intent?.status === 'requires_capture' ? intent.amount_capturable : 0,
    };
  });
}

/** For people who look for a mistake. */
export function inWords({ order, payments, refunds, movements, atStripe }: OrderMoney): string {
  const { id, status, payment_method: method, payment_status: says, total, refunded } = order;
  return [
    `order ${id}: ${status}, ${method}, ${says}, costs ${total}, refunded ${refunded}`,
    ...payments.map(
      (row) =>
        `  payment ${row.id}: ${row.status}, owes ${row.owed}, ${row.failure}, captured ${row.captured}, ${row.reference}`,
    ),
    ...refunds.map((row) => `  refund: ${row.status}, ${row.kind}, ${row.amount} of ${row.payment_id}`),
    ...movements.map((row) => `  movement: ${row.kind} ${row.amount} of ${row.payment_id}`),
    ...atStripe.map(
      ({ session, intent, captured, refunded: back, held }) =>
        `  ${session.id}: ${session.status}, ${intent?.status}, captured ${captured}, refunded ${back}, held ${held}`,
    ),
  ].join('\n');
}

export function sum(rows: readonly { amount: number }[]): number {
  return rows.reduce((all, { amount }) => all + amount, 0);
}

function idOf(field: string | { id: string } | null | undefined): string {
  return (typeof field === 'string' ? field : field?.id) ?? '';
}
