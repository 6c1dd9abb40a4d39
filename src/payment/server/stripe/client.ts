import { Stripe } from 'stripe';

/** The version of Stripe's API that this release uses, for calls and for webhook endpoints. */
export const stripeVersion = '2026-10-28.endive';

/** The timeout of one request in milliseconds, shorter than that of a whole call (`withCallTimeout`). */
const timeout = 9_000;

/**
 * Opens Stripe's client with the keys of one account. The client never retries by itself, because only the callers know
 * the payment's state and the key for a retry. `apiBase`: another address than Stripe's own; `httpClient`: another HTTP
 * client.
 */
export function openStripe(secretKey: string, apiBase: URL | null, httpClient?: Stripe.HttpClient): Stripe {
  return new Stripe(secretKey, {
    apiVersion: stripeVersion,
    timeout,
    maxNetworkRetries: 0,
    telemetry: false,
    ...(httpClient && { httpClient }),
    ...(apiBase && addressOf(apiBase)),
  });
}

function addressOf({ protocol, hostname, port }: URL) {
  const scheme = protocol === 'http:' ? ('http' as const) : ('https' as const);
  return { protocol: scheme, host: hostname, port: port || (scheme === 'http' ? 80 : 443) };
}
