/** A UK postcode in two parts, as Royal Mail writes it: `CV21` and `2AA`. */
export interface Postcode {
  outward: string;
  inward: string;
}

const postcodeShape = /^([A-Z][A-HJ-Y]?\d[A-Z\d]?|GIR)(\d[A-Z]{2})$/;
const prefixShape = /^([A-Z][A-HJ-Y]?\d[A-Z\d]?)(?: (\d))?$/;
const joinedSectorShape = /^([A-Z][A-HJ-Y]?\d[A-Z\d])(\d)$/;

/** Reads a whole UK postcode in any case and spacing; null for anything else. The shape is checked, not whether it exists. */
export function parsePostcode(text: string): Postcode | null {
  const [, outward, inward] = postcodeShape.exec(text.replace(/[\s-]/g, '').toUpperCase()) ?? [];
  return outward && inward ? { outward, inward } : null;
}

/** `cv212aa` → `CV21 2AA`; null for what is not shaped like a UK postcode. */
export function normalisePostcode(text: string): string | null {
  const postcode = parsePostcode(text);
  return postcode && `${postcode.outward} ${postcode.inward}`;
}

/**
 * A zone's prefix: a whole outward code (`cv2` → `CV2`) or a sector (`CV21  2`, `cv212` → `CV21 2`); null for anything
 * else. Without a space `CV21` is the outward code, not a sector of CV2.
 */
export function normalisePrefix(text: string): string | null {
  const spaced = text.trim().replace(/\s+/g, ' ').toUpperCase();
  if (prefixShape.test(spaced)) return spaced;
  const [, outward, sector] = joinedSectorShape.exec(spaced) ?? [];
  return outward && sector ? `${outward} ${sector}` : null;
}
