import { sql } from 'kysely';
import { m } from '#messages';
import type { PaymentMode } from '#database/column-values.ts';
import { readPage } from '#database/read-page.ts';
import type { Db } from '#database/schema.ts';
import { orderSummariesSql } from '#ordering/server/order-views.ts';
import type { bankEndpoints, Payout, PayoutContent, StatementSums } from '#payment/bank-contract.ts';
import { bankEntrySumsSql } from '#payment/server/bank/bank-views.ts';
import type { PayoutRow } from '#payment/server/bank/read-disputes.ts';
import { refundReasonWords } from '#payment/server/read-payments.ts';
import { stripeDashboardUrls } from '#payment/stripe-dashboard-urls.ts';
import { AppError } from '#platform/errors.ts';
import type { QueryOf } from '#platform/http/endpoint.ts';

type Shown = PayoutRow & { mode: PaymentMode; account: string | null };
type Content = StatementSums & { payout_id: string; orders: number };

export async function listPayouts(db: Db, query: QueryOf<(typeof bankEndpoints)['GET /v1/payouts']>) {
  let payouts = selectPayouts(db).orderBy('payment_payouts.arrives_on', 'desc').orderBy('payment_payouts.id', 'desc');
  if (query.status) payouts = payouts.where('payment_payouts.status', '=', query.status);
  if (query.start_date) payouts = payouts.where('payment_payouts.arrives_on', '>=', query.start_date);
  if (query.end_date) payouts = payouts.where('payment_payouts.arrives_on', '<=', query.end_date);
  return readPage(db, '/v1/payouts', query, payouts, async (rows: Shown[]) => {
    const contents = await readContents(
      db,
      rows.map(({ id }) => id),
    );
    return rows.map((row) => presentPayout(row, contents.get(row.id)));
  });
}

export async function readPayoutContent(db: Db, id: string): Promise<PayoutContent> {
  const row = await selectPayouts(db).where('payment_payouts.id', '=', id).executeTakeFirst();
  if (!row) throw new AppError('not_found', m.platform_not_found());
  const entries = await db
    .selectFrom('payment_bank_entries as e')
    .leftJoin(orderSummariesSql.as('orders'), 'orders.id', 'e.order_id')
    .leftJoin('payment_disputes as d', 'd.id', 'e.source')
    .leftJoin('refunds as r', (join) =>
      join.onRef('r.order_id', '=', 'e.order_id').onRef('r.provider_refund', '=', 'e.source'),
    )
    .select(['e.id', 'e.kind', 'e.amount', 'e.fee', 'e.net', 'e.currency', 'e.created_at', 'e.order_id'])
    .select(['orders.number', 'orders.store_id', 'r.kind as refund_kind', 'r.reason as refund_text'])
    .select(['d.status as dispute_status', 'd.reason as dispute_reason'])
    .where('e.payout_id', '=', id)
    .orderBy('e.created_at')
    .orderBy('e.id')
    .execute();
  const contents = await readContents(db, [id]);
  return {
    ...presentPayout(row, contents.get(id)),
    entries: entries.map(
      ({ number, created_at, refund_kind: kind, refund_text: reason, dispute_status: status, ...entry }) => {
        const { dispute_reason: why, ...shown } = entry;
        return {
          ...shown,
          created_at: created_at.toISOString(),
          order_number: number === null ? null : String(number),
          refund_reason: kind === null ? null : refundReasonWords({ kind, reason: reason ?? '' }),
          dispute: status === null ? null : { status, reason: why ?? '' },
        };
      },
    ),
  };
}

function selectPayouts(db: Db) {
  return db
    .selectFrom('payment_payouts')
    .innerJoin('payment_key_sets', 'payment_key_sets.id', 'payment_payouts.key_set')
    .selectAll('payment_payouts')
    .select(['payment_key_sets.mode', 'payment_key_sets.account']);
}

async function readContents(db: Db, ids: readonly string[]): Promise<Map<string, Content>> {
  if (ids.length === 0) return new Map();
  const { rows } = await sql<Content>`
    select e.payout_id, count(distinct e.order_id)::int as orders, ${bankEntrySumsSql}
    from payment_bank_entries e where e.payout_id = any(${ids}) group by e.payout_id`.execute(db);
  return new Map(rows.map((row) => [row.payout_id, row]));
}

const nothing: StatementSums = { charged: 0, refunded: 0, disputed: 0, fees: 0, other: 0, net: 0 };

function presentPayout(row: Shown, content: Content | undefined): Payout {
  const { id, amount, currency, status, failure, is_automatic, arrives_on, mode } = row;
  const { payout_id: _id, orders, ...sums } = content ?? { payout_id: id, orders: 0, ...nothing };
  // While `synced_at` is null, a payout may contain entries that the shop has not read yet, so its sums are not known.
  const isKnown = row.synced_at !== null;
  return {
    id,
    amount,
    currency,
    status,
    failure,
    is_automatic,
    arrives_on,
    mode,
    created_at: row.created_at.toISOString(),
    orders: isKnown ? orders : null,
    sums: isKnown ? sums : null,
    link: stripeDashboardUrls.payout(row, id),
  };
}
