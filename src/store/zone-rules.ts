import type { DeliveryZone } from '#store/contract.ts';
import { findZone } from '#store/delivery-zones.ts';
import { isPrefixWithin, normalisePrefix, parsePostcode, zonePrefixesOfPostcode } from '#store/postcodes.ts';

type Zone = Pick<DeliveryZone, 'name' | 'postcode_prefixes'>;

export interface ZoneMatch<Z extends Zone> {
  zone: Z;
  prefix: string;
}

export interface PostcodeZones<Z extends Zone> {
  postcode: string;
  /** The zone that delivers to the postcode; null if no zone does. */
  taker: ZoneMatch<Z> | null;
  others: ZoneMatch<Z>[];
}

/** The zone and the prefix that match a postcode, and the other matching zones; null if the postcode is invalid. */
export function findZonesOfPostcode<Z extends Zone>(zones: readonly Z[], text: string): PostcodeZones<Z> | null {
  const postcode = parsePostcode(text);
  if (!postcode) return null;
  const matches = zones.flatMap((zone): ZoneMatch<Z>[] => {
    const own = new Set(zone.postcode_prefixes.map(normalisePrefix));
    const prefix = zonePrefixesOfPostcode(postcode).find((wanted) => own.has(wanted));
    return prefix === undefined ? [] : [{ zone, prefix }];
  });
  const taker = matches.find(({ zone }) => zone === findZone(zones, postcode)) ?? null;
  return {
    postcode: `${postcode.outward} ${postcode.inward}`,
    taker,
    others: matches.filter((match) => match !== taker),
  };
}

export interface SharedPrefix<Z extends Zone> {
  prefix: string;
  taker: Z;
  other: Z;
  /**
   * Whether the prefixes of the two zones are equal. The earlier zone then takes precedence; otherwise the zone with
   * the longer prefix does.
   */
  isSame: boolean;
}

/** Returns the prefixes that two zones share: equal prefixes, or a prefix that is within the other zone's prefix. */
export function sharedPrefixes<Z extends Zone>(zones: readonly Z[]): SharedPrefix<Z>[] {
  const all = zones.flatMap((zone, index) =>
    zone.postcode_prefixes.flatMap((text) => {
      const prefix = normalisePrefix(text);
      return prefix === null ? [] : [{ zone, index, prefix }];
    }),
  );
  return all.flatMap(({ zone, index, prefix }) =>
    all.flatMap((other): SharedPrefix<Z>[] => {
      if (other.index === index) return [];
      if (other.prefix === prefix)
        return index < other.index ? [{ prefix, taker: zone, other: other.zone, isSame: true }] : [];
      return isPrefixWithin(prefix, other.prefix) ? [{ prefix, taker: zone, other: other.zone, isSame: false }] : [];
    }),
  );
}
