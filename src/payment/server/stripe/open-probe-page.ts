import { randomUUIDv7 } from 'node:crypto';
import type { Stripe } from 'stripe';
import { paymentPageLifetimeMs } from '#payment/server/request-payment-page.ts';
import { type CheckoutRequest, ProviderRefusal } from '#payment/server/provider.ts';
import { askStripe } from '#payment/server/stripe/ask-stripe.ts';
import { checkoutParams } from '#payment/server/stripe/checkout-params.ts';
import { createDiscountCoupon, openStripePage } from '#payment/server/stripe/open-page.ts';
import { stripeMetadataNames } from '#payment/server/stripe/read-session.ts';
import { minCardAmount } from '#store/card-provider.ts';

/** The content of the probe page, which the shop opens only to check its keys. */
export interface ProbePage {
  currency: string;
  merchant: CheckoutRequest['merchant'];
  /** The names of the dish and the discount, and the page's note about the money. */
  words: { dish: string; discount: string; note: string };
  returnUrl: string;
  now: Date;
}

/**
 * Opens a page like a customer's, and closes it at once, so that nobody sees it. The page has one dish and, unless
 * `isPlain`, a coupon. Throws the errors of `askStripe`.
 */
export async function openProbePage(stripe: Stripe, page: ProbePage, { isPlain = false } = {}): Promise<void> {
  const request = requestOf(page, isPlain);
  const coupon = await createDiscountCoupon(stripe, request);
  try {
    const metadata = { [stripeMetadataNames.trial]: request.paymentId };
    const params = checkoutParams(request, { customer: null, coupon });
    const { id } = await openStripePage(
      stripe,
      { ...params, metadata, payment_intent_data: { ...params.payment_intent_data, metadata } },
      request.idempotencyKey,
    );
    // If this call fails, the page and the coupon expire by themselves.
    await askStripe(stripe.checkout.sessions.expire(id)).catch((error: unknown) => {
      if (!(error instanceof ProviderRefusal)) throw error;
    });
  } finally {
    if (coupon !== null) await stripe.coupons.del(coupon).catch(() => undefined);
  }
}

function requestOf({ currency, merchant, words, returnUrl, now }: ProbePage, isPlain: boolean): CheckoutRequest {
  const id = randomUUIDv7();
  const least = minCardAmount(currency);
  return {
    idempotencyKey: `try:${id}`,
    paymentId: id,
    orderId: id,
    amount: least,
    currency,
    parts: [{ name: words.dish, amount: isPlain ? least : 2 * least, quantity: 1 }],
    discount: isPlain ? null : { name: words.discount, amount: least },
    merchant,
    description: words.dish,
    payer: { email: null, userId: null, language: 'en' },
    isHeld: true,
    expiresAt: new Date(now.getTime() + paymentPageLifetimeMs),
    note: words.note,
    returnUrl,
    cancelUrl: returnUrl,
  };
}
