import { setTimeout } from 'node:timers/promises';
import { Stripe } from 'stripe';
import { KeySpent, KeysRefused, ProviderRefusal } from '#payment/server/provider.ts';

/** Makes a call to Stripe, and names its errors as a payment provider's. */
export async function askStripe<T>(call: Promise<T>): Promise<T> {
  try {
    return await call;
  } catch (error) {
    throw error instanceof Stripe.errors.StripeError ? nameError(error) : error;
  }
}

/**
 * Makes a call with a key that another call may be using at this moment, such as a second tap on the same button: it
 * waits for that one, to get the same answer.
 */
export async function askInTurn<T>(call: () => Promise<T>): Promise<T> {
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
/** Milliseconds. */
const inUsePause = 500;

/**
 * The meaning of an error of Stripe. 401 and 403: it does not accept the keys. 409, 429, 5xx, a key used with another
 * body and no connection: it is not known whether the call took effect. The rest: a definite no.
 */
export function nameError(error: Stripe.errors.StripeError): Error {
  const { statusCode: status } = error;
  if (status === 401 || status === 403) return new KeysRefused(describe(error), wordsOf(error));
  // These are the words of our own side.
  if (status === undefined) return error;
  if (status >= 500) {
    // Stripe keeps the answer of a key's first call for a day, even when it is its own failure.
    return error.headers?.['idempotent-replayed'] === 'true' ? new KeySpent(describe(error)) : withoutWords(error);
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

/** For the log: without the words, which may quote a street or whatever else a customer typed. */
function describe({ statusCode, code, type, param }: Stripe.errors.StripeError): string {
  return `Stripe answered ${statusCode} ${code ?? type}${param ? ` at ${param}` : ''}`;
}

/** The error is the same, but for the words. */
function withoutWords(error: Stripe.errors.StripeError): Stripe.errors.StripeError {
  const message = describe(error);
  return Object.assign(error, { message, stack: error.stack?.replace(error.message, () => message) });
}

/** For the owner; without anything that looks like a key, of which Stripe names a part. */
function wordsOf({ message }: Stripe.errors.StripeError): string {
  return message.replaceAll(/\b[rs]k_(live|test)_[^\s']+/g, '…');
}
