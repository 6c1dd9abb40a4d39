import type { ProviderName, ProviderPayment } from '#payment/payment-state.ts';

/** A hosted page on which the payer approves one payment. */
export interface CheckoutRequest {
  /** The same key answers the same checkout, however often it is asked for. */
  idempotencyKey: string;
  /** Minor units of `currency`. */
  amount: number;
  currency: string;
  /** The shop, as the payer knows it. */
  merchant: { id: string; name: string };
  description: string;
  /** Where the provider's page sends the payer afterwards, whatever came of it. */
  returnUrl: string;
}

export interface Checkout {
  /** The provider's own id of the payment. */
  reference: string;
  redirectUrl: string;
}

/** A message that the provider has signed: something happened to this payment. What, is fetched, not believed. */
export interface ProviderEvent {
  id: string;
  reference: string;
}

/**
 * A payment company that authorises on its own page and captures later. Every call may fail or hang and be made again
 * with the same key; none is done twice. Throws ProviderRefusal for a definite no, anything else for an outage.
 */
export interface PaymentProvider {
  readonly name: ProviderName;
  createCheckout(request: CheckoutRequest): Promise<Checkout>;
  fetch(reference: string): Promise<ProviderPayment>;
  /** Takes authorised money. */
  capture(reference: string, idempotencyKey: string): Promise<ProviderPayment>;
  /** Lets authorised money go, or closes a page on which nobody has paid yet. */
  void(reference: string, idempotencyKey: string): Promise<ProviderPayment>;
  /** Sends captured money back: so much of it (minor units), or all that is left. */
  refund(reference: string, idempotencyKey: string, amount?: number): Promise<ProviderPayment>;
  /** null: not signed by the provider, or too old, or changed on the way. */
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

/** Gives up waiting after ten seconds; the call may still have had its effect. */
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
