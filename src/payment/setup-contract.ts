import { keySources, paymentModes, trialStates } from '#database/column-values.ts';
import { z } from 'zod';
import { storeName } from '#store/contract.ts';
import { Id, Instant, One } from '#platform/http/shapes.ts';

const Mode = z.enum(paymentModes);

const Problem = z.object({
  /**
   * `some_pages_refused`: the provider refused the payment pages of several orders for one reason, or one of the shop's
   * own. `pages_refused`: also a plain one of the shop's own, and cards are not offered.
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
  /** The missing rights, as the provider's API names them. */
  rights: z.array(z.string()),
  /** Of refused pages: the reason, in the provider's own words. */
  said: z.string().optional(),
});

/** A payment of the least amount by which the owner tried the keys; it is refunded by itself. */
const Trial = z.object({
  state: z.enum(trialStates),
  /** Minor units. */
  amount: z.int(),
  currency: z.string(),
  /** The page on which the owner pays, while it is open. */
  redirect_url: z.string().nullable(),
  at: Instant,
});

const Webhook = z.object({
  /**
   * `off`: the shop has no public address with https, so no webhooks can come, and it asks the provider every few
   * seconds instead. `missing`: they could not be asked for yet. `waiting`: none is expected yet. `silent`: one was
   * expected, and did not come. `heard`: they come.
   */
  state: z.enum(['off', 'missing', 'waiting', 'silent', 'heard']),
  url: z.string().nullable(),
  heard_at: Instant.nullable(),
});

const KeySet = z.object({
  id: Id,
  source: z.enum(keySources),
  mode: Mode,
  /** null: the key may not read them. */
  account: z.string().nullable(),
  account_name: z.string().nullable(),
  /** The last four characters of the key; the key itself is never sent. */
  key_hint: z.string(),
  created_at: Instant,
  problem: Problem.extend({ since: Instant }).nullable(),
  webhook: Webhook,
  trial: Trial.nullable(),
});
export type KeySet = z.infer<typeof KeySet>;

/** The keys of the shop's card provider. */
export const PaymentSetup = z.object({
  /** Where keys come from: those of the environment cannot be changed in the office. */
  source: z.enum(['environment', 'office']),
  /** The set that new payments are made with; null: none is set up. */
  current: KeySet.nullable(),
  /** Earlier sets, kept until their last payment is finished. */
  earlier: z.array(
    KeySet.pick({ id: true, mode: true, account_name: true, key_hint: true, problem: true }).extend({
      replaced_at: Instant,
      /** Payments that are not finished. */
      unfinished: z.int(),
    }),
  ),
});
export type PaymentSetup = z.infer<typeof PaymentSetup>;

/** The rights of a key. None of it is stored. */
export const KeyCheck = z.object({
  mode: Mode,
  is_restricted: z.boolean(),
  account: z.string().nullable(),
  account_name: z.string().nullable(),
  rights: z.array(z.object({ name: z.string(), row: z.string(), access: z.string(), is_given: z.boolean() })),
  problem: Problem.nullable(),
  /** It is of an account whose keys the shop has: its payments are finished with the new key. */
  joins: z.boolean(),
});
export type KeyCheck = z.infer<typeof KeyCheck>;

/** A board's view of card payments. */
export const CardPayments = z.object({
  /** null: the shop has no keys; cards are taken by the sandbox, or not at all. */
  mode: Mode.nullable(),
  problem: Problem.nullable(),
  /** While there is a problem: orders of the store that are approved and cannot be charged, oldest first. */
  uncharged: z.array(z.object({ order_id: Id, order_number: z.string() })),
});
export type CardPayments = z.infer<typeof CardPayments>;

const NewKey = z.object({ secret_key: z.string().trim().min(1).max(300) });

export const paymentSetup = {
  'GET /v1/stores/{id}/card-payments': {
    idOrName: storeName,
    access: 'store_admin',
    summary: 'Whether card payments are real, and which orders cannot be charged because of the keys.',
    response: One(CardPayments),
  },
  'GET /v1/payments/setup': {
    access: 'admin',
    summary: "The keys of the shop's card provider, without anything secret.",
    response: One(PaymentSetup),
  },
  'POST /v1/payments/setup/check': {
    access: 'admin',
    summary: 'Try what a key may do. A payment page is opened and closed at once; nobody is charged.',
    body: NewKey,
    response: One(KeyCheck),
    ownTransaction: true,
    errors: ['payment_unavailable'],
  },
  'POST /v1/payments/setup': {
    access: 'admin',
    freshSignIn: true,
    summary: 'Take cards with this key from now on. Payments that were begun with another are finished with that.',
    body: NewKey.extend({
      /** Needed for a test key while the shop takes real cards. */
      is_test_wanted: z.boolean().optional(),
    }),
    response: One(PaymentSetup),
    ownTransaction: true,
    errors: ['conflict', 'payment_unavailable'],
  },
  'DELETE /v1/payments/setup': {
    access: 'admin',
    freshSignIn: true,
    summary: 'Take no more cards. Payments that were begun are still finished.',
    response: One(PaymentSetup),
    ownTransaction: true,
    errors: ['conflict'],
  },
  'POST /v1/payments/setup/trial': {
    access: 'admin',
    summary:
      'Try the keys with a small payment, which is refunded by itself: the owner pays it on a page if it is real.',
    response: One(PaymentSetup),
    ownTransaction: true,
    errors: ['conflict', 'payment_unavailable'],
  },
  'POST /v1/payments/setup/webhook': {
    access: 'admin',
    summary: "Ask the provider again for its messages, and try the key's rights again.",
    response: One(PaymentSetup),
    ownTransaction: true,
    errors: ['conflict', 'payment_unavailable'],
  },
} as const;
