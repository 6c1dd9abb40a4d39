import { sql } from 'kysely';
import { type ListOrder, readPage } from '#database/read-page.ts';
import type { Db, Tx } from '#database/schema.ts';
import { m } from '#messages';
import type { orderEndpoints } from '#ordering/contract.ts';
import { recordRating } from '#ordering/server/change-orders.ts';
import { lockForOrderCall } from '#ordering/server/apply-order-call.ts';
import { presentRating } from '#ordering/server/present-order.ts';
import type { OrderServices } from '#ordering/server/services.ts';
import { AppError } from '#platform/errors.ts';
import type { Call } from '#platform/http/serve.ts';
import { DAY } from '#platform/zone-clock.ts';

interface RatingRequest {
  orderId: string;
  stars: number;
  text: string;
  now: Date;
}

/**
 * Records the customer's rating in the caller's transaction; a second rating changes nothing. Throws
 * `illegal_transition` unless the order was handed over in the last 30 days, and `conflict` if the customer's details
 * were erased.
 */
export async function rateOrder(
  tx: Tx,
  services: Pick<OrderServices, 'menus'>,
  { orderId, stars, text, now }: RatingRequest,
): Promise<void> {
  const { row, move } = await lockForOrderCall(tx, services, { orderId, call: 'rating', actor: 'customer', now });
  if (move.kind === 'same') return;
  if (row.forgotten_at !== null) throw new AppError('conflict', m.ordering_rating_erased());
  await recordRating(tx, orderId, { stars, text, at: now });
}

type ListCall = Call<'GET /v1/ratings', (typeof orderEndpoints)['GET /v1/ratings'], Db>;

const averagedTime = 90 * DAY;
const newestFirst: ListOrder = {
  direction: 'desc',
  columns: [
    { of: sql.ref('rated_at'), type: 'timestamptz' },
    { of: sql.ref('id'), type: 'uuid' },
  ],
};

export async function listRatings({ db, query, now }: ListCall) {
  const { store_id: storeId, stars } = query;
  let found = db.selectFrom('orders').where('rated_at', 'is not', null);
  if (storeId) found = found.where('store_id', '=', storeId);
  const recent = await found
    .where('rated_at', '>', new Date(now.getTime() - averagedTime))
    .select([
      sql<number | null>`round(avg(rating_stars), 2)::float`.as('average'),
      sql<number>`count(*)::int`.as('count'),
    ])
    .executeTakeFirstOrThrow();
  if (stars) found = found.where('rating_stars', '=', stars);
  const shown = found.select(['id', 'store_id', 'number', 'rating_stars', 'rating_text', 'rated_at']);
  const page = await readPage(
    db,
    '/v1/ratings',
    query,
    shown,
    async (rows) =>
      rows.flatMap((row) => {
        const rating = presentRating(row);
        return rating ? [{ order_id: row.id, store_id: row.store_id, number: String(row.number), ...rating }] : [];
      }),
    newestFirst,
  );
  return { ...page, summary: recent };
}
