import type { PaymentMode } from '#database/column-values.ts';
import type { CardProviderName } from '#database/column-types.ts';
import type { ProviderPayment } from '#payment/payment-state.ts';
import type { Wallet } from '#store/wallets.ts';
import type { Language } from '#platform/languages.ts';

/** A line, fee or tip that the payer sees on the provider's page. */
export interface ProviderPageRow {
  name: string;
  /** The price of one piece, minor units. */
  amount: number;
  quantity: number;
}

/** A request for the provider's page on which the payer approves one payment. */
export interface CheckoutRequest {
  /** A repeated request with the same key returns the first checkout again. */
  idempotencyKey: string;
  /** The shop's id of the payment, sent along so that events find the payment before its reference is stored. */
  paymentId: string;
  orderId: string;
  /** The sum of the parts less the discount, in minor units of `currency`. */
  amount: number;
  currency: string;
  parts: readonly ProviderPageRow[];
  discount: { name: string; amount: number } | null;
  merchant: { id: string; name: string };
  description: string;
  payer: { email: string | null; userId: string | null; language: Language };
  /**
   * true: the money is held until the shop accepts the order, if the payer's method allows holds. false: the money is
   * charged at once.
   */
  isHeld: boolean;
  expiresAt: Date;
  /** A note to the payer on the provider's page about when the money is charged. */
  note: string;
  /** The provider's page sends the payer here once they have paid, whatever the result. */
  returnUrl: string;
  /** The provider's page sends the payer here if they go back without paying. They can still pay until `expiresAt`. */
  cancelUrl: string;
}

export interface Checkout {
  reference: string;
  redirectUrl: string;
}

/** An event signed by the provider: something has changed. The details are fetched, not taken from the event. */
export interface ProviderEvent {
  id: string;
  type: string;
  object: string | null;
  /** The payment's `reference` or `intent`, if the event names one. */
  reference: string | null;
  /** The shop's id of the payment, as sent with the checkout. */
  paymentId: string | null;
  account: string | null;
  mode: PaymentMode | null;
  amount: number | null;
  currency: string | null;
  at: Date | null;
}

/**
 * A page of a list at the provider. `next` is the argument for the call of the next page; null: this is the last page.
 */
export interface ProviderListPage<T> {
  rows: T[];
  next: string | null;
}

/** A payment of this shop, as the provider lists it. `description`: the text that the payer saw. */
export interface ListedPayment {
  paymentId: string;
  reference: string;
  description: string | null;
  createdAt: Date;
  is: ProviderPayment;
}

/**
 * A payment company that authorises on its own page and captures later. A call may fail, hang, or be repeated with the
 * same key; no call takes effect twice. Throws ProviderRefusal if the provider refuses the call, ProviderKeysRefused if
 * it refuses the shop's keys. Throws IdempotencyKeySpent if a retry needs another key. Any other error is an outage.
 */
export interface PaymentProvider {
  readonly name: CardProviderName;
  createCheckout(request: CheckoutRequest): Promise<Checkout>;
  fetch(reference: string): Promise<ProviderPayment>;
  /** Captures this amount of authorised money, in minor units, and releases the rest. */
  capture(reference: string, idempotencyKey: string, amount: number): Promise<ProviderPayment>;
  /** Voids an authorisation, or closes a page on which nobody has paid yet. */
  void(reference: string, idempotencyKey: string): Promise<ProviderPayment>;
  /** Refunds captured money: this amount (minor units), or everything that is left. */
  refund(reference: string, idempotencyKey: string, amount?: number): Promise<ProviderPayment>;
  /**
   * Lists the payments that a shop with these keys began at or after `since`. Missing for a provider whose payments are
   * all in the shop's own database.
   */
  listPayments?(since: Date, after: string | null): Promise<ProviderListPage<ListedPayment>>;
  /** Lists the intents with a refund made at or after `since`, by the shop or by somebody at the provider. */
  listRefunded?(since: Date, after: string | null): Promise<ProviderListPage<string>>;
  /** Lists the wallets on the provider's page; missing for a provider whose page has none. */
  listWallets?(): Promise<readonly Wallet[]>;
  /** Deletes a customer with their saved cards; missing for a provider that stores no customers. */
  forgetCustomer?(customer: string): Promise<void>;
  /** Verifies and reads a webhook; null: the webhook is not signed by the provider, too old, or changed in transit. */
  readWebhook(rawBody: string, header: (name: string) => string | undefined, now: Date): Promise<ProviderEvent | null>;
}

