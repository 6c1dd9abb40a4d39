import { type Selectable, sql } from 'kysely';
import { m } from '#messages';
import { movesNoMoney } from '#ordering/next-status.ts';
import { paymentStatuses } from '#ordering/payment-status.ts';
import type { Db, PaymentsTable } from '#database/schema.ts';
import type { OrderPayments, paymentEndpoints, PaymentAttempt } from '#payment/contract.ts';
import { findOrder, selectNewestOrders, orderSummariesSql } from '#ordering/server/order-views.ts';
import { hasBankTakenMoneyBack } from '#payment/bank-rules.ts';
import { presentDispute, selectDisputes } from '#payment/server/bank/read-disputes.ts';
import { AppError } from '#platform/errors.ts';
import type { QueryOf } from '#platform/http/endpoint.ts';
import { pageAnswer, readPage } from '#database/read-page.ts';
import { readOrderIdsPage, parseOrderSearchTerms } from '#ordering/server/list-orders.ts';
import { everyStoreIdSql, storeIdTable } from '#store/server/store-views.ts';
import { refundsWithinTotal } from '#payment/refund-rules.ts';
import { unfailedRefunds } from '#payment/refund-steps.ts';
import { unchargedAmount } from '#payment/balance.ts';
import type { OrderRow } from '#ordering/server/present-order.ts';
import type { Refund } from '#payment/refund.ts';
import { readRefundStates, type RefundRow, type RefundState } from '#payment/server/ledger.ts';
import { givenReasonWords } from '#ordering/history-words.ts';

export async function readOrderPayments(db: Db, orderId: string): Promise<OrderPayments> {
  const order = await findOrder(db, orderId);
  if (!order) throw new AppError('not_found', m.ordering_not_found());
  const payments = await db.selectFrom('payments').selectAll().where('order_id', '=', orderId).orderBy('id').execute();
  const refunds = await selectRefunds(db).where('order_id', '=', orderId).orderBy('refunds.id').execute();
  const disputes = await selectDisputes(db)
    .where('payment_disputes.order_id', '=', orderId)
    .orderBy('payment_disputes.created_at', 'desc')
    .execute();
  const isTaken = disputes.some(({ status }) => hasBankTakenMoneyBack(status));
  const isPaid = paymentStatuses[order.payment_status].isRefundable;
  const isLeaving = payments.some(({ owed }) => owed === 'release');
  const { payment_method, payment_status, total } = order;
  const pending = refundsWithinTotal(refunds)
    .filter(({ status }) => status === 'pending')
    .reduce((sum, { amount }) => sum + amount, 0);
  const short = isPaid ? unchargedAmount(order, payments.at(-1), unfailedRefunds(refunds)) : 0;
  return {
    order_id: orderId,
    payment_method,
    payment_status,
    total,
    refunded: order.refunded,
    pending,
    refundable: isPaid && !isLeaving && !isTaken ? Math.max(0, total - order.refunded - pending - short) : 0,
    short,
    payments: payments.map((row) =>
      presentAttempt(
        row,
        disputes.some(({ payment_id, status }) => payment_id === row.id && hasBankTakenMoneyBack(status)),
      ),
    ),
    refunds: await presentRefunds(db, refunds),
    disputes: disputes.map(presentDispute),
  };
}

type ListQuery = QueryOf<(typeof paymentEndpoints)['GET /v1/payments']>;

export async function listPayments(db: Db, query: ListQuery, now: Date) {
  const words = await parseOrderSearchTerms(db, query.search, now, async (reference) => {
    const rows = await db.selectFrom('payments').select('order_id').where('reference', '=', reference).execute();
    return rows.map(({ order_id: id }) => id);
  });
  const wanted = {
    stores: query.store_id ? storeIdTable([query.store_id]) : everyStoreIdSql,
    from: query.start_date,
    to: query.end_date,
    paymentStatus: query.payment_status,
    words,
  };
  const { ids, next, ...total } = await readOrderIdsPage(db, wanted, query);
  const page = pageAnswer('/v1/payments', query, total, await readPayments(db, ids), next);
  return { ...page, meta: { ...page.meta, searched_days: words?.reach.days ?? null } };
}

