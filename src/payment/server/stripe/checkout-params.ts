import type { Stripe } from 'stripe';
import { holdableMethods, onlinePaymentMethods } from '#payment/payment-methods.ts';
import type { ProviderPageRow, CheckoutRequest } from '#payment/server/provider.ts';
import { stripeMetadataNames } from '#payment/server/stripe/read-session.ts';
import { shorten } from '#platform/graphemes.ts';
import type { Language } from '#platform/languages.ts';

/** Stripe's limits: the number of lines on a page, and the length of each text. */
const mostLines = 100;
const longest = { name: 250, coupon: 40, note: 1200 };

const locales: Record<Language, Stripe.Checkout.SessionCreateParams.Locale> = { en: 'en-GB', pl: 'pl' };

export interface StripeCustomerAndCoupon {
  customer: string | null;
  coupon: string | null;
}

/**
 * The parameters of Stripe's page for exactly the requested amount and currency, with the methods that the shop offers.
 */
export function checkoutParams(
  request: CheckoutRequest,
  { customer, coupon }: StripeCustomerAndCoupon,
): Stripe.Checkout.SessionCreateParams {
  const { payer, currency, paymentId, orderId } = request;
  const metadata = { [stripeMetadataNames.payment]: paymentId, [stripeMetadataNames.order]: orderId };
  return {
    mode: 'payment',
    line_items: foldParts(request).map((part) => lineItem(part, currency)),
    ...(coupon !== null && { discounts: [{ coupon }] }),
    ...(customer !== null
      ? { customer, saved_payment_method_options: { payment_method_save: 'enabled', payment_method_remove: 'enabled' } }
      : payer.email !== null && { customer_email: payer.email }),
    allowed_payment_method_types: onlinePaymentMethods,
    ...(request.isHeld && { payment_method_options: holds() }),
    // The payer approves the shop's amount in the shop's currency, so that both can be compared with the order.
    adaptive_pricing: { enabled: false },
    locale: locales[payer.language],
    custom_text: { submit: { message: shorten(request.note, longest.note) } },
    client_reference_id: orderId,
    metadata,
    payment_intent_data: { description: `${request.merchant.name}: ${request.description}`, metadata },
    expires_at: Math.ceil(request.expiresAt.getTime() / 1000),
    success_url: request.returnUrl,
    cancel_url: request.cancelUrl,
  };
}

export function couponParams({ discount, currency, paymentId, expiresAt }: CheckoutRequest) {
  if (!discount) return null;
  return {
    amount_off: discount.amount,
    currency: currency.toLowerCase(),
    duration: 'once',
    max_redemptions: 1,
    redeem_by: Math.ceil(expiresAt.getTime() / 1000),
    name: shorten(discount.name, longest.coupon),
    metadata: { [stripeMetadataNames.payment]: paymentId },
  } satisfies Stripe.CouponCreateParams;
}

/** The parts for the page; an order with more parts than a page can show becomes one line. */
function foldParts({ parts, description }: CheckoutRequest): readonly ProviderPageRow[] {
  if (parts.length <= mostLines) return parts;
  const amount = parts.reduce((sum, part) => sum + part.amount * part.quantity, 0);
  return [{ name: description, amount, quantity: 1 }];
}

function lineItem({ name, amount, quantity }: ProviderPageRow, currency: string) {
  return {
    quantity,
    price_data: {
      currency: currency.toLowerCase(),
      unit_amount: amount,
      product_data: { name: shorten(name, longest.name) },
    },
  };
}

/**
 * Sets the hold for each method separately: the setting for all methods would hide every method that cannot be held.
 */
function holds(): Stripe.Checkout.SessionCreateParams.PaymentMethodOptions {
  return Object.fromEntries(holdableMethods.map((method) => [method, { capture_method: 'manual' as const }]));
}
