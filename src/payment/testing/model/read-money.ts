import { sql } from 'kysely';
import type Stripe from 'stripe';
import type { MovementKind } from '#database/column-values.ts';
import { preparedStatementHint } from '#database/connect.ts';
import type { OrderRow } from '#ordering/server/present-order.ts';
import type { PaymentRow } from '#payment/server/owed-calls.ts';
import type { DisputeStatus } from '#payment/bank.ts';
import { dueAmountOfRefund } from '#payment/balance.ts';
import type { RefundRow } from '#payment/server/ledger.ts';
import type { ShopBench } from '#payment/testing/model/shop-bench.ts';

/**
 * An order with its money, as the shop knows it and as it is at Stripe. Amounts in pence, times as PostgreSQL writes
 * them.
 */
export interface OrderMoney {
  order: KnownOrder;
  /** Oldest first. */
  payments: KnownPayment[];
  refunds: KnownRefund[];
  movements: { payment_id: string; kind: MovementKind; amount: number }[];
  /** As far as the shop has heard. */
  disputes: { payment_id: string; status: DisputeStatus; amount: number }[];
  mails: { kind: string; refund_id: string | null }[];
  atStripe: StripeMoney[];
}

export type KnownOrder = Pick<
  OrderRow,
  'id' | 'status' | 'payment_method' | 'payment_status' | 'total' | 'refunded'
> & { placed_at: string | null; accepted_at: string | null };
export type KnownPayment = Pick<
  PaymentRow,
  'id' | 'status' | 'owed' | 'failure' | 'amount' | 'captured' | 'reference'
> & {
  check_at: string | null;
};
export type KnownRefund = Pick<RefundRow, 'id' | 'status' | 'kind' | 'amount' | 'payment_id'> & {
  /** What the office lists as still to be given back. */
  due: number;
};

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
  /** The part of it that the owner made on Stripe's page: the shop names its own. */
  refundedByOwner: number;
  /** What the payer's bank took back, for now or for good. */
  atBank: number;
  held: number;
}

type ShopMoney = Omit<OrderMoney, 'atStripe'>;
/** What a shop had when it was read last. */
const known = new WeakMap<ShopBench, { writes: number; rows: readonly { money: ShopMoney }[] }>();

export async function readMoney(shop: ShopBench): Promise<OrderMoney[]> {
  const writes = shop.writes();
  const before = known.get(shop);
  const rows = before?.writes === writes ? before.rows : (await everything.execute(shop.db)).rows.map(withDue);
  known.set(shop, { writes, rows });
  const atStripe = readStripe(shop);
  return rows.map(({ money }) => ({
    ...money,
    atStripe: atStripe.filter(({ session }) => session.client_reference_id === money.order.id),
  }));
}

function withDue({ money }: { money: ShopMoney }): { money: ShopMoney } {
  return {
    money: { ...money, refunds: money.refunds.map((refund) => ({ ...refund, due: dueAmountOfRefund(money, refund) })) },
  };
}

/** One statement that is planned once: it follows each step. */
const everything = sql<{ money: ShopMoney }>`
  ${preparedStatementHint}
  select json_build_object(
    'order', (select one from (select o.id, o.status, o.payment_method, o.payment_status, o.total, o.refunded,
      o.placed_at, o.accepted_at) one),
    'payments', (select coalesce(json_agg(one order by one.id), '[]') from (
      select id, status, owed, failure, amount, captured, reference, check_at
      from payments where order_id = o.id) one),
    'refunds', (select coalesce(json_agg(one order by one.id), '[]') from (
      select id, status, kind, amount, payment_id from refunds where order_id = o.id) one),
    'movements', (select coalesce(json_agg(one), '[]') from (
      select payment_id, kind, amount from payment_movements where order_id = o.id) one),
    'disputes', (select coalesce(json_agg(one), '[]') from (
      select payment_id, status, amount from payment_disputes where order_id = o.id) one),
    'mails', (select coalesce(json_agg(one), '[]') from (
      select kind, refund_id from order_mails where order_id = o.id) one)
  ) as money
  from orders o order by o.id`;

function readStripe({ stripe }: ShopBench): StripeMoney[] {
  const { tables } = stripe.control.books();
  const movements = [...tables.balance_transaction.values()];
  const disputes = [...tables.dispute.values()];
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
      atBank: sum(disputes.filter((dispute) => dispute.charge === charge?.id && isTakenBack(dispute))),
      refunded: sum(refunds.filter(isMade)),
      refundedByOwner: sum(refunds.filter((refund) => isMade(refund) && !refund.metadata?.['refund_key'])),
      held: intent?.status === 'requires_capture' ? intent.amount_capturable : 0,
    };
  });
}

function isMade({ status }: Stripe.Refund): boolean {
  return status !== 'failed' && status !== 'canceled';
}

function isTakenBack({ status }: Stripe.Dispute): boolean {
  return status === 'needs_response' || status === 'lost';
}

/** For people who look for a mistake. */
export function inWords({ order, payments, refunds, movements, disputes, atStripe }: OrderMoney): string {
  const { id, status, payment_method: method, payment_status: says, total, refunded } = order;
  return [
    `order ${id}: ${status}, ${method}, ${says}, costs ${total}, refunded ${refunded}`,
    ...payments.map(
      (row) =>
        `  payment ${row.id}: ${row.status}, owes ${row.owed}, ${row.failure}, captured ${row.captured}, ${row.reference}`,
    ),
    ...refunds.map((row) => `  refund: ${row.status}, ${row.kind}, ${row.amount} of ${row.payment_id}`),
    ...movements.map((row) => `  movement: ${row.kind} ${row.amount} of ${row.payment_id}`),
    ...disputes.map((row) => `  dispute: ${row.status}, ${row.amount} of ${row.payment_id}`),
    ...atStripe.map(
      ({ session, intent, captured, refunded: back, held, atBank }) =>
        `  ${session.id}: ${session.status}, ${intent?.status}, captured ${captured}, refunded ${back}, held ${held}, ` +
        `taken back ${atBank}`,
    ),
  ].join('\n');
}

export function sum(rows: readonly { amount: number }[]): number {
  return rows.reduce((all, { amount }) => all + amount, 0);
}

function idOf(field: string | { id: string } | null | undefined): string {
  return (typeof field === 'string' ? field : field?.id) ?? '';
}
