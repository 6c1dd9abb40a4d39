import type { LogEntry } from '#payment/testing/stripe/api/answer-call.ts';

/** What the calls of one Stripe have asked for so far. */
interface Asked {
  count: number;
  bodies: Map<string, string>;
}

const asked = new WeakMap<readonly LogEntry[], Asked>();

/**
 * Keys that two calls used for different things: whether Stripe has got the first one is not always known, and it refuses the
 * second one then. Looks only at calls that were made since the last look.
 */
export function wrongCalls(log: readonly LogEntry[]): string[] {
  const known = asked.get(log) ?? { count: 0, bodies: new Map<string, string>() };
  asked.set(log, known);
  const recent = log.slice(known.count);
  known.count = log.length;
  return recent.flatMap(({ method, path, params, idempotencyKey }) => {
    if (method !== 'POST' || idempotencyKey === null) return [];
    const body = `${path} ${JSON.stringify(params)}`;
    const before = known.bodies.get(idempotencyKey);
    known.bodies.set(idempotencyKey, before ?? body);
    return before === undefined || before === body
      ? []
      : [`the key ${idempotencyKey} was used for ${before}, and then for ${body}`];
  });
}
