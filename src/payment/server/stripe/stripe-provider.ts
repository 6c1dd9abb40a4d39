import { Stripe } from 'stripe';
import { z } from 'zod';
import type { PaymentMode } from '#database/column-values.ts';
import type { ProviderPayment } from '#payment/payment-state.ts';
import {
  type Checkout,
  type CheckoutRequest,
  type PaymentProvider,
  ProviderRefusal,
} from '#payment/server/provider.ts';
import { askStripe, askStripeSerially } from '#payment/server/stripe/ask-stripe.ts';
import { checkoutParams } from '#payment/server/stripe/checkout-params.ts';
import { deleteStripeCustomer, type StripeCustomers } from '#payment/server/stripe/customers.ts';
import { createDiscountCoupon, openStripePage } from '#payment/server/stripe/open-page.ts';
import { readStripeEvent } from '#payment/server/stripe/read-event.ts';
import { listStripeWallets } from '#payment/server/stripe/list-wallets.ts';
import { listRefundedIntents, listCheckoutSessions, readAllRefunds } from '#payment/server/stripe/list-payments.ts';
import {
  stripeMetadataNames,
  readStripeSession,
  refundStatusFromStripe,
  stripeSessionExpand,
} from '#payment/server/stripe/read-session.ts';

export interface StripeProviderOptions {
  stripe: Stripe;
  /**
   * The key set that `stripe` uses. `account`: the keys' account; null: not known, for example because the keys have no
   * right to read it.
   */
  keySet: { id: string; mode: PaymentMode; account: string | null };
  /** The signing secrets of all endpoints at which Stripe's webhooks for these keys may arrive. */
  webhookSecrets: readonly string[];
  customers: StripeCustomers;
}

/** Stripe's hosted Checkout as a payment provider. A payment's reference is the session's id. */
export function createStripeProvider({
  stripe,
  keySet,
  webhookSecrets,
  customers,
}: StripeProviderOptions): PaymentProvider {
  const retrieve = async (reference: string): Promise<Stripe.Checkout.Session> => {
    const session = await askStripe(stripe.checkout.sessions.retrieve(reference, { expand: stripeSessionExpand }));
    await readAllRefunds(stripe, session);
    return session;
  };
  const fetch = async (reference: string): Promise<ProviderPayment> =>
    readStripeSession(await retrieve(reference), keySet);
  return {
    name: 'stripe',
    createCheckout: (request) => createCheckout(stripe, keySet.id, customers, request),
    fetch,
    async capture(reference, idempotencyKey, amount) {
      const before = await fetch(reference);
      if (before.state === 'captured' || before.state === 'refunded') return before;
      if (before.isForeign) throw new ProviderRefusal('the payment was made in another mode or for another account');
      const intent = intentOf(before);
      await askStripe(stripe.paymentIntents.capture(intent, { amount_to_capture: amount }, { idempotencyKey }));
      return fetch(reference);
    },
    async void(reference, idempotencyKey) {
      const session = await retrieve(reference);
      const before = readStripeSession(session, keySet);
      if (before.state !== 'open' && before.state !== 'authorised') return before;
      return closeCheckout({ stripe, fetch, session, before, idempotencyKey });
    },
    async refund(reference, idempotencyKey, amount) {
      const before = await fetch(reference);
      const made = before.refundList?.find(({ key }) => key === idempotencyKey);
      if (made?.status === 'failed') throw new ProviderRefusal(`the refund ${made.id} failed`);
      if (made || before.state === 'refunded') return before;
      const metadata = {
        [stripeMetadataNames.refundKey]: idempotencyKey,
        [stripeMetadataNames.payment]: before.paymentId ?? '',
      };
      const refund = await askStripeSerially(() =>
        stripe.refunds.create(
          { payment_intent: intentOf(before), metadata, ...(amount !== undefined && { amount }) },
          { idempotencyKey },
        ),
      );
      if (refundStatusFromStripe(refund.status) === 'failed')
        throw new ProviderRefusal(`the refund ${refund.id} failed`);
      return fetch(reference);
    },
    listPayments: (since, after) => listCheckoutSessions(stripe, keySet, since, after),
    listRefunded: (since, after) => listRefundedIntents(stripe, since, after),
    listWallets: () => listStripeWallets(stripe),
    forgetCustomer: (customer) => deleteStripeCustomer(stripe, customer),
    async readWebhook(rawBody, header, now) {
      const event = verify(stripe, webhookSecrets, { rawBody, signature: header('stripe-signature') ?? '', now });
      return event && readStripeEvent(event, keySet);
    },
  };
}

async function createCheckout(
  stripe: Stripe,
  keySet: string,
  customers: StripeCustomers,
  request: CheckoutRequest,
): Promise<Checkout> {
  const [customer, coupon] = await Promise.all([
    customers.of(stripe, keySet, request),
    createDiscountCoupon(stripe, request),
  ]);
  const { id, url } = await openStripePage(
    stripe,
    checkoutParams(request, { customer, coupon }),
    request.idempotencyKey,
  );
  return { reference: id, redirectUrl: url };
}

interface Closing {
  stripe: Stripe;
  fetch: (reference: string) => Promise<ProviderPayment>;
  session: Stripe.Checkout.Session;
  before: ProviderPayment;
  idempotencyKey: string;
}

/**
 * Expires a page, then cancels its payment. If a capture succeeded at the same moment, the captured payment is
 * returned.
 */
async function closeCheckout({ stripe, fetch, session, before, idempotencyKey }: Closing): Promise<ProviderPayment> {
  if (session.status === 'open') {
    await unlessRefused(
      askStripe(stripe.checkout.sessions.expire(session.id, {}, { idempotencyKey: `${idempotencyKey}:expire` })),
    );
  }
  const now = session.status === 'open' ? await fetch(session.id) : before;
  if (now.state !== 'open' && now.state !== 'authorised') return now;
  try {
    await askStripe(stripe.paymentIntents.cancel(intentOf(now), {}, { idempotencyKey }));
  } catch (error) {
    if (!(error instanceof ProviderRefusal)) throw error;
    const after = await fetch(session.id);
    if (after.state === now.state) throw error;
    return after;
  }
  return fetch(session.id);
}

/**
 * Ignores Stripe's refusal to expire a page that was completed, or on which somebody is paying now. The caller then
 * cancels the payment.
 */
async function unlessRefused(call: Promise<unknown>): Promise<void> {
  await call.catch((error: unknown) => {
    if (!(error instanceof ProviderRefusal)) throw error;
  });
}

function intentOf({ intent }: ProviderPayment): string {
  if (!intent) throw new ProviderRefusal('nobody has paid on this page');
  return intent;
}

function verify(
  stripe: Stripe,
  secrets: readonly string[],
  { rawBody, signature, now }: { rawBody: string; signature: string; now: Date },
): Stripe.Event | null {
  for (const secret of secrets) {
    try {
      const event = stripe.webhooks.constructEvent(rawBody, signature, secret, undefined, undefined, now.getTime());
      return isWholeEvent(event) ? event : null;
    } catch (error) {
      // The webhook was signed with another secret, is too old or was changed. Any other error means that the body is
      // no event.
      if (error instanceof Stripe.errors.StripeSignatureVerificationError) continue;
      return null;
    }
  }
  return null;
}

function isWholeEvent(event: unknown): boolean {
  return EventShape.safeParse(event).success;
}

const EventShape = z.object({
  object: z.literal('event'),
  id: z.string(),
  type: z.string(),
  created: z.int(),
  data: z.object({ object: z.looseObject({}) }),
});
