import { sql } from 'kysely';
import type { Db } from '#database/schema.ts';
import { paymentCheckOrdersSql } from '#ordering/server/order-views.ts';
import { moneyTakenDisputeStatuses } from '#payment/bank-rules.ts';
import type { MoneyDisagreement, PaymentChecks } from '#payment/journal.ts';
import { findMoneyMismatches, type PaymentToCheck, type RefundToCheck } from '#payment/money-check.ts';
import { verifyChains } from '#payment/server/journal/chains.ts';

const batch = 500;
const maxListed = 200;

/** Compares orders, money and journals. Reads all orders and entries, in batches. */
export async function runPaymentChecks(db: Db, now: Date, storeId?: string): Promise<PaymentChecks> {
  const journals = await verifyChains(db, now);
  const { orders, disagreements } = await compareOrdersWithMoney(db, now, storeId);
  return { checked_at: now.toISOString(), journals, orders, disagreements, messages: await readMessages(db, now) };
}

/**
 * Compares the money of orders that have the payment method `card` or a payment at a provider. A migration filled
 * `refund_openings` with orders whose refunded sum differed from the sum of their refunds. These orders are compared as
 * well. Returns at most 200 disagreements.
 */
export async function compareOrdersWithMoney(
  db: Db,
  now: Date,
  storeId?: string,
): Promise<{ orders: number; disagreements: MoneyDisagreement[] }> {
  const disagreements: MoneyDisagreement[] = [];
  let count = 0;
  let after: string | null = null;
  for (;;) {
    const rows = await readOrders(db, after, storeId);
    for (const row of rows) {
      const { payments, refunds, is_marked_paid: isMarkedPaid, ...order } = row;
      const faults = findMoneyMismatches(
        { ...order, isMarkedPaid, payments: dated(payments), refunds: dated(refunds) },
        now,
      );
      for (const fault of faults) disagreements.push(present(row, fault));
    }
    count += rows.length;
    after = rows.at(-1)?.id ?? null;
    if (rows.length < batch || disagreements.length >= maxListed) break;
  }
  return { orders: count, disagreements: disagreements.slice(0, maxListed) };
}

/** A row that was read as JSON, so that its date is a string. */
type Written<T extends { since: Date }> = Omit<T, 'since'> & { since: string };

function readOrders(db: Db, after: string | null, storeId: string | undefined) {
  const payments = sql<Written<PaymentToCheck>[]>`(
    select coalesce(json_agg(json_build_object(
      'status', p.status, 'owed', p.owed, 'amount', p.amount, 'captured', p.captured, 'since', p.updated_at,
      'atBank', (
        select coalesce(sum(d.amount), 0)::int from payment_disputes d
        where d.payment_id = p.id and d.status in (${sql.join(moneyTakenDisputeStatuses)})
      ),
      'movements', (
        select coalesce(json_agg(json_build_object('kind', v.kind, 'amount', v.amount)), '[]')
        from payment_movements v where v.payment_id = p.id
      )
    ) order by p.id), '[]')
    from payments p where p.order_id = orders.id)`;
  const refunds = sql<Written<RefundToCheck>[]>`(
    select coalesce(json_agg(json_build_object(
      'status', r.status, 'kind', r.kind, 'amount', r.amount, 'isByHand', r.payment_id is null, 'since', r.created_at,
      'isWaiting', exists (
        select from payment_disputes d
        where d.payment_id = r.payment_id and d.status in (${sql.join(moneyTakenDisputeStatuses)})
      )
    )), '[]')
    from refunds r where r.order_id = orders.id)`;
  let query = db
    .selectFrom(paymentCheckOrdersSql.as('orders'))
    .selectAll('orders')
    .select([payments.as('payments'), refunds.as('refunds')])
    .select(sql<string | null>`(select p.currency from payments p where p.order_id = orders.id limit 1)`.as('currency'))
    .where(
      sql<boolean>`(orders.payment_method = 'card' or exists (select from payments p where p.order_id = orders.id)
        or exists (select from refund_openings u where u.order_id = orders.id))`,
    )
    .orderBy('orders.id')
    .limit(batch);
  if (after !== null) query = query.where('orders.id', '>', after);
  if (storeId !== undefined) query = query.where('orders.store_id', '=', storeId);
  return query.execute();
}

type Row = Awaited<ReturnType<typeof readOrders>>[number];

function dated<T extends { since: string }>(rows: readonly T[]): (Omit<T, 'since'> & { since: Date })[] {
  return rows.map((row) => ({ ...row, since: new Date(row.since) }));
}

function present(row: Row, fault: Pick<MoneyDisagreement, 'kind' | 'expected' | 'found'>): MoneyDisagreement {
  const { id, number, store_id, trading_day, status, payment_status, currency } = row;
  const order = { order_id: id, order_number: String(number), store_id, trading_day, status, payment_status };
  return { ...order, ...fault, currency };
}

async function readMessages(db: Db, now: Date): Promise<PaymentChecks['messages']> {
  const { rows } = await sql<{ last_at: Date | null; waiting: number; failed: number; refused: number }>`
    select
      (select max(received_at) from payment_events) as last_at,
      (select count(*)::int from payment_events where check_at is not null) as waiting,
      (select count(*)::int from payment_events
        where outcome = 'failed' and received_at > ${now}::timestamptz - interval '30 days') as failed,
      (select coalesce(sum(count), 0)::int from payment_refused_webhooks
        where hour > ${now}::timestamptz - interval '24 hours') as refused`.execute(db);
  const { last_at = null, waiting = 0, failed = 0, refused = 0 } = rows[0] ?? {};
  return { last_at: last_at?.toISOString() ?? null, waiting, failed, refused };
}
