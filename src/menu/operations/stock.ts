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
