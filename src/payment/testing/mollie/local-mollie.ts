import type { Stripe } from 'stripe';
import { ProviderRefusal } from '#payment/server/provider.ts';
import { askStripe } from '#payment/server/stripe/ask-stripe.ts';
import { stripeIdOf } from '#payment/server/stripe/read-session.ts';

/** An amount as Mollie writes it. */
export type MollieAmount = Record<'currency' | 'value', string>;

export interface MolliePayment {
  id: string;
  status: 'open' | 'pending' | 'authorized' | 'paid' | 'canceled' | 'expired' | 'failed';
  amount: MollieAmount;
  amountCaptured?: MollieAmount;
  /** Its id on the statement of the account. */
  transaction: string | null;
  metadata: { payment_id: string };
  authorizedAt?: string;
  captureBefore?: string;
  checkout: string;
}

export interface MollieRefund {
  id: string;
  status: 'queued' | 'pending' | 'processing' | 'refunded' | 'failed' | 'canceled';
  amount: MollieAmount;
  metadata: { key?: string };
}

export interface NewMolliePayment {
  amount: MollieAmount;
  description: string;
  redirectUrl: string;
  captureMode: 'manual' | 'automatic';
  expiresAt: Date;
  metadata: { payment_id: string; order_id: string };
}

/**
 * A company of Mollie's shape: a payment that redirects, is captured, cancelled and refunded by its own id, and refunds
 * that are asked for apart. Its books are those of the local Stripe, so that the model's payers, faults and checks are
 * the same.
 */
export function createLocalMollie(books: Stripe) {
  const read = (id: string) =>
    askStripe(books.checkout.sessions.retrieve(id, { expand: ['payment_intent.latest_charge.refunds'] }));
  const intentOf = async (id: string) => {
    const intent = stripeIdOf((await read(id)).payment_intent);
    if (intent === null) throw new ProviderRefusal('nobody has paid');
    return intent;
  };
  return {
    create: async (asked: NewMolliePayment, idempotencyKey: string): Promise<MolliePayment> =>
      paymentOf(await askStripe(books.checkout.sessions.create(pageOf(asked), { idempotencyKey }))),
    get: async (id: string): Promise<MolliePayment> => paymentOf(await read(id)),
    async capture(id: string, amount: MollieAmount, idempotencyKey: string): Promise<void> {
      const wanted = { amount_to_capture: minorOf(amount) };
      await askStripe(books.paymentIntents.capture(await intentOf(id), wanted, { idempotencyKey }));
    },
    async cancel(id: string, idempotencyKey: string): Promise<void> {
      const session = await read(id);
      if (session.status === 'open') {
        const key = { idempotencyKey: `${idempotencyKey}:page` };
        await askStripe(books.checkout.sessions.expire(id, {}, key)).catch(unlessRefused);
      }
      if (paymentOf(await read(id)).status === 'expired') return;
      await askStripe(books.paymentIntents.cancel(await intentOf(id), {}, { idempotencyKey }));
    },
    async refund(id: string, amount: MollieAmount, key: string): Promise<void> {
      const asked = { payment_intent: await intentOf(id), amount: minorOf(amount), metadata: { refund_key: key } };
      // The rest may have become less since the last call, of which only the answer was lost.
      await askStripe(books.refunds.create(asked, { idempotencyKey: `${key}:${amount.value}` }));
    },
    async refunds(id: string): Promise<MollieRefund[]> {
      const intent = stripeIdOf((await read(id)).payment_intent);
      if (intent === null) return [];
      const all = books.refunds.list({ payment_intent: intent, limit: 100 }).autoPagingToArray({ limit: 1_000 });
      return (await askStripe(all)).toReversed().map(refundOf);
    },
  };
}

function unlessRefused(error: unknown): void {
  if (!(error instanceof ProviderRefusal)) throw error;
}

export type LocalMollie = ReturnType<typeof createLocalMollie>;

/** Of an event in the books, the id of the payment that Mollie would name; null: it would send none. */
export function namedPayment(body: string, pages: ReadonlyMap<string, { id: string }>): string | null {
  const { data } = JSON.parse(body) as { data: { object: { object: string; id: string; payment_intent?: unknown } } };
  const { object, id, payment_intent } = data.object;
  if (object === 'checkout.session') return id;
  const intent = object === 'payment_intent' ? id : payment_intent;
  return typeof intent === 'string' ? (pages.get(intent)?.id ?? null) : null;
}

export const moneyOf = (minor: number, currency: string): MollieAmount => ({
  currency: currency.toUpperCase(),
  value: (minor / 100).toFixed(2),
});
export const minorOf = ({ value }: MollieAmount): number => Math.round(Number(value) * 100);

function pageOf({ amount, description, metadata, captureMode, ...page }: NewMolliePayment) {
  const price = { currency: amount.currency.toLowerCase(), unit_amount: minorOf(amount) };
  return {
    mode: 'payment',
    line_items: [{ quantity: 1, price_data: { ...price, product_data: { name: description } } }],
    ...(captureMode === 'manual' && { payment_method_options: { card: { capture_method: 'manual' } } }),
    client_reference_id: metadata.order_id,
    metadata,
    payment_intent_data: { metadata },
    expires_at: Math.ceil(page.expiresAt.getTime() / 1000),
    success_url: page.redirectUrl,
  } satisfies Stripe.Checkout.SessionCreateParams;
}

function paymentOf(session: Stripe.Checkout.Session): MolliePayment {
  const intent = typeof session.payment_intent === 'object' ? session.payment_intent : null;
  const charge = typeof intent?.latest_charge === 'object' ? intent.latest_charge : null;
  const currency = session.currency ?? '';
  return {
    id: session.id,
    status: statusOf(session, intent),
    amount: moneyOf(intent?.amount ?? session.amount_total ?? 0, currency),
    ...(intent?.status === 'succeeded' && { amountCaptured: moneyOf(intent.amount_received, currency) }),
    transaction: stripeIdOf(session.payment_intent),
    metadata: { payment_id: session.metadata?.['payment_id'] ?? '' },
    ...(charge && holdOf(charge, intent)),
    checkout: session.url ?? '',
  };
}

function holdOf(charge: Stripe.Charge, intent: Stripe.PaymentIntent | null) {
  const isHeld = charge.status === 'succeeded' && intent?.status !== 'succeeded';
  const before = charge.payment_method_details?.card?.capture_before;
  return {
    ...(isHeld && { authorizedAt: new Date(charge.created * 1000).toISOString() }),
    ...(before && { captureBefore: new Date(before * 1000).toISOString() }),
  };
}

function statusOf({ status }: Stripe.Checkout.Session, intent: Stripe.PaymentIntent | null): MolliePayment['status'] {
  if (intent?.status === 'succeeded') return 'paid';
  if (intent?.status === 'requires_capture') return 'authorized';
  if (intent?.status === 'canceled') return 'canceled';
  if (intent?.status === 'processing' || intent?.status === 'requires_action') return 'pending';
  if (status === 'expired') return 'expired';
  return status === 'complete' ? 'failed' : 'open';
}

function refundOf({ id, status, amount, currency, metadata }: Stripe.Refund): MollieRefund {
  const key = metadata?.['refund_key'];
  const isOver = status === 'failed' || status === 'canceled' ? status : null;
  return {
    id,
    status: isOver ?? (status === 'succeeded' ? 'refunded' : 'processing'),
    amount: moneyOf(amount, currency),
    metadata: key === undefined ? {} : { key },
  };
}
