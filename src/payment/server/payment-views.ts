import { sql, type Selectable } from 'kysely';
import { kindsBesideTotal } from '#payment/refund-rules.ts';
import type { PaymentsTable } from '#database/schema.ts';

/* What other domains read of payments and refunds, as parts of their statements. */

/** Of the statement's `orders`, as JSON. */
export const latestPayment = sql<Selectable<PaymentsTable> | null>`(
  select row_to_json(p) from payments p where p.order_id = orders.id order by p.id desc limit 1)`;

/** The rows that reports sum up: those of the sale, as `ofTotal` has them. */
export const countedRefunds = sql`(
  select order_id, store_id, trading_day, status, amount, tip, vat, kind, reason, created_at, provider_refund
  from refunds
  where kind not in (${sql.join(kindsBesideTotal.map((kind) => sql.lit(kind)))}))`;
