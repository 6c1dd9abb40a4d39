import { createHash, randomUUID } from 'node:crypto';
import type Stripe from 'stripe';
import type { TestCard } from './objects/test-cards.ts';

/** The objects of one account in one mode, by the word that Stripe has in their field `object`. */
export interface Tables {
  'checkout.session': Map<string, Stripe.Checkout.Session>;
  payment_intent: Map<string, Stripe.PaymentIntent>;
  charge: Map<string, Stripe.Charge>;
  refund: Map<string, Stripe.Refund>;
  customer: Map<string, Stripe.Customer>;
  payment_method: Map<string, Stripe.PaymentMethod>;
  coupon: Map<string, Stripe.Coupon>;
  event: Map<string, LocalEvent>;
  webhook_endpoint: Map<string, Stripe.WebhookEndpoint>;
  balance_transaction: Map<string, Stripe.BalanceTransaction>;
  payout: Map<string, Stripe.Payout>;
  dispute: Map<string, Stripe.Dispute>;
  payment_method_domain: Map<string, Stripe.PaymentMethodDomain>;
}

export type LocalEvent = Stripe.EventBase;

/** What Stripe keeps of a session and does not answer. */
export interface SessionSecret {
  lines: Stripe.LineItem[];
  intent: Stripe.Checkout.SessionCreateParams.PaymentIntentData;
  options: Stripe.Checkout.SessionCreateParams.PaymentMethodOptions;
}

/** An account in one mode. */
export interface Books {
  account: Stripe.Account;
  livemode: boolean;
  tables: Tables;
  sessions: Map<string, SessionSecret>;
  /** The session that an intent was made by, by the intent's id. */
  sessionOfIntent: Map<string, Stripe.Checkout.Session>;
  /** How each payment method behaves, by its id. */
  cards: Map<string, TestCard>;
  /** The secret of each webhook endpoint, by its id. */
  secrets: Map<string, string>;
  /** The id of the payout that each balance transaction was paid by. */
  paidOut: Map<string, string>;
}

/** What the next payments do that no test card says, set by the control. */
export interface Settings {
  /** How a refund starts. */
  refunds: 'succeeded' | 'pending';
  /** How a payment by Pay by Bank starts, if the page is not told otherwise. */
  bankPayments: 'succeeded' | 'processing';
  /** How long a charge that is captured at once has no balance transaction, in milliseconds. */
  balanceTransactionAfter: number;
  /** How long a hold lasts, in milliseconds. */
  holdFor: number;
  /** Refuses webhook endpoints that only this machine reaches, as the real Stripe does. */
  refusesLocalEndpoints: boolean;
  /** The payment methods that the account's configuration has switched off, such as `link`. */
  methodsOff: readonly string[];
}

export interface World {
  origin: string;
  /** The time, in milliseconds since 1970. */
  now(): number;
  /** An id that no other object has, such as `pi_…`. */
  newId(prefix: string, length?: number): string;
  books: Map<string, Books>;
  settings: Settings;
  /** The request under way, which events name; null for what happens by itself. */
  request: { id: string; idempotencyKey: string | null } | null;
  /** Is told of each event; sends it to the endpoints. */
  published(books: Books, event: LocalEvent): void;
}

const day = 86_400_000;

export function createWorld(options: { origin: string; now: () => number; seed?: string | undefined }): World {
  const seed = options.seed ?? randomUUID();
  let made = 0;
  return {
    origin: options.origin,
    now: options.now,
    newId(prefix, length = 24) {
      made += 1;
      const random = createHash('sha512')
        .update(`${seed}:${made}`)
        .digest('base64')
        .replace(/[^a-zA-Z0-9]/g, '');
      return `${prefix}_${random.slice(0, length)}`;
    },
    books: new Map(),
    settings: {
      refunds: 'succeeded',
      bankPayments: 'succeeded',
      balanceTransactionAfter: 0,
      holdFor: 7 * day,
      refusesLocalEndpoints: false,
      methodsOff: [],
    },
    request: null,
    published: () => {},
  };
}

/** The time as Stripe writes it: seconds since 1970. */
export function seconds(world: World): number {
  return Math.floor(world.now() / 1000);
}

export function createBooks(account: Stripe.Account, livemode: boolean): Books {
  return {
    account,
    livemode,
    tables: {
      'checkout.session': new Map(),
      payment_intent: new Map(),
      charge: new Map(),
      refund: new Map(),
      customer: new Map(),
      payment_method: new Map(),
      coupon: new Map(),
      event: new Map(),
      webhook_endpoint: new Map(),
      balance_transaction: new Map(),
      payout: new Map(),
      dispute: new Map(),
      payment_method_domain: new Map(),
    },
    sessions: new Map(),
    sessionOfIntent: new Map(),
    cards: new Map(),
    secrets: new Map(),
    paidOut: new Map(),
  };
}

/** The id in a field that can also hold the object itself. Stored objects hold ids only. */
export function idIn(field: string | { id: string } | null | undefined): string | null {
  if (typeof field === 'string') return field;
  return field?.id ?? null;
}
