import { LRUCache } from 'lru-cache';
import { m } from '#messages';
import { AppError } from '#platform/errors.ts';
import { networkOf } from '#platform/server/client-address.ts';

/** How many calls of one kind a network may make: `burst` at once, and `perSecond` on average. */
export interface CallRate {
  burst: number;
  perSecond: number;
}

export interface Caller {
  address: string;
  isBehindUnknownProxy: boolean;
}

/** Of callers behind a proxy that is not trusted, who seem to be one: as many as this many others. */
const strangers = 30;
/** Networks whose calls are counted; an evicted one begins with a full bucket. */
const mostNetworks = 20_000;

/**
 * Protects the processor of this instance, not a rule of the shop: counts in memory. Throws `too_many_requests` with
 * `Retry-After` for calls over the rate.
 */
export function limitCalls({ burst, perSecond }: CallRate): (caller: Caller) => void {
  // It takes room for all networks at once, and most limits are never asked.
  let buckets: LRUCache<string, TokenBucket> | undefined;
  return ({ address, isBehindUnknownProxy }) => {
    const network = networkOf(address);
    const now = performance.now();
    const times = isBehindUnknownProxy ? strangers : 1;
    buckets ??= new LRUCache({ max: mostNetworks });
    const bucket = buckets.get(network) ?? new TokenBucket(perSecond * times, burst * times, now);
    buckets.set(network, bucket);
    if (bucket.take(now)) return;
    throw new AppError('too_many_requests', m.platform_too_many_requests(), {
      headers: { 'retry-after': String(Math.ceil(1 / (perSecond * times))) },
    });
  };
}

/** Allows `burst` calls at once and `perSecond` on average; 0 tokens left means wait. */
export class TokenBucket {
  readonly #perSecond: number;
  readonly #burst: number;
  #tokens: number;
  #at: number;

  constructor(perSecond: number, burst: number, now: number) {
    this.#perSecond = perSecond;
    this.#burst = burst;
    this.#tokens = burst;
    this.#at = now;
  }

  /** `now` is in milliseconds of any monotonic clock. False when the caller was too fast. */
  take(now: number): boolean {
    const earned = ((now - this.#at) / 1000) * this.#perSecond;
    this.#tokens = Math.min(this.#burst, this.#tokens + earned);
    this.#at = now;
    if (this.#tokens < 1) return false;
    this.#tokens -= 1;
    return true;
  }
}
