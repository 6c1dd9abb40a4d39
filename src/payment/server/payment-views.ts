import { type Selectable, sql } from 'kysely';
import { refundKindsOutsideTotal } from '#payment/refund-rules.ts';
import type { PaymentMode } from '#database/column-values.ts';
import { sqlLiterals } from '#database/connect.ts';
import type { Db, PaymentsTable } from '#database/schema.ts';
import { calledOffStatuses } from '#ordering/order-status.ts';
import { reportedOrdersSql } from '#ordering/server/order-views.ts';
import type { FailedRefund, OrderRefundRow } from '#ordering/server/services.ts';
import { moneyTakenDisputeStatuses } from '#payment/bank-rules.ts';
import { readRefundStates } from '#payment/server/ledger.ts';
import { cardProviderNames, cardProviderOf } from '#platform/card-providers.ts';
import { type OrderTimelineEntry, createTimelineEntry } from '#database/order-timeline-entry.ts';

/* SQL with which other domains read payments and refunds in their own statements. */

/** The newest payment of the row `orders` of a query, as JSON. */
export const latestPaymentSql = sql<Selectable<PaymentsTable> | null>`(
  select row_to_json(p) from payments p where p.order_id = orders.id order by p.id desc limit 1)`;

/** The names of providers that move no money, such as the sandbox. */
const practice = cardProviderNames.filter((name) => cardProviderOf(name).label === null);

/**
 * The kind of keys with which the row `orders` of a query was charged; null: not charged by card through a provider.
 */
export const cardModeOfOrderSql = sql<PaymentMode | 'sandbox' | null>`(
  select case when p.provider = any(${practice}::text[]) then 'sandbox' else k.mode end
  from payments p left join payment_key_sets k on k.id = p.key_set
  where p.order_id = orders.id and p.status in ('captured', 'refunded') and orders.payment_method = 'card'
  order by p.id desc limit 1)`;

/** Whether the row `orders` of a query was paid by a card payment that moved no money. */
export const isTestMoneySql = sql<boolean>`(orders.payment_method = 'card' and exists (
  select from payments p
  where p.order_id = orders.id and p.is_test and p.status in ('captured', 'refunded') and not exists (
    select from payments later
    where later.order_id = p.order_id and later.id > p.id and later.status in ('captured', 'refunded')
      and not later.is_test)))`;

/**
 * The refunds of the row `orders` of a query, oldest first, and the disputed sums of its latest payment, as JSON. Empty
 * unless lines were removed, the order was called off, or a refund failed: only texts about these cases use the
 * refunds. `readFailedRefunds` reads the due amounts.
 */
export const refundsOfOrderSql = sql<OrderRefundRow[]>`case
  when orders.removed_refunded = 0 and orders.status not in (${sqlLiterals(calledOffStatuses)})
    and (select r.id from refunds r where r.order_id = orders.id and r.status = 'failed' limit 1) is null
    then '[]'::json
  else (
    select coalesce(json_agg(row), '[]') from (
      (select r.id, case r.kind when 'line_removed' then 'removed' when 'late_payment' then 'late' else 'total' end as kind, r.amount,
        r.status, r.payment_id is null as is_by_hand, case when r.status = 'pending' and exists (
          select from payment_disputes d where d.payment_id = r.payment_id and d.status in (${sqlLiterals(moneyTakenDisputeStatuses)})
        ) then 'disputed' end as problem
      from refunds r where r.order_id = orders.id and (r.kind <> 'late_payment' or r.status = 'failed') order by r.id)
      union all
      (select null, 'bank', d.amount, case when d.status = 'lost' then 'failed' else 'pending' end, false, 'disputed'
      from payment_disputes d
      where d.order_id = orders.id and d.status in (${sqlLiterals(moneyTakenDisputeStatuses)})
        and d.payment_id = (select p.id from payments p where p.order_id = orders.id order by p.id desc limit 1)
      order by d.created_at)
    ) row) end`;

/**
 * The problem and the due amount of failed refunds, by the refund's id. If the payer's bank has taken the payment back,
 * the due amount is the refund's whole amount. Refunds that the payer got in another way are left out. This is a
 * separate query, because few orders have a failed refund.
 */
export async function readFailedRefunds(db: Db, ids: readonly string[]): Promise<Map<string, FailedRefund>> {
  const rows = await db.selectFrom('refunds').select(['id', 'order_id', 'amount']).where('id', 'in', ids).execute();
  const states = await readRefundStates(
    db,
    rows.map(({ order_id }) => order_id),
  );
  return new Map(
    rows.flatMap(({ id, amount }): [string, FailedRefund][] => {
      const { problem = null, due = 0 } = states.get(id) ?? {};
      return problem === 'given_back' ? [] : [[id, { problem, amount: problem === 'disputed' ? amount : due }]];
    }),
  );
}

