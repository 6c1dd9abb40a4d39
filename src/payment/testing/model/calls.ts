import type { LogEntry } from '#simulators/stripe/api/answer-call.ts';

/** What the calls of one Stripe have asked for so far, by their keys. */
interface Asked {
  count: number;
  bodies: Map<string, { body: string; at: number }>;
}

const asked = new WeakMap<readonly LogEntry[], Asked>();
/** Milliseconds for which Stripe knows a key at least. */
const knownFor = 24 * 60 * 60_000;

/**
 * Keys that two calls of one day used for different things: whether Stripe has got the first one is not always known,
 * and it refuses the second one then. Looks only at calls that were made since the last look.
 */
export function wrongCalls(log: readonly LogEntry[]): string[] {
  const known = asked.get(log) ?? { count: 0, bodies: new Map() };
  asked.set(log, known);
  const recent = log.slice(known.count);
  known.count = log.length;
  return recent.flatMap(({ at, method, path, params, idempotencyKey }) => {
    if (method !== 'POST' || idempotencyKey === null) return [];
    // A process that stood still for a day between two calls has made another coupon, whose own key was forgotten.
    const { discounts: _coupon, ...rest } = params;
    const body = `${path} ${JSON.stringify(rest)}`;
    const before = known.bodies.get(idempotencyKey);
    if (!before || at - before.at >= knownFor) {
      known.bodies.set(idempotencyKey, { body, at });
      return [];
    }
    return before.body === body ? [] : [`the key ${idempotencyKey} was used for ${before.body}, and then for ${body}`];
  });
}
