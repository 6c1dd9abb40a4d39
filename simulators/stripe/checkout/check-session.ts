import type Stripe from 'stripe';
import { invalid, missing } from '../api/failure.ts';
import type { Books, World } from '../world.ts';
import { seconds } from '../world.ts';

type Params = Stripe.Checkout.SessionCreateParams;

/** The smallest payment in pounds that Stripe takes, in pence. */
export const smallest = 30;
const mostLines = 100;
const longestReference = 200;
const halfAnHour = 1800;
const day = 86_400;

/** What this Checkout can do. A session that asks for more fails loudly, instead of being made without it. */
const known = new Set<keyof Params>([
  'adaptive_pricing',
  'allow_promotion_codes',
  'allowed_payment_method_types',
  'billing_address_collection',
  'cancel_url',
  'client_reference_id',
  'currency',
  'custom_text',
  'customer',
  'customer_creation',
  'customer_email',
  'discounts',
  'excluded_payment_method_types',
  'expand',
  'expires_at',
  'line_items',
  'locale',
  'metadata',
  'mode',
  'origin_context',
  'payment_intent_data',
  'payment_method_configuration',
  'payment_method_data',
  'payment_method_options',
  'phone_number_collection',
  'saved_payment_method_options',
  'submit_type',
  'success_url',
  'ui_mode',
  'wallet_options',
]);

/** Refuses what hosted Checkout refuses of a payment. Amounts are checked with the lines. */
export function checkSession(world: World, books: Books, params: Params): void {
  const unknown = Object.keys(params).find((name) => !known.has(name as keyof Params));
  if (unknown) throw notHere(`the parameter ${unknown}`);
  if (params.mode === undefined) throw needed('mode');
  if (params.mode !== 'payment') throw notHere(`mode=${params.mode}`);
  if (params.ui_mode !== undefined && params.ui_mode !== 'hosted_page') throw notHere(`ui_mode=${params.ui_mode}`);
  if (params.success_url === undefined) throw needed('success_url');
  if (!params.line_items?.length) throw needed('line_items');
  if (params.line_items.length > mostLines) {
    throw invalid(`You may only specify up to ${mostLines} line items.`, { param: 'line_items' });
  }
  checkUrl(params.success_url, 'success_url');
  if (params.cancel_url !== undefined) checkUrl(params.cancel_url, 'cancel_url');
  checkExpiry(world, params.expires_at);
  checkCustomer(books, params);
  checkDiscounts(books, params);
  if ((params.client_reference_id?.length ?? 0) > longestReference) {
    throw invalid(`Invalid string: must be at most ${longestReference} characters`, { param: 'client_reference_id' });
  }
}

function checkUrl(url: string, param: string): void {
  if (!/^https?:\/\/[^\s/]+/.test(url) || !URL.canParse(url.replace('{CHECKOUT_SESSION_ID}', 'cs'))) {
    throw invalid('Not a valid URL', { code: 'url_invalid', param });
  }
}

function checkExpiry(world: World, expiresAt: number | undefined): void {
  if (expiresAt === undefined) return;
  const now = seconds(world);
  const common = { param: 'expires_at' };
  if (expiresAt < now + halfAnHour) {
    throw invalid(
      'The `expires_at` timestamp must be at least 30 minutes from Checkout Session creation. To expire the Checkout Session in less than 30 minutes, use the expire endpoint.',
      common,
    );
  }
  if (expiresAt > now + day) {
    throw invalid('The `expires_at` timestamp must be less than 24 hours from Checkout Session creation.', common);
  }
}

function checkCustomer(books: Books, params: Params): void {
  const { customer, customer_email: email } = params;
  if (customer !== undefined && email !== undefined) {
    throw invalid('You may only specify one of these parameters: customer, customer_email.', {
      code: 'parameters_exclusive',
    });
  }
  if (customer !== undefined && !books.tables.customer.has(customer)) {
    throw missing('customer', customer, 'customer', 400);
  }
  if (customer !== undefined && params.customer_creation !== undefined) {
    throw invalid('You may only specify one of these parameters: customer, customer_creation.', {
      code: 'parameters_exclusive',
    });
  }
  if (email !== undefined && !/^[^\s@]+@[^\s@]+\.[^\s@]+$/.test(email)) {
    throw invalid(`Invalid email address: ${email}`, { code: 'email_invalid', param: 'customer_email' });
  }
}

function checkDiscounts(books: Books, params: Params): void {
  const [discount, ...more] = params.discounts ?? [];
  if (!discount) return;
  if (more.length > 0) throw invalid('You may only specify 1 discount.', { param: 'discounts' });
  if (params.allow_promotion_codes !== undefined) {
    throw invalid('You may only specify one of these parameters: allow_promotion_codes, discounts.', {
      code: 'parameters_exclusive',
    });
  }
  if (discount.promotion_code !== undefined) throw notHere('a promotion code');
  const coupon = books.tables.coupon.get(discount.coupon ?? '');
  if (!coupon) throw missing('coupon', discount.coupon ?? '', 'discounts[0][coupon]', 400);
  if (!coupon.valid) {
    throw invalid(`Coupon ${coupon.id} is used up and cannot be applied.`, {
      code: 'coupon_expired',
      param: 'discounts[0][coupon]',
    });
  }
}

function needed(param: string): Error {
  return invalid(`Missing required param: ${param}.`, { code: 'parameter_missing', param });
}

/** Stripe could do it, but not the local one. */
export function notHere(what: string): Error {
  return invalid(`The local Stripe does not implement ${what}.`, { param: 'not_implemented' });
}
