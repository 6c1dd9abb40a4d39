/** Invisible characters: control and format characters, bidi controls, line breaks, and letters that show nothing. */
const invisible = /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\u2800\u3164\uFFA0\u115F\u1160]|\u034F|\u17B4|\u17B5/gu;
/**
 * Invisible characters that stay: zero-width joiners and non-joiners inside words of Persian, Hindi and other
 * languages, and the joiners and tags of emoji and flags.
 */
const joiners =
  /((?<=[\p{L}\p{M}])[\u200C\u200D](?=[\p{L}\p{M}])|(?<=[\u094D\u09CD\u0A4D\u0ACD\u0B4D\u0BCD\u0C4D\u0CCD\u0D4D\u0DCA])[\u200C\u200D]|(?<=[\p{Extended_Pictographic}\p{Emoji_Modifier}\uFE0F])\u200D(?=\p{Extended_Pictographic})|(?<=\u{1F3F4})[\u{E0020}-\u{E007F}]+)/u;

/** Removes the invisible characters of pasted text, and replaces line breaks by spaces. */
export function toPlainLine(text: string): string {
  return text
    .replaceAll(/[\t\r\n\u2028\u2029]+/gu, ' ')
    .split(joiners)
    .map((part, index) => (index % 2 === 1 ? part : part.replaceAll(invisible, '')))
    .join('');
}

/** Removes the invisible characters of a text, and keeps its line breaks. */
export function toPlainLines(text: string): string {
  return text
    .split(/\r\n|[\r\n\u2028\u2029]/u)
    .map(toPlainLine)
    .join('\n');
}

/** A phone number's digits without the British country code or leading 0: `+44 7700 900123` becomes `7700900123`. */
export function nationalDigits(phone: string): string {
  return phone.replaceAll(/\D/g, '').replace(/^(0044|44|0)/, '');
}

/** The `nationalDigits` of a searched phone number; null if the text cannot be part of a phone number. */
export function phoneDigitsOfSearch(text: string): string | null {
  const digits = /^[\d\s+().-]+$/.test(text) ? text.replaceAll(/\D/g, '') : '';
  // Fewer than four digits are probably not part of a phone number but a short reference.
  return digits.length >= 4 ? nationalDigits(digits) : null;
}

/** Replaces typographic spaces, hyphens and digits in a phone number, postcode or mail address by plain ones. */
export function plainContactText(text: string): string {
  return toPlainLine(text.normalize('NFKC'))
    .replaceAll(/[\u200C\u200D]/gu, '')
    .replaceAll(/[\p{Pd}\u2212]/gu, '-')
    .replaceAll(/\s+/gu, ' ')
    .trim();
}
