/** Control and format characters, including bidi controls and line breaks, and blank letters. */
const invisible = /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\u2800\u3164\uFFA0\u115F\u1160]|\u034F|\u17B4|\u17B5/gu;
/**
 * Two of them spell words in Persian, Hindi and others: between letters they are part of a name, and after a virama at its end. A
 * picture has them too, and a flag.
 */
const joiners =
  /((?<=[\p{L}\p{M}])[\u200C\u200D](?=[\p{L}\p{M}])|(?<=[\u094D\u09CD\u0A4D\u0ACD\u0B4D\u0BCD\u0C4D\u0CCD\u0D4D\u0DCA])[\u200C\u200D]|(?<=[\p{Extended_Pictographic}\p{Emoji_Modifier}\uFE0F])\u200D(?=\p{Extended_Pictographic})|(?<=\u{1F3F4})[\u{E0020}-\u{E007F}]+)/u;

/** The text of one line without characters that nobody sees, as phones and chats copy it; a break of lines becomes a blank. */
export function plainText(text: string): string {
  return text
    .replaceAll(/[\t\r\n\u2028\u2029]+/gu, ' ')
    .split(joiners)
    .map((part, index) => (index % 2 === 1 ? part : part.replaceAll(invisible, '')))
    .join('');
}

/** The same of a text with several lines, which stay. */
export function plainLines(text: string): string {
  return text
    .split(/\r\n|[\r\n\u2028\u2029]/u)
    .map(plainText)
    .join('\n');
}

/** The digits of a phone number without its country or trunk prefix: `+44 7700 900123` and `07700 900123` are the same phone. */
export function nationalDigits(phone: string): string {
  return phone.replaceAll(/\D/g, '').replace(/^(0044|44|0)/, '');
}

/** The same for the text of a search; null where it is no part of a phone number. */
export function searchedDigits(text: string): string | null {
  const digits = /^[\d\s+().-]+$/.test(text) ? text.replaceAll(/\D/g, '') : '';
  // Fewer digits are another number rather than a phone's.
  return digits.length >= 4 ? nationalDigits(digits) : null;
}

/** A phone number, postcode or address for mail as one types it: with the blanks, hyphens and digits of a keyboard. */
export function plainCode(text: string): string {
  return plainText(text.normalize('NFKC'))
    .replaceAll(/[\u200C\u200D]/gu, '')
    .replaceAll(/[\p{Pd}\u2212]/gu, '-')
    .replaceAll(/\s+/gu, ' ')
    .trim();
}
