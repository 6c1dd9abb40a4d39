import { sql } from 'kysely';
import type { Db } from '#database/schema.ts';
import { moneyOrders } from '#ordering/server/order-views.ts';
import { type Balance, balanceOf, dueOf, type MoneyFacts, problemOf } from '#payment/balance.ts';
import type { RefundProblem } from '#payment/refund.ts';
import type { LockedPayment } from '#payment/server/lock-payment.ts';

type Read = MoneyFacts & { endedKeys: readonly string[] };

/** The facts from which balances of an order's payments follow. `endedKeys`: the payments whose keys have ended. */
export const moneyFacts = sql<Read>`json_build_object(
  'order', json_build_object('payment_method', o.payment_method, 'payment_status', o.payment_status, 'total', o.total),
  'payments', (select coalesce(json_agg(one order by one.id), '[]') from (
    select id, status, amount, captured from payments where order_id = o.id) one),
  'refunds', (select coalesce(json_agg(one order by one.id), '[]') from (
    select id, payment_id, status, kind, amount from refunds where order_id = o.id) one),
  'disputes', (select coalesce(json_agg(one), '[]') from (
    select payment_id, status, amount from payment_disputes where order_id = o.id) one),
  'movements', (select coalesce(json_agg(one), '[]') from (
    select payment_id, kind, amount from payment_movements where order_id = o.id) one),
  'endedKeys', (select coalesce(json_agg(p.id), '[]') from payments p
    join payment_key_sets k on k.id = p.key_set where p.order_id = o.id and k.ended_at is not null))`;

async function readFacts(db: Db, orderIds: readonly string[]): Promise<Read[]> {
  if (orderIds.length === 0) return [];
  const { rows } = await sql<{ facts: Read }>`
    select ${moneyFacts} as facts from ${moneyOrders} o where o.id = any(${orderIds}::uuid[])`.execute(db);
  return rows.map(({ facts }) => facts);
}

export async function readMoneyFacts(db: Db, orderId: string): Promise<MoneyFacts> {
  const [facts] = await readFacts(db, [orderId]);
  if (!facts) throw new Error(`order ${orderId} is gone`);
  return facts;
}

/** The balance of a payment as `order` leaves it, which may not be written yet. */
export async function readBalance(db: Db, { order, payment }: LockedPayment): Promise<Balance> {
  return balanceOf({ ...(await readMoneyFacts(db, order.id)), order }, payment.id);
}

export interface RefundState {
  due: number;
  problem: RefundProblem | null;
}

/** By id of each refund of these orders: the amount due, and why it is not made. */
export async function readRefundStates(db: Db, orderIds: readonly string[]): Promise<Map<string, RefundState>> {
  const all = await readFacts(db, [...new Set(orderIds)]);
  return new Map(
    all.flatMap(({ endedKeys, ...facts }) =>
      facts.refunds.map((refund): [string, RefundState] => {
        const haveKeysEnded = refund.payment_id !== null && endedKeys.includes(refund.payment_id);
        return [refund.id, { due: dueOf(facts, refund), problem: problemOf(facts, refund, haveKeysEnded) }];
      }),
    ),
  );
}
