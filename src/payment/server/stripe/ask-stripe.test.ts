import { pino } from 'pino';
import { Stripe } from 'stripe';
import { expect, test } from 'vitest';
import { IdempotencyKeySpent, ProviderKeysRefused, ProviderRefusal } from '#payment/server/provider.ts';
import { logOptions } from '#platform/server/log.ts';
import { askStripe, toProviderError } from '#payment/server/stripe/ask-stripe.ts';

const errors = Stripe.errors;
const raw = (statusCode: number, more: object = {}) =>
  ({ statusCode, message: 'words', headers: {}, ...more }) as never;
const outage = null;

test.each([
  ['a wrong key', new errors.StripeAuthenticationError(raw(401)), ProviderKeysRefused],
  ['a missing right', new errors.StripePermissionError(raw(403)), ProviderKeysRefused],
  ['a declined card', new errors.StripeCardError(raw(402)), ProviderRefusal],
  ['a wrong state', new errors.StripeInvalidRequestError(raw(400)), ProviderRefusal],
  ['an unknown object', new errors.StripeInvalidRequestError(raw(404)), ProviderRefusal],
  ['a key in use', new errors.StripeAPIError(raw(409, { code: 'idempotency_key_in_use' })), outage],
  ['too many calls', new errors.StripeRateLimitError(raw(429)), outage],
  ['too many calls, said otherwise', new errors.StripeRateLimitError(raw(400)), outage],
  ['a key used with another body', new errors.StripeIdempotencyError(raw(400)), outage],
  ['a failure at Stripe', new errors.StripeAPIError(raw(500)), outage],
  [
    'a failure at Stripe that is repeated',
    new errors.StripeAPIError(raw(500, { headers: { 'idempotent-replayed': 'true' } })),
    IdempotencyKeySpent,
  ],
  ['no connection', new errors.StripeConnectionError({ message: 'reset' } as never), outage],
])('%s', async (_name, error, kind) => {
  const named = await askStripe(Promise.reject(error)).catch((thrown: unknown) => thrown);
  expect(kind === outage ? named === error : named instanceof kind).toBe(true);
});

test('what is said of an error has no part of a key', () => {
  const error = new errors.StripePermissionError(raw(403, { message: "The key 'rk_live_51Abc***Xyz' may not" }));
  expect(toProviderError(error)).toMatchObject({ said: "The key '…' may not" });
});

test.each([
  ['a refusal', 400, 'Stripe answered 400 parameter_invalid at customer_email'],
  ['a missing right', 403, 'Stripe answered 403 parameter_invalid at customer_email'],
  ['an outage', 502, 'Stripe answered 502 parameter_invalid at customer_email'],
  ['a call that comes too soon', 429, 'Stripe answered 429 parameter_invalid at customer_email'],
])('the log of %s has the code and the parameter, not what Stripe quotes of a customer', (_name, status, words) => {
  const lines: string[] = [];
  const quoted = { message: 'Invalid: 12 Long Row, cv21 2aa', code: 'parameter_invalid', param: 'customer_email' };
  const error = new errors.StripeInvalidRequestError(raw(status, quoted));
  pino(logOptions('info'), { write: (line) => void lines.push(line) }).warn({ err: toProviderError(error) }, 'refused');
  expect(JSON.parse(lines[0] ?? '')).toMatchObject({ err: { message: words } });
  expect(lines.join()).not.toMatch(/Long Row|cv21/);
});

test('a refusal names the part of the call that is refused', () => {
  const error = new errors.StripeInvalidRequestError(raw(400, { param: 'customer_email' }));
  expect(toProviderError(error)).toMatchObject({ parameter: 'customer_email' });
});

test('an error that is not of Stripe stays what it is', async () => {
  const fault = new TypeError('a mistake');
  await expect(askStripe(Promise.reject(fault))).rejects.toBe(fault);
});