interface Refusal {
  /** The provider's name for the refused parameter of the call. */
  parameter?: string | null;
  /** Whether the provider does not know this parameter, whatever its value. */
  isUnknownPart?: boolean;
  isMissing?: boolean;
  isTooLittle?: boolean;
  /** The provider's message; if missing: the message of the error. */
  said?: string;
}

/** The provider refused the call; the same call would be refused again. */
export class ProviderRefusal extends Error {
  readonly parameter: string | null;
  readonly isUnknownPart: boolean;
  readonly isMissing: boolean;
  readonly isTooLittle: boolean;
  readonly said: string;

  constructor(
    message: string,
    { parameter = null, isUnknownPart = false, isMissing = false, isTooLittle = false, said = message }: Refusal = {},
  ) {
    super(message);
    this.name = 'ProviderRefusal';
    this.parameter = parameter;
    this.isUnknownPart = isUnknownPart;
    this.isMissing = isMissing;
    this.isTooLittle = isTooLittle;
    this.said = said;
  }
}

/** The provider refuses the shop's keys: they were withdrawn, or lack a right. */
export class ProviderKeysRefused extends Error {
  readonly said: string;

  constructor(message: string, said = message) {
    super(message);
    this.name = 'KeysRefused';
    this.said = said;
  }
}

/**
 * The provider failed at the first call with this key, and repeats that failure at each further call. The state must be
 * fetched, and the next attempt needs another key.
 */
export class IdempotencyKeySpent extends Error {
  constructor(message: string) {
    super(message);
    this.name = 'IdempotencyKeySpent';
  }
}

/** Wraps a provider: each call goes through `run`, except `readWebhook`, which makes no call to the provider. */
export function wrapProvider(provider: PaymentProvider, run: <T>(call: Promise<T>) => Promise<T>): PaymentProvider {
  const { forgetCustomer, listPayments, listRefunded, listWallets } = provider;
  return {
    name: provider.name,
    createCheckout: (request) => run(provider.createCheckout(request)),
    fetch: (reference) => run(provider.fetch(reference)),
    capture: (reference, key, amount) => run(provider.capture(reference, key, amount)),
    void: (reference, key) => run(provider.void(reference, key)),
    refund: (reference, key, amount) => run(provider.refund(reference, key, amount)),
    ...(listPayments && { listPayments: (since: Date, after: string | null) => run(listPayments(since, after)) }),
    ...(listRefunded && { listRefunded: (since: Date, after: string | null) => run(listRefunded(since, after)) }),
    ...(listWallets && { listWallets: () => run(listWallets()) }),
    ...(forgetCustomer && { forgetCustomer: (customer: string) => run(forgetCustomer(customer)) }),
    readWebhook: (rawBody, header, now) => provider.readWebhook(rawBody, header, now),
  };
}

/** The timeout of a call, in milliseconds. */
const timeout = 10_000;

/** Rejects if a call takes longer than ten seconds; the call may still have taken effect. */
export async function withCallTimeout<T>(call: Promise<T>): Promise<T> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<never>((_resolve, reject) => {
    timer = setTimeout(() => reject(new Error('the payment provider did not answer in time')), timeout);
  });
  try {
    return await Promise.race([call, late]);
  } finally {
    clearTimeout(timer);
  }
}
