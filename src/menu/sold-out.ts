import type { Option } from '#menu/menu-shapes.ts';

/** Sold out: switched off, without a time to return or with one in the future. For items and options alike. */
export function isSoldOut(thing: Pick<Option, 'is_available' | 'unavailable_until'>, now: Date): boolean {
  if (thing.is_available) return false;
  return thing.unavailable_until === null || Date.parse(thing.unavailable_until) > now.getTime();
}

/** All fields that a change of a part may have. */
interface Stock {
  [field: string]: unknown;
  is_available?: boolean | undefined;
  unavailable_until?: string | null | undefined;
}

/** The fields about being sold out; an available part has no time to return. Empty if none of them is given. */
export function stockFields({ is_available: isAvailable, unavailable_until: until = null }: Stock) {
  if (isAvailable === undefined) return {};
  return { is_available: isAvailable, unavailable_until: isAvailable ? null : until };
}
