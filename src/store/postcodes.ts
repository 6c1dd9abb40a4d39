import { m } from '#messages';
import { plainContactText } from '#platform/plain-text.ts';

/** A UK postcode in the two parts that Royal Mail names outward and inward code: `CV21` and `2AA`. */
export interface Postcode {
  outward: string;
  inward: string;
}

// The letters that Royal Mail allows at each position. The inward code, for example, has no C, I, K, M, O or V.
const area = '[A-PR-UWYZ][A-HK-Y]?';
const district = `(?:${area}\\d{1,2}|[A-PR-UWYZ]\\d[A-HJKMNPRSTUVW]|[A-PR-UWYZ][A-HK-Y]\\d[ABEHMNPRVWXY])`;
const postcodeShape = new RegExp(`^(${district}|GIR)(\\d[ABD-HJLNP-UW-Z]{2})$`);
/** The postcode areas of Royal Mail. Only corrections to one of these areas are suggested. */
const areas = new Set(
  (
    'AB AL B BA BB BD BH BL BN BR BS BT CA CB CF CH CM CO CR CT CV CW DA DD DE DG DH DL DN DT DY E EC EH EN EX FK FY ' +
    'G GL GU GY HA HD HG HP HR HS HU HX IG IM IP IV JE KA KT KW KY L LA LD LE LL LN LS LU M ME MK ML N NE NG NN NP NR ' +
    'NW OL OX PA PE PH PL PO PR RG RH RM S SA SE SG SK SL SM SN SO SP SR SS ST SW SY TA TD TF TN TQ TR TS TW UB W WA ' +
    'WC WD WF WN WR WS WV YO ZE'
  ).split(' '),
);
/** Matches a whole postcode with any letters, so that impossible postcodes match as well. */
const wholeShape = /^[A-Z]{1,2}[A-Z\d]{1,2}\d[A-Z]{2}$/;
const prefixShape = new RegExp(`^(${district})(?: (\\d))?$`);
const joinedSectorShape = /^([A-Z][A-HJ-Y]?\d[A-Z\d])(\d)$/;
/**
 * Matches outward codes that need a final letter, with or without that letter. No postcode begins with a bare `W1`, so
 * the prefix `W1` means W1A to W1W.
 */
const lettered = /^(EC[1-4]|SW1|W1|WC[12])([A-Z]?)$/;

/** Reads a whole UK postcode in any spelling; null for other text. Does not check that the postcode exists. */
export function parsePostcode(text: string): Postcode | null {
  const [, outward, inward] = postcodeShape.exec(bare(text)) ?? [];
  return outward && inward && lettered.exec(outward)?.[2] !== '' ? { outward, inward } : null;
}

/**
 * Writes a postcode in its normal form: `cv212aa` becomes `CV21 2AA`; null for a text without the shape of a UK
 * postcode.
 */
export function normalisePostcode(text: string): string | null {
  const postcode = parsePostcode(text);
  return postcode && `${postcode.outward} ${postcode.inward}`;
}

/** Pairs of a digit and a letter that people confuse. */
const lookAlikes = ['0O', '1I', '1L', '2Z', '5S', '6G', '8B'];

/**
 * Corrects a mistyped postcode by exchanging look-alikes: `CV2I 2AA` → `CV21 2AA`. Returns null unless exactly one
 * postcode results.
 */
export function correctedPostcode(text: string): string | null {
  const typed = bare(text);
  if (typed.length > 7 || parsePostcode(text) !== null) return null;
  const spellings = [...typed].reduce<string[]>(
    (all, sign) => {
      const others = lookAlikes.filter((pair) => pair.includes(sign)).map((pair) => pair.replace(sign, ''));
      return all.flatMap((start) => [sign, ...others].map((next) => start + next));
    },
    [''],
  );
  const [only, ...more] = spellings
    .map(normalisePostcode)
    .filter((found) => found !== null)
    .filter(isInArea);
  // The correction must keep a typed space at its place. Without its space, the incomplete postcode `CV21 2A` is
  // `CV212A`, and the exchange of its second 2 for Z would make `CV2 1ZA`.
  const gap = plainContactText(text).indexOf(' ');
  return only !== undefined && more.length === 0 && (gap === -1 || gap === only.indexOf(' ')) ? only : null;
}

function isInArea(postcode: string): boolean {
  return areas.has(/^[A-Z]+/.exec(postcode)?.[0] ?? '');
}

/**
 * Returns the error message for text that is no postcode. If the text can be corrected, the message suggests the
 * correction.
 */
export function postcodeFaultWords(text: string): string {
  const likely = correctedPostcode(text);
  if (likely !== null) return m.ordering_postcode_likely({ postcode: likely });
  if (!wholeShape.test(bare(text))) return m.ordering_postcode_invalid();
  return m.ordering_postcode_unknown({ postcode: plainContactText(text).toUpperCase() });
}

/**
 * Returns the normal form of a zone's prefix: an outward code (`cv2` becomes `CV2`) or a sector (`cv212` becomes `CV21
 * 2`). Returns null for other text. `CV21` without a space is an outward code.
 */
export function normalisePrefix(text: string): string | null {
  const spaced = plainContactText(text).toUpperCase();
  if (prefixShape.test(spaced)) return spaced;
  const [, outward, sector] = joinedSectorShape.exec(spaced) ?? [];
  return outward && sector ? `${outward} ${sector}` : null;
}

/**
 * Splits a typed list into prefixes. A space separates prefixes only before the letters and digit that begin a
 * postcode: `CV1 CV2` are two prefixes, `CV21 2` is one.
 */
export function splitPrefixes(text: string): string[] {
  return text
    .split(/[,;\n]|\s(?=[a-z]{1,2}\d)/i)
    .map((part) => part.trim())
    .filter(Boolean);
}

export function zonePrefixesOfPostcode({ outward, inward }: Postcode): string[] {
  return [`${outward} ${inward.charAt(0)}`, ...outwardCodes(outward)];
}

/** Whether a prefix is within `wider`, as `CV21 2` is within `CV21`; both are in normal form. */
export function isPrefixWithin(prefix: string, wider: string): boolean {
  const [outward = ''] = prefix.split(' ');
  return prefix !== wider && outwardCodes(outward).includes(wider);
}

function outwardCodes(outward: string): string[] {
  const [, district, letter] = lettered.exec(outward) ?? [];
  return district === undefined || letter === '' ? [outward] : [outward, district];
}

function bare(text: string): string {
  return plainContactText(text).replaceAll(/[\s-]/g, '').toUpperCase();
}
