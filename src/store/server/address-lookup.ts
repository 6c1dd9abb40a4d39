import { LRUCache } from 'lru-cache';
import type { Logger } from 'pino';
import { z } from 'zod';
import { TokenBucket } from '#platform/server/call-limits.ts';
import { DeliveryAddress, withNormalPostcode } from '#store/delivery-address.ts';
import type { FoundAddresses, Store } from '#store/contract.ts';
import type { Postcode } from '#store/postcodes.ts';

interface AddressAnswer extends FoundAddresses {
  /** The coordinates of the postcode; null: unknown. */
  location: Store['location'] | null;
}

export interface AddressLookup {
  /** Never throws: the customer can always type the address. */
  find(postcode: Postcode): Promise<AddressAnswer>;
}

interface LookupConfig {
  ADDRESS_LOOKUP_URL?: string | undefined;
  ADDRESS_LOOKUP_KEY?: string | undefined;
}

/** Milliseconds until a request counts as failed. The customer can type the address while the request runs. */
const timeout = 3_000;
/** Milliseconds without requests after a failure, so that customers do not wait for a broken service. */
const pauseAfterFailure = 30_000;
/** Requests are limited to `burst` at once and `perSecond` on average, because each request costs money. */
const most = { burst: 60, perSecond: 1 };
/** Results are cached for a day, so that new buildings appear soon. */
const cached = { max: 2_000, ttl: 24 * 60 * 60_000 };

/**
 * Creates the look-up, which asks a service that speaks the protocol of Ideal Postcodes. Without `ADDRESS_LOOKUP_URL`
 * all answers are `unavailable`.
 */
export function createAddressLookup(config: LookupConfig, log: Pick<Logger, 'warn'>): AddressLookup {
  const unavailable: AddressAnswer = { state: 'unavailable', addresses: [], location: null };
  const answers = new LRUCache<string, Promise<AddressAnswer>>(cached);
  const bucket = new TokenBucket(most.perSecond, most.burst, performance.now());
  let pausedUntil = 0;
  const ask: AddressLookup['find'] = async (postcode) => {
    const now = performance.now();
    if (!config.ADDRESS_LOOKUP_URL || now < pausedUntil || !bucket.take(now)) return unavailable;
    try {
      return await request(config.ADDRESS_LOOKUP_URL, config.ADDRESS_LOOKUP_KEY, postcode);
    } catch (error) {
      pausedUntil = performance.now() + pauseAfterFailure;
      log.warn({ err: error }, 'the address look-up failed; customers type their address');
      return unavailable;
    }
  };
  return {
    async find(postcode) {
      const key = postcode.outward + postcode.inward;
      const known = answers.get(key);
      if (known) return known;
      // The promise is cached, so that simultaneous look-ups of one postcode cause one request.
      const asked = ask(postcode);
      answers.set(key, asked);
      const answer = await asked;
      if (answer.state === 'unavailable') answers.delete(key);
      return answer;
    },
  };
}

/**
 * Requests `GET /v1/postcodes/CV212AA` of Ideal Postcodes. A 404 with the code 4040 means that the postcode does not
 * exist.
 */
async function request(base: string, key: string | undefined, { outward, inward }: Postcode): Promise<AddressAnswer> {
  const url = new URL(base);
  url.pathname = `${url.pathname.replace(/\/$/, '') || '/v1'}/postcodes/${outward}${inward}`;
  const answer = await fetch(url, {
    headers: { accept: 'application/json', ...(key && { authorization: `IDEALPOSTCODES api_key="${key}"` }) },
    redirect: 'error',
    signal: AbortSignal.timeout(timeout),
  });
  const body: unknown = await answer.json();
  if (answer.status === 404 && Refusal.safeParse(body).data?.code === unknownPostcode) {
    return { state: 'unknown', addresses: [], location: null };
  }
  if (!answer.ok) throw new Error(`ADDRESS_LOOKUP_URL answered ${answer.status}`);
  const { result } = Result.parse(body);
  return { state: 'found', addresses: result.flatMap(toAddress), location: locationOf(result) };
}

const unknownPostcode = 4040;
const Refusal = z.object({ code: z.int() });
const Coordinate = z.coerce.number().catch(0);
const Result = z.object({
  result: z
    .array(
      z.object({
        line_1: z.string(),
        line_2: z.string().default(''),
        line_3: z.string().default(''),
        post_town: z.string(),
        postcode: z.string(),
        latitude: Coordinate.default(0),
        longitude: Coordinate.default(0),
      }),
    )
    .min(1)
    .max(500),
});
type Premises = z.output<typeof Result>['result'][number];

/** An address that is too long for the form is left out. */
function toAddress({
  line_1: line1,
  line_2,
  line_3,
  post_town: town,
  postcode,
}: Premises): FoundAddresses['addresses'] {
  const line2 = [line_2, line_3].filter(Boolean).join(', ');
  const { data } = DeliveryAddress.safeParse({ line1, line2, city: townWords(town), postcode });
  if (!data) return [];
  const { instructions: _none, ...address } = withNormalPostcode(data);
  return [address];
}

/** Royal Mail writes post towns in capitals: `STOKE-ON-TRENT` becomes `Stoke-on-Trent`. */
function townWords(town: string): string {
  return town
    .toLowerCase()
    .replaceAll(/[a-z]+/g, (word) => (smallWords.has(word) ? word : word.charAt(0).toUpperCase() + word.slice(1)))
    .replaceAll(/'S\b/g, "'s");
}
const smallWords = new Set(['on', 'upon', 'under', 'in', 'by', 'of', 'the', 'le', 'la', 'de', 'cum']);

function locationOf([first]: readonly Premises[]): Store['location'] | null {
  const { latitude = 0, longitude = 0 } = first ?? {};
  return latitude !== 0 && Math.abs(latitude) <= 90 && Math.abs(longitude) <= 180 ? { latitude, longitude } : null;
}
