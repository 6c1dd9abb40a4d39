/** Control and format characters, among them those that turn the direction of what follows, and breaks of lines. */
const invisible = /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/gu;
/** Two of them spell words in Persian, Hindi and others: between letters they are part of a name. */
const joiners = /((?<=[\p{L}\p{M}])[\u200C\u200D](?=\p{L}))/u;

/** The text of one line without characters that nobody sees, as phones and chats copy it; a break of lines becomes a blank. */
export function plainText(text: string): string {
  return text
    .replaceAll(/[\t\r\n\u2028\u2029]+/gu, ' ')
    .split(joiners)
    .map((part, index) => (index % 2 === 1 ? part : part.replaceAll(invisible, '')))
    .join('');
}

/** A phone number, postcode or address for mail as one types it: with the blanks, hyphens and digits of a keyboard. */
export function plainCode(text: string): string {
  return plainText(text.normalize('NFKC'))
    .replaceAll(/[\u200C\u200D]/gu, '')
    .replaceAll(/[\p{Pd}\u2212]/gu, '-')
    .replaceAll(/\s+/gu, ' ')
    .trim();
}
