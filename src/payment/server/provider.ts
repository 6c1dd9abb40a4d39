import type { PaymentMode } from '#database/column-values.ts';
import type { ProviderName } from '#database/column-types.ts';
import type { ProviderPayment } from '#payment/payment-state.ts';
import type { Language } from '#platform/languages.ts';

/** One thing that is paid for. */
export interface CheckoutPart {
  name: string;
  /** Minor units, for one. */
  amount: number;
  quantity: number;
}

/** A hosted page on which the payer approves one payment. */
export interface CheckoutRequest {
  /** A repeated key returns the first checkout again. */
  idempotencyKey: string;
  /** Ours, sent along so that an event about the payment can be assigned even before its reference is known here. */
  paymentId: string;
  orderId: string;
  /** Minor units of `currency`: the parts less the discount. */
  amount: number;
  currency: string;
  parts: readonly CheckoutPart[];
  /** null: none. */
  discount: { name: string; amount: number } | null;
  /** The shop's name, as shown to the payer. */
  merchant: { id: string; name: string };
  description: string;
  payer: { email: string | null; userId: string | null; language: Language };
  /** Hold the money until the shop accepts, where the payer's method can be held; false: charge at once. */
  isHeld: boolean;
  /** When the page ends by itself. */
  expiresAt: Date;
  /** For the payer, on the provider's page: when the money is taken. */
  note: string;
  /** Where the provider's page sends the payer once they have paid, with any result. */
  returnUrl: string;
  /** Where it sends a payer who goes back without paying; the page stays open. */
  cancelUrl: string;
}

export interface Checkout {
  /** The provider's own id of the payment. */
  reference: string;
  redirectUrl: string;
}

/** An event signed by the provider: something has changed. The details are fetched, not taken from the event. */
export interface ProviderEvent {
  id: string;
  type: string;
  /** The provider's id of its subject. */
  object: string | null;
  /** The payment's `reference` or `intent`, if the event names one. */
  reference: string | null;
  /** Ours, as sent with the checkout. */
  paymentId: string | null;
  account: string | null;
  mode: PaymentMode | null;
  amount: number | null;
  currency: string | null;
  at: Date | null;
}

/**
 * A payment company that authorises on its own page and captures later. Every call may fail or hang and be repeated
 * with the same key; none takes effect twice. Throws ProviderRefusal for a definite no, KeysRefused when it does not
 * accept the shop's keys, KeySpent for an outage that needs another key, anything else for an outage.
 */
export interface PaymentProvider {
  readonly name: ProviderName;
  createCheckout(request: CheckoutRequest): Promise<Checkout>;
  fetch(reference: string): Promise<ProviderPayment>;
  /** Captures this amount of authorised money, in minor units, and releases the rest. */
  capture(reference: string, idempotencyKey: string, amount: number): Promise<ProviderPayment>;
  /** Voids an authorisation, or closes a page on which nobody has paid yet. */
  void(reference: string, idempotencyKey: string): Promise<ProviderPayment>;
  /** Refunds captured money: this amount (minor units), or everything that is left. */
  refund(reference: string, idempotencyKey: string, amount?: number): Promise<ProviderPayment>;
  /** Deletes a customer with their saved cards; missing where the provider keeps none. */
  forgetCustomer?(customer: string): Promise<void>;
  /** null: not signed by the provider, or too old, or changed in transit. */
  readWebhook(rawBody: string, header: (name: string) => string | undefined, now: Date): Promise<ProviderEvent | null>;
}

/** How the provider says no. */
interface Refusal {
  /** The part of the call that is refused, as the provider names it. */
  parameter?: string | null;
  /** The provider does not know that part at all, whatever it says. */
  isUnknownPart?: boolean;
  /** The object that the call is about is not there. */
  isMissing?: boolean;
  /** It charges no amount as small as this. */
  isTooLittle?: boolean;
  /** Its own words; those of the error if left out. */
  said?: string;
}

/** The provider has answered, and the answer is no: asking again will not help. */
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

/** The provider does not accept the shop's keys: they were withdrawn, or lack a right. */
export class KeysRefused extends Error {
  readonly said: string;

  constructor(message: string, said = message) {
    super(message);
    this.name = 'KeysRefused';
    this.said = said;
  }
}

/**
 * The provider failed at the first call with this key, and repeats that answer to every further one: the state must be
 * fetched, and the next try needs another key.
 */
export class KeySpent extends Error {
  constructor(message: string) {
    super(message);
    this.name = 'KeySpent';
  }
}

/** Milliseconds. */
const timeout = 10_000;

/** Stops waiting after ten seconds; the call may still have taken effect. */
export async function inTime<T>(call: Promise<T>): Promise<T> {
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