async function readPayments(db: Db, ids: readonly string[]) {
  if (ids.length === 0) return [];
  const rows = await selectNewestOrders(db)
    .where('orders.id', 'in', ids)
    .leftJoinLateral(
      (eb) =>
        eb
          .selectFrom('payments')
          .select(['provider', 'reference', 'is_test'])
          .whereRef('payments.order_id', '=', 'orders.id')
          .orderBy('payments.id', 'desc')
          .limit(1)
          .as('latest'),
      (join) => join.onTrue(),
    )
    .select(['latest.provider', 'latest.reference', 'latest.is_test'])
    .select((eb) =>
      eb
        .selectFrom('refunds')
        .select(({ fn, lit }) => fn.coalesce(fn.sum<string>('refunds.amount'), lit(0)).as('sum'))
        .whereRef('refunds.order_id', '=', 'orders.id')
        .where('refunds.status', '=', 'pending')
        .as('pending'),
    )
    .select((eb) =>
      eb
        .selectFrom('payment_disputes')
        .select('payment_disputes.status')
        .whereRef('payment_disputes.order_id', '=', 'orders.id')
        .orderBy('payment_disputes.created_at', 'desc')
        .limit(1)
        .as('dispute_status'),
    )
    .execute();
  return rows
    .toSorted((a, b) => ids.indexOf(a.id) - ids.indexOf(b.id))
    .map((row) => ({
      order_id: row.id,
      order_number: String(row.number),
      store_id: row.store_id,
      trading_day: row.trading_day,
      created_at: row.created_at.toISOString(),
      placed_at: row.placed_at?.toISOString() ?? null,
      customer_name: row.contact.name,
      status: row.status,
      payment_method: row.payment_method,
      paid_by: row.paid_by,
      payment_status: row.payment_status,
      total: row.total,
      refunded: row.refunded,
      pending: Number(row.pending),
      provider: row.provider,
      reference: row.reference,
      dispute_status: row.dispute_status,
      is_test: movesNoMoney(row, row),
    }));
}

export async function listRefunds(db: Db, query: QueryOf<(typeof paymentEndpoints)['GET /v1/refunds']>) {
  const wanted = [sql`true`];
  if (query.store_id) wanted.push(sql`refunds.store_id = ${query.store_id}`);
  if (query.start_date) wanted.push(sql`refunds.trading_day >= ${query.start_date}::date`);
  if (query.end_date) wanted.push(sql`refunds.trading_day <= ${query.end_date}::date`);
  if (query.status) wanted.push(sql`refunds.status = ${sql.lit(query.status)}`);
  // The condition lets an index find the refunds that are pending or failed, which are few.
  if (query.status === 'pending' || query.status === 'failed') {
    wanted.push(sql`refunds.id in (select request_id from refund_attempts where status <> 'made')`);
  }
  const conditions = sql<boolean>`${sql.join(wanted, sql` and `)}`;
  const refunds = selectRefunds(db).where(conditions);
  return readPage(
    db,
    '/v1/refunds',
    query,
    refunds,
    async (rows: Awaited<ReturnType<typeof refunds.execute>>) => presentRefunds(db, rows),
    { direction: 'desc', columns: [{ of: sql.ref('refunds.id'), type: 'uuid' }] },
    // Every refund has an order, so the count needs no join.
    sql`select from refunds where ${conditions}`,
  );
}

function presentAttempt(row: Selectable<PaymentsTable>, is_disputed: boolean): PaymentAttempt {
  const { id, provider, status, amount, captured, currency, reference, failure, owed } = row;
  const times = { created_at: row.created_at.toISOString(), updated_at: row.updated_at.toISOString() };
  return { id, provider, status, amount, captured, currency, reference, failure, owed, is_disputed, ...times };
}

interface RefundWithOrder extends RefundRow {
  order_number: number;
  payment_method: OrderRow['payment_method'];
}

export function selectRefunds(db: Db) {
  return db
    .selectFrom('refunds')
    .innerJoin(orderSummariesSql.as('orders'), 'orders.id', 'refunds.order_id')
    .selectAll('refunds')
    .select(['orders.number as order_number', 'orders.payment_method']);
}

export async function presentRefunds(db: Db, rows: readonly RefundWithOrder[]): Promise<Refund[]> {
  const unmade = rows.filter(({ status }) => status !== 'succeeded');
  const states = await readRefundStates(
    db,
    unmade.map(({ order_id }) => order_id),
  );
  return rows.map((row) => presentRefund(row, states.get(row.id)));
}

function presentRefund(row: RefundWithOrder, { problem, due }: RefundState = { problem: null, due: 0 }): Refund {
  const { id, order_id, store_id, payment_id, status, amount, currency, tip, vat, lines, actor } = row;
  const order = { order_id, order_number: String(row.order_number), store_id, payment_method: row.payment_method };
  const made = {
    kind: row.kind,
    reason: refundReasonWords(row),
    actor,
    trading_day: row.trading_day,
    created_at: row.created_at.toISOString(),
  };
  const money = { payment_id, status, problem, due, amount, currency, tip, vat, lines };
  return { id, ...order, ...money, ...made, settled_at: row.settled_at?.toISOString() ?? null };
}

/** The reason of a refund, in the words of the person who made it, or else in the reader's language. */
export function refundReasonWords({ kind, reason }: Pick<Refund, 'kind' | 'reason'>): string {
  switch (kind) {
    case 'asked':
      return reason;
    case 'line_removed':
      return m.payment_refund_of_lines({ reason: givenReasonWords(reason) });
    case 'order_ended':
      return m.payment_refund_of_closed();
    case 'late_payment':
      return m.payment_refund_of_late();
    case 'at_provider':
      return m.payment_refund_at_provider();
  }
}
