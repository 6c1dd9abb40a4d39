/** Of all the fields that are said of a part. */
interface Stock {
  [field: string]: unknown;
  is_available?: boolean | undefined;
  unavailable_until?: string | null | undefined;
}

/** The fields that say what is sold out; what is on sale has no time to come back at. Empty where nothing is said of it. */
export function stockFields({ is_available: isAvailable, unavailable_until: until = null }: Stock) {
  if (isAvailable === undefined) return {};
  return { is_available: isAvailable, unavailable_until: isAvailable ? null : until };
}
