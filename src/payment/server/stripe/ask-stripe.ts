import { setTimeout } from 'node:timers/promises';
import { Stripe } from 'stripe';
import { IdempotencyKeySpent, ProviderKeysRefused, ProviderRefusal } from '#payment/server/provider.ts';

/** Makes a call to Stripe, and converts its errors to those of a payment provider. */
export async function askStripe<T>(call: Promise<T>): Promise<T> {
  try {
    return await call;
  } catch (error) {
    throw error instanceof Stripe.errors.StripeError ? toProviderError(error) : error;
  }
}

/**
 * Makes a call with an idempotency key that another call may be using now, as after a double click. The call waits for
 * the other call, and gets the same answer.
 */
export async function askStripeSerially<T>(call: () => Promise<T>): Promise<T> {
  for (let tries = 1; ; tries += 1) {
    try {
      return await askStripe(call());
    } catch (error) {
      const isInUse = error instanceof Stripe.errors.StripeError && error.code === 'idempotency_key_in_use';
      if (!isInUse || tries === inUseTries) throw error;
      await setTimeout(inUsePause);
    }
  }
}

const inUseTries = 8;
/** Milliseconds to wait while another call uses the same idempotency key. */
const inUsePause = 500;

/**
 * Converts an error of Stripe to a provider's error. 401 and 403: Stripe refuses the keys. 409, 429 and 5xx: the call
 * may have taken effect. The same applies without a connection, and if the idempotency key was used with another body
 * before. All other errors: the call was refused.
 */
export function toProviderError(error: Stripe.errors.StripeError): Error {
  const { statusCode: status } = error;
  if (status === 401 || status === 403) return new ProviderKeysRefused(describe(error), wordsOf(error));
  // An error without a status comes from Stripe's client library and not from Stripe, so its message quotes no
  // customer.
  if (status === undefined) return error;
  if (status >= 500) {
    // Stripe stores the answer of a key's first call for a day, even if that call failed at Stripe.
    return error.headers?.['idempotent-replayed'] === 'true'
      ? new IdempotencyKeySpent(describe(error))
      : withoutWords(error);
  }
  const isUnknown =
    status === 409 ||
    error instanceof Stripe.errors.StripeRateLimitError ||
    error instanceof Stripe.errors.StripeIdempotencyError;
  if (isUnknown) return withoutWords(error);
  return new ProviderRefusal(describe(error), {
    parameter: error.param ?? null,
    isUnknownPart: error.code === 'parameter_unknown',
    isMissing: status === 404 || error.code === 'resource_missing',
    isTooLittle: error.code === 'amount_too_small',
    said: wordsOf(error),
  });
}

/** Describes an error for the log, without Stripe's message, which may quote a street or other text of a customer. */
function describe({ statusCode, code, type, param }: Stripe.errors.StripeError): string {
  return `Stripe answered ${statusCode} ${code ?? type}${param ? ` at ${param}` : ''}`;
}

/** Replaces the message of an error, which may quote a customer, by a description, and returns the error. */
function withoutWords(error: Stripe.errors.StripeError): Stripe.errors.StripeError {
  const message = describe(error);
  return Object.assign(error, { message, stack: error.stack?.replace(error.message, () => message) });
}

/** Stripe's message for the owner, without the part of a key that Stripe quotes. */
function wordsOf({ message }: Stripe.errors.StripeError): string {
  return message.replaceAll(/\b[rs]k_(live|test)_[^\s']+/g, '…');
}
