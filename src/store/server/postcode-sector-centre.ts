import { readFileSync } from 'node:fs';
import { kilometresBetween } from '#store/distance.ts';
import type { Store } from '#store/contract.ts';
import { parsePostcode, zonePrefixesOfPostcode } from '#store/postcodes.ts';

/**
 * The positions of the postcode sectors of Great Britain, by sector, such as `CV21 2`. The first look-up reads the
 * file.
 */
let positions: ReadonlyMap<string, Store['location']> | null = null;

/** The middle of a postcode's sector, within about a mile of the address; null for an unknown sector or other text. */
export function postcodeSectorCentre(text: string): Store['location'] | null {
  const postcode = parsePostcode(text);
  const [sector = ''] = postcode ? zonePrefixesOfPostcode(postcode) : [];
  positions ??= readPositions();
  return positions.get(sector) ?? null;
}

/** Returns the sectors whose middles are nearest to a point, with their distance in kilometres, nearest first. */
export function nearestSectors(
  place: Store['location'],
  count: number,
): { sector: string; location: Store['location']; kilometres: number }[] {
  positions ??= readPositions();
  return [...positions]
    .map(([sector, location]) => ({ sector, location, kilometres: kilometresBetween(place, location) }))
    .toSorted((a, b) => a.kilometres - b.kilometres)
    .slice(0, count);
}

function readPositions(): ReadonlyMap<string, Store['location']> {
  const lines = readFileSync(new URL('./uk-sectors.csv', import.meta.url), 'utf8').split('\n');
  return new Map(
    lines.flatMap((line) => {
      const [sector = '', latitude = '', longitude = ''] = line.split(',');
      // The file's notice and heading have no latitude, so they are left out.
      if (!/^-?[\d.]+$/.test(latitude)) return [];
      return [[sector, { latitude: Number(latitude), longitude: Number(longitude) }] as const];
    }),
  );
}
