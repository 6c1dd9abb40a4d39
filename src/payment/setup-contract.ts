import { keySources, paymentModes, keyTrialStates } from '#database/column-values.ts';
import { z } from 'zod';
import { storePathName } from '#store/contract.ts';
import { Id, Instant, SingleAnswer } from '#platform/http/shapes.ts';

const Mode = z.enum(paymentModes);

const Problem = z.object({
  /**
   * `some_pages_refused`: the provider refuses some payment pages, and others may open. `pages_refused`: the provider
   * refuses even a plain page without a discount, so cards are not offered.
   */
  kind: z.enum([
    'keys_refused',
    'address_refused',
    'missing_right',
    'not_activated',
    'not_here',
    'some_pages_refused',
    'pages_refused',
    'no_address',
  ]),
  rights: z.array(z.string()),
  /** The provider's message, if it refused to create payment pages. */
  said: z.string().optional(),
});

/** A payment of the minimum amount with which the owner tries the keys. The payment is refunded automatically. */
const Trial = z.object({
  state: z.enum(keyTrialStates),
  /** The trial's amount in minor units. */
  amount: z.int(),
  currency: z.string(),
  /** The page on which the owner pays; null: it is closed, or not made yet. */
  redirect_url: z.string().nullable(),
  at: Instant,
});

const Webhook = z.object({
  /**
   * `off`: the shop has no public https address, so the provider cannot send webhooks, and the shop asks it every few
   * seconds. `missing`: the webhook endpoint could not be created yet. `waiting`: no webhook is expected yet. `silent`:
   * an expected webhook did not arrive. `heard`: webhooks arrive.
   */
  state: z.enum(['off', 'missing', 'waiting', 'silent', 'heard']),
  url: z.string().nullable(),
  heard_at: Instant.nullable(),
});

const KeySet = z.object({
  id: Id,
  source: z.enum(keySources),
  mode: Mode,
  /** The id of the account; null: the key was not checked yet, or has no right to read the account. */
  account: z.string().nullable(),
  /** The name of the account; null: the account has no name, or is not known. */
  account_name: z.string().nullable(),
  /** The last four characters of the key; the key itself is never sent. */
  key_hint: z.string(),
  created_at: Instant,
  problem: Problem.extend({ since: Instant }).nullable(),
  webhook: Webhook,
  trial: Trial.nullable(),
});
export type KeySet = z.infer<typeof KeySet>;

export const PaymentSetup = z.object({
  /** The source of keys. A key from the environment cannot be changed in the office. */
  source: z.enum(['environment', 'office']),
  /** The key set for new payments; null: none is set up. */
  current: KeySet.nullable(),
  /** Earlier sets, until their payments, refunds, disputes and payouts are finished. */
  earlier: z.array(
    KeySet.pick({ id: true, mode: true, account_name: true, key_hint: true, problem: true }).extend({
      replaced_at: Instant,
      unfinished: z.int(),
    }),
  ),
});
export type PaymentSetup = z.infer<typeof PaymentSetup>;

/** The result of checking a typed key. Neither the key nor the result is stored. */
export const KeyCheck = z.object({
  mode: Mode,
  is_restricted: z.boolean(),
  account: z.string().nullable(),
  account_name: z.string().nullable(),
  rights: z.array(z.object({ name: z.string(), row: z.string(), access: z.string(), is_given: z.boolean() })),
  problem: Problem.nullable(),
  /**
   * Whether the key joins an existing key set, because it is that set's key or can read that set's webhook endpoint.
   * The key then also finishes the payments of that set.
   */
  joins: z.boolean(),
});
export type KeyCheck = z.infer<typeof KeyCheck>;

export const CardPaymentState = z.object({
  /** The mode of the current keys; null: the shop has no keys, and takes cards by the sandbox or not at all. */
  mode: Mode.nullable(),
  problem: Problem.nullable(),
  /** The orders of the store that are authorised and cannot be charged because of the problem, oldest first. */
  uncharged: z.array(z.object({ order_id: Id, order_number: z.string() })),
});
export type CardPaymentState = z.infer<typeof CardPaymentState>;

const NewKey = z.object({ secret_key: z.string().trim().min(1).max(300) });

export const paymentSetupEndpoints = {
  'GET /v1/stores/{id}/card-payments': {
    idOrName: storePathName,
    access: 'store_admin',
    summary: 'Whether card payments are real, and which orders cannot be charged because of the keys.',
    response: SingleAnswer(CardPaymentState),
  },
  'GET /v1/payments/setup': {
    access: 'admin',
    summary: "The keys of the shop's card provider, without anything secret.",
    response: SingleAnswer(PaymentSetup),
  },
  'POST /v1/payments/setup/check': {
    access: 'admin',
    summary: 'Try what a key may do. A payment page is opened and closed at once; nobody is charged.',
    body: NewKey,
    response: SingleAnswer(KeyCheck),
    ownTransaction: true,
    errors: ['payment_unavailable'],
  },
  'POST /v1/payments/setup': {
    access: 'admin',
    freshSignIn: true,
    summary: 'Take cards with this key from now on. Payments that were begun with another are finished with that.',
    body: NewKey.extend({
      /** Whether the owner confirmed that a test key is wanted; must be true while the shop takes real cards. */
      is_test_wanted: z.boolean().optional(),
    }),
    response: SingleAnswer(PaymentSetup),
    ownTransaction: true,
    errors: ['conflict', 'payment_unavailable'],
  },
  'DELETE /v1/payments/setup': {
    access: 'admin',
    freshSignIn: true,
    summary: 'Take no more cards. Payments that were begun are still finished.',
    response: SingleAnswer(PaymentSetup),
    ownTransaction: true,
    errors: ['conflict'],
  },
  'POST /v1/payments/setup/trial': {
    access: 'admin',
    summary:
      'Try the keys with a small payment, which is refunded by itself: the owner pays it on a page if it is real.',
    response: SingleAnswer(PaymentSetup),
    ownTransaction: true,
    errors: ['conflict', 'payment_unavailable'],
  },
  'POST /v1/payments/setup/webhook': {
    access: 'admin',
    summary: "Ask the provider again for its messages, and try the key's rights again.",
    response: SingleAnswer(PaymentSetup),
    ownTransaction: true,
    errors: ['conflict', 'payment_unavailable'],
  },
} as const;
