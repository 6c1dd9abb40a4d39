import type { ProviderName, ProviderPayment } from '#payment/payment-state.ts';

/** A hosted page on which the payer approves one payment. */
export interface CheckoutRequest {
  /** The same key returns the same checkout, however often it is requested. */
  idempotencyKey: string;
  /** Minor units of `currency`. */
  amount: number;
  currency: string;
  /** The shop's name, as shown to the payer. */
  merchant: { id: string; name: string };
  description: string;
  /** Where the provider's page sends the payer afterwards, with any result. */
  returnUrl: string;
}

export interface Checkout {
  /** The provider's own id of the payment. */
  reference: string;
  redirectUrl: string;
}

/** A message signed by the provider: a payment has changed. The details are fetched, not taken from the message. */
export interface ProviderEvent {
  id: string;
  reference: string;
}

/**
 * A payment company that authorises on its own page and captures later. Every call may fail or hang and be repeated
 * with the same key; none takes effect twice. Throws ProviderRefusal for a definite no, anything else for an outage.
 */
export interface PaymentProvider {
  readonly name: ProviderName;
  createCheckout(request: CheckoutRequest): Promise<Checkout>;
  fetch(reference: string): Promise<ProviderPayment>;
  /** Captures authorised money. */
  capture(reference: string, idempotencyKey: string): Promise<ProviderPayment>;
  /** Voids an authorisation, or closes a page on which nobody has paid yet. */
  void(reference: string, idempotencyKey: string): Promise<ProviderPayment>;
  /** Refunds captured money: this amount (minor units), or everything that is left. */
  refund(reference: string, idempotencyKey: string, amount?: number): Promise<ProviderPayment>;
  /** null: not signed by the provider, or too old, or changed in transit. */
  readWebhook(rawBody: string, header: (name: string) => string | undefined, now: Date): Promise<ProviderEvent | null>;
}

/** The provider has answered, and the answer is no: asking again will not help. */
export class ProviderRefusal extends Error {
  constructor(message: string) {
    super(message);
    this.name = 'ProviderRefusal';
  }
}

const patience = 10_000;

/** Stops waiting after ten seconds; the call may still have taken effect. */
export async function inTime<T>(call: Promise<T>): Promise<T> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<never>((_resolve, reject) => {
    timer = setTimeout(() => reject(new Error('the payment provider did not answer in time')), patience);
  });
  try {
    return await Promise.race([call, late]);
  } finally {
    clearTimeout(timer);
  }
}
