import type Stripe from 'stripe';
import { invalid } from '../api/failure.ts';
import { found, isWithin, newestFirst, pageOf } from '../api/lists.ts';
import { type Call, type Route, route } from '../api/route.ts';
import { createSession, expireSession } from '../checkout/sessions.ts';
import { emit } from '../objects/events.ts';
import { readMetadata } from '../objects/intents.ts';
import { idIn, seconds } from '../world.ts';

const sessions = '/v1/checkout/sessions';

/** Checkout's sessions, and coupons. */
export const checkoutRoutes: Route[] = [
  route<Stripe.Checkout.SessionCreateParams>(
    `POST ${sessions}`,
    'checkout_session_write',
    'SessionCreateParams',
    ({ world, books, params }) => createSession(world, books, params),
  ),
  route<Stripe.Checkout.SessionListParams>(
    `GET ${sessions}`,
    'checkout_session_read',
    'SessionListParams',
    ({ books, params }) => {
      const rows = newestFirst(books.tables['checkout.session']);
      const asked = rows.filter(
        (session) =>
          isWithin(session.created, params.created) &&
          (params.payment_intent === undefined || idIn(session.payment_intent) === params.payment_intent) &&
          (params.customer === undefined || idIn(session.customer) === params.customer) &&
          (params.customer_details === undefined ||
            session.customer_details?.email === params.customer_details.email) &&
          (params.status === undefined || session.status === params.status),
      );
      return pageOf(asked, sessions, params, 'checkout.session');
    },
  ),
  route(`GET ${sessions}/:id`, 'checkout_session_read', 'SessionRetrieveParams', (call) => sessionOf(call)),
  route<Stripe.Checkout.SessionListLineItemsParams>(
    `GET ${sessions}/:id/line_items`,
    'checkout_session_read',
    'SessionListLineItemsParams',
    (call) => {
      const session = sessionOf(call);
      const lines = call.books.sessions.get(session.id)?.lines ?? [];
      return pageOf(lines, `${sessions}/${session.id}/line_items`, call.params, 'item');
    },
  ),
  route(`POST ${sessions}/:id/expire`, 'checkout_session_write', 'SessionExpireParams', (call) => {
    const session = sessionOf(call);
    expireSession(call.world, call.books, session);
    return session;
  }),
  route<Stripe.CouponCreateParams>('POST /v1/coupons', 'coupon_write', 'CouponCreateParams', createCoupon),
  route<Stripe.CouponListParams>('GET /v1/coupons', 'coupon_read', 'CouponListParams', ({ books, params }) => {
    const rows = newestFirst(books.tables.coupon);
    return pageOf(
      rows.filter((coupon) => isWithin(coupon.created, params.created)),
      '/v1/coupons',
      params,
      'coupon',
    );
  }),
  route('GET /v1/coupons/:id', 'coupon_read', 'CouponRetrieveParams', (call) => couponOf(call)),
  route('DELETE /v1/coupons/:id', 'coupon_write', null, (call) => {
    const coupon = couponOf(call);
    call.books.tables.coupon.delete(coupon.id);
    emit(call.world, call.books, 'coupon.deleted', coupon);
    return { id: coupon.id, object: 'coupon', deleted: true };
  }),
];

function sessionOf({ books, id }: Call<unknown>): Stripe.Checkout.Session {
  return found(books.tables['checkout.session'], 'checkout.session', id, 'session');
}

function couponOf({ books, id }: Call<unknown>): Stripe.Coupon {
  return found(books.tables.coupon, 'coupon', id, 'coupon');
}

const longestName = 40;

function createCoupon({ world, books, params }: Call<Stripe.CouponCreateParams>): Stripe.Coupon {
  const { amount_off: amount, percent_off: percent, currency, name, id = world.newId('', 8).slice(1) } = params;
  if ((amount === undefined) === (percent === undefined)) {
    throw invalid('You must pass exactly one of the following parameters: amount_off, percent_off.');
  }
  if (amount !== undefined && (amount < 1 || !Number.isInteger(amount))) {
    throw invalid('Invalid positive integer', { param: 'amount_off', code: 'parameter_invalid_integer' });
  }
  if (amount !== undefined && currency === undefined) {
    throw invalid('You must pass currency when passing amount_off.', { code: 'parameter_missing', param: 'currency' });
  }
  if (percent !== undefined && (percent <= 0 || percent > 100)) {
    throw invalid('Percent off must be greater than 0 and at most 100.', { param: 'percent_off' });
  }
  if ((name?.length ?? 0) > longestName) {
    throw invalid(`Invalid string: ${name}; must be at most ${longestName} characters`, { param: 'name' });
  }
  if (books.tables.coupon.has(id)) {
    throw invalid(`Coupon already exists.`, { code: 'resource_already_exists', param: 'id' });
  }
  const coupon: Stripe.Coupon = {
    id,
    object: 'coupon',
    amount_off: amount ?? null,
    created: seconds(world),
    currency: currency?.toLowerCase() ?? null,
    duration: params.duration ?? 'once',
    duration_in_months: null,
    livemode: books.livemode,
    max_redemptions: params.max_redemptions ?? null,
    metadata: readMetadata(params.metadata || {}),
    name: name ?? null,
    percent_off: percent ?? null,
    redeem_by: params.redeem_by ?? null,
    times_redeemed: 0,
    valid: true,
  };
  books.tables.coupon.set(id, coupon);
  emit(world, books, 'coupon.created', coupon);
  return coupon;
}
