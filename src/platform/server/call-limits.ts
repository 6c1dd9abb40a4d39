import { LRUCache } from 'lru-cache';
import { m } from '#messages';
import { AppError } from '#platform/errors.ts';
import { callerNetwork } from '#platform/server/client-address.ts';

/** The rate limit of a call per network: `burst` at once, and `perSecond` on average. */
export interface CallRate {
  burst: number;
  perSecond: number;
}

export interface RateLimitedCaller {
  address: string;
  isBehindUnknownProxy: boolean;
}

/**
 * Limits are multiplied by this factor for callers behind an untrusted proxy, because these callers share one address.
 */
const strangers = 30;
/** The maximum number of networks with a bucket. An evicted network starts again with a full bucket. */
const maxNetworks = 20_000;

/**
 * Creates a function that throws `too_many_requests` with `Retry-After` if a caller's network exceeds the rate. The
 * counters are in memory, because the limit protects this instance's processor.
 */
export function createCallLimiter({ burst, perSecond }: CallRate): (caller: RateLimitedCaller) => void {
  // The cache is created at the first use, because it reserves memory for `maxNetworks` entries at once.
  let buckets: LRUCache<string, TokenBucket> | undefined;
  return ({ address, isBehindUnknownProxy }) => {
    const network = callerNetwork(address);
    const now = performance.now();
    const times = isBehindUnknownProxy ? strangers : 1;
    buckets ??= new LRUCache({ max: maxNetworks });
    const bucket = buckets.get(network) ?? new TokenBucket(perSecond * times, burst * times, now);
    buckets.set(network, bucket);
    if (bucket.take(now)) return;
    throw new AppError('too_many_requests', m.platform_too_many_requests(), {
      headers: { 'retry-after': String(Math.ceil(1 / (perSecond * times))) },
    });
  };
}

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

  /** Takes a token for a call; false above the rate. `now`: milliseconds of a monotonic clock. */
  take(now: number): boolean {
    const earned = ((now - this.#at) / 1000) * this.#perSecond;
    this.#tokens = Math.min(this.#burst, this.#tokens + earned);
    this.#at = now;
    if (this.#tokens < 1) return false;
    this.#tokens -= 1;
    return true;
  }
}
