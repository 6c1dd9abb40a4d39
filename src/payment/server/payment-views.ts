import { sql, type Selectable } from 'kysely';
import { kindsBesideTotal } from '#payment/refund-rules.ts';
import type { PaymentMode } from '#database/column-types.ts';
import type { PaymentsTable } from '#database/schema.ts';
import type { RefundOfRemoved } from '#ordering/removed-refunds.ts';
import { refundProblem } from '#payment/server/refund-rows.ts';

/* What other domains read of payments and refunds, as parts of their statements. */

/** Of the statement's `orders`, as JSON. */
export const latestPayment = sql<Selectable<PaymentsTable> | null>`(
  select row_to_json(p) from payments p where p.order_id = orders.id order by p.id desc limit 1)`;

/** With which kind of keys the statement's `orders` was charged; null: not by card through a provider. */
export const cardMode = sql<PaymentMode | 'sandbox' | null>`(
  select case when p.provider = 'sandbox' then 'sandbox' else k.mode end
  from payments p left join payment_key_sets k on k.id = p.key_set
  where p.order_id = orders.id and p.status in ('captured', 'refunded') and orders.payment_method = 'card'
  order by p.id desc limit 1)`;

/** The refunds for dishes taken off the statement's `orders`, oldest first, as JSON. */
export const removedRefunds = sql<RefundOfRemoved[]>`case when orders.removed_refunded = 0 then '[]'::json else (
  select coalesce(json_agg(json_build_object('amount', refunds.amount, 'status', refunds.status,
    'is_by_hand', refunds.payment_id is null, 'problem', ${refundProblem}) order by refunds.id), '[]')
  from refunds where refunds.order_id = orders.id and refunds.kind = 'line_removed') end`;

/** The rows that reports sum up: those of the sale, as `ofTotal` has them. */
export const countedRefunds = sql`(
  select order_id, store_id, trading_day, status, amount, tip, vat, kind, reason, created_at, provider_refund
  from refunds
  where kind not in (${sql.join(kindsBesideTotal.map((kind) => sql.lit(kind)))}))`;