/**
 * The refunds that reports sum up: all except those for removed lines and of late payments, which the orders' totals do
 * not contain. `is_test`: the sale moved no money.
 */
export const reportedRefundsSql = sql`(
  select order_id, store_id, trading_day, status, amount, tip, vat, kind, reason, created_at, provider_refund,
    not exists (
      select from ${reportedOrdersSql} as orders where orders.id = refunds.order_id and not ${isTestMoneySql}) as is_test
  from refunds
  where kind not in (${sqlLiterals(refundKindsOutsideTotal)}))`;

/**
 * Whether one of these orders has an unfinished payment, a call that is owed to the provider, a pending or due refund,
 * or an open dispute.
 */
export async function hasUnsettledPayments(db: Db, orderIds: readonly string[]): Promise<boolean> {
  if (orderIds.length === 0) return false;
  const of = sql`order_id = any(${orderIds}::uuid[])`;
  const { rows } = await sql<{ is_open: boolean }>`
    select exists (select from payments where ${of} and (owed is not null or status in ('pending', 'authorised')))
      or exists (select from refunds where ${of} and status = 'pending')
      or exists (select from payment_disputes where ${of} and closed_at is null) as is_open`.execute(db);
  if (rows[0]?.is_open) return true;
  const failed = await db
    .selectFrom('refunds')
    .select('order_id')
    .where('order_id', 'in', orderIds)
    .where('status', '=', 'failed')
    .execute();
  const states = await readRefundStates(
    db,
    failed.map(({ order_id }) => order_id),
  );
  return [...states.values()].some(({ due }) => due > 0);
}

/** The numbers of unfinished payments, pending refunds and open disputes; a part of an SQL statement, as JSON. */
export const unsettledPaymentCountsSql = sql<{
  pending: number;
  authorised: number;
  owed: number;
  refunds: number;
  disputes: number;
}>`(
  select json_build_object(
    'pending', count(*) filter (where status = 'pending' and owed is null),
    'authorised', count(*) filter (where status = 'authorised' and owed is null),
    'owed', count(*) filter (where owed is not null),
    'refunds', (select count(*) from refunds where status = 'pending'),
    'disputes', (select count(*) from payment_disputes where closed_at is null))
  from payments where status in ('pending', 'authorised') or owed is not null)`;

/** The payments of an order, their movements and the provider's events, for the order's timeline. */
export async function readPaymentEvents(
  db: Db,
  id: string,
  money: (amount: number) => string,
): Promise<OrderTimelineEntry[]> {
  const payments = await db.selectFrom('payments').selectAll().where('order_id', '=', id).execute();
  const moved = await db.selectFrom('payment_movements').selectAll().where('order_id', '=', id).execute();
  const told =
    payments.length === 0
      ? []
      : await db
          .selectFrom('payment_events')
          .selectAll()
          .where(
            'payment_id',
            'in',
            payments.map((payment) => payment.id),
          )
          .execute();
  return [
    ...payments.flatMap(({ created_at, updated_at, provider, amount, status, reference, failure, owed }) => [
      createTimelineEntry('payment', created_at, `${money(amount)} asked at ${provider}`, reference),
      createTimelineEntry(
        'payment',
        updated_at,
        `${status} at ${provider}`,
        failure && `(${JSON.stringify(failure)})`,
        owed && `${owed} is owed`,
      ),
    ]),
    ...moved.map(({ at, kind, amount, object }) =>
      createTimelineEntry('payment', at, kind.replaceAll('_', ' '), money(amount), object),
    ),
    ...told.map(({ received_at: at, type, id: name, outcome, tries }) =>
      createTimelineEntry(
        'payment',
        at,
        `message ${type ?? name}`,
        outcome ?? 'not handled yet',
        tries > 1 && `after ${tries} tries`,
      ),
    ),
  ];
}

export async function readRefundEvents(
  db: Db,
  id: string,
  money: (amount: number) => string,
): Promise<OrderTimelineEntry[]> {
  const rows = await db.selectFrom('refunds').selectAll().where('order_id', '=', id).execute();
  return rows.map(({ created_at: at, amount, kind, status, actor, provider_refund: there }) =>
    createTimelineEntry('refund', at, money(amount), kind.replaceAll('_', ' '), status, actor && `by ${actor}`, there),
  );
}
