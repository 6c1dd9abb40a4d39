import { m } from '#messages';
import { isAwaitingPayment } from '#ordering/order-status.ts';
import type { OrderRow } from '#ordering/server/present-order.ts';
import { itemiseOrder } from '#payment/itemise-order.ts';
import type { PaymentContext } from '#payment/server/context.ts';
import { providerCallIdempotencyKey, type PaymentRow } from '#payment/server/owed-calls.ts';
import type { Checkout } from '#payment/server/provider.ts';
import { languageOfPerson } from '#platform/language.ts';
import { runInLanguage } from '#platform/server/request-language.ts';
import type { StoreSnapshot } from '#shop/server/shop-cache.ts';
import { cardProviderOf } from '#platform/card-providers.ts';

/**
 * The lifetime of a payment page in milliseconds. It begins at the payment's last change, so that a retry with the same
 * idempotency key sends the same expiry. Stripe's minimum is 30 minutes; the rest allows for retries and clock skew.
 */
export const paymentPageLifetimeMs = 40 * 60_000;

export async function requestPaymentPage(
  context: PaymentContext,
  { order, payment, shop: { store } }: { order: OrderRow; payment: PaymentRow; shop: StoreSnapshot },
): Promise<Checkout> {
  const { config } = context.services;
  // A provider's page on another site needs absolute links back. The sandbox's page is on the shop's own site.
  const origin = publicOrigin(config) || (cardProviderOf(payment.provider).label === null ? '' : config.publicUrl);
  const page = `${origin}/orders/${order.id}`;
  const language = languageOfPerson(order);
  // The page's texts are in the order's language and not in the call's, because a retry must send the same texts.
  const request = runInLanguage(language, () => ({
    idempotencyKey: providerCallIdempotencyKey(payment, 'checkout'),
    paymentId: payment.id,
    orderId: order.id,
    amount: payment.amount,
    currency: payment.currency,
    ...itemiseOrder(order),
    merchant: { id: store.id, name: store.name },
    description: m.payment_description({ number: String(order.number) }),
    note: noteOf(order, payment, store.name),
    payer: { email: order.contact.email || null, userId: order.customer_id, language },
    isHeld: payment.is_held,
    expiresAt: new Date(payment.updated_at.getTime() + paymentPageLifetimeMs),
    // A customer of the app returns from the payment to a browser page, which leads back to the app.
    returnUrl: `${page}/payment/callback${order.channel === 'app' ? '?from=app' : ''}`,
    cancelUrl: page,
  }));
  return context.providerOf(payment).createCheckout(request);
}

function noteOf({ status }: OrderRow, { is_held }: PaymentRow, shop: string): string {
  if (!isAwaitingPayment(status)) return m.payment_note_accepted({ shop });
  return is_held ? m.payment_note_held({ shop }) : m.payment_note_charged({ shop });
}

/** The shop's public origin; empty if none is configured, so that addresses are relative to the customer's page. */
export function publicOrigin({ APP_URL }: { APP_URL?: string | undefined }): string {
  return APP_URL ? new URL(APP_URL).origin : '';
}
