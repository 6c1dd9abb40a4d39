import type { DeliveryZone } from '#store/contract.ts';
import { normalisePrefix, parsePostcode, zonePrefixesOfPostcode, type Postcode } from '#store/postcodes.ts';

/**
 * Finds a postcode's zone. A sector takes precedence over an outward code, and an earlier zone over a later one with
 * the same prefix. The prefix `CV2` never matches CV21. Returns null if no zone matches, or for an invalid postcode.
 */
export function findZone<Zone extends Pick<DeliveryZone, 'postcode_prefixes'>>(
  zones: readonly Zone[],
  postcode: string | Postcode,
): Zone | null {
  const parsed = typeof postcode === 'string' ? parsePostcode(postcode) : postcode;
  if (!parsed) return null;
  for (const prefix of zonePrefixesOfPostcode(parsed)) {
    const zone = zoneWith(zones, prefix);
    if (zone) return zone;
  }
  return null;
}

/**
 * Returns the extra minutes of a delivery to a postcode. If no zone contains the postcode, returns the fewest of all
 * zones; without zones, 0.
 */
export function deliveryExtraMinutes(
  zones: readonly Pick<DeliveryZone, 'postcode_prefixes' | 'extra_minutes'>[],
  postcode: string,
): number {
  const zone = findZone(zones, postcode);
  if (zone || zones.length === 0) return zone?.extra_minutes ?? 0;
  return Math.min(...zones.map(({ extra_minutes: minutes }) => minutes));
}

/** The fee of a delivery, in minor units; 0 from the subtotal at which the zone delivers free. */
export function deliveryFee({ fee, free_over }: Pick<DeliveryZone, 'fee' | 'free_over'>, subtotal: number): number {
  return free_over !== null && subtotal >= free_over ? 0 : fee;
}

function zoneWith<Zone extends Pick<DeliveryZone, 'postcode_prefixes'>>(
  zones: readonly Zone[],
  wanted: string,
): Zone | null {
  for (const zone of zones) {
    for (const prefix of zone.postcode_prefixes) {
      if (prefix === wanted || normalisePrefix(prefix) === wanted) return zone;
    }
  }
  return null;
}
