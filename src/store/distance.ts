import type { Store } from '#store/contract.ts';

/**
 * The distance between two places in kilometres, rounded to tenths below ten kilometres, and to whole kilometres above.
 */
export function kilometresBetween(a: Store['location'], b: Store['location']): number {
  const radians = (value: number): number => (value * Math.PI) / 180;
  const half = (from: number, to: number): number => Math.sin(radians(to - from) / 2) ** 2;
  const chord =
    half(a.latitude, b.latitude) +
    Math.cos(radians(a.latitude)) * Math.cos(radians(b.latitude)) * half(a.longitude, b.longitude);
  const kilometres = 2 * 6371 * Math.asin(Math.sqrt(Math.min(1, chord)));
  return kilometres < 10 ? Math.round(kilometres * 10) / 10 : Math.round(kilometres);
}
