/** Control and format characters, among them those that turn the direction of what follows, and breaks of lines. */
const invisible = /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/gu;
/** Two of them spell words in Persian, Hindi and others: between letters they are part of a name. */
const joiners = /(?<=[\p{L}\p{M}])[\u200C\u200D](?=\p{L})/gu;

/** Whether a name consists of what its reader sees. */
export function isPlainName(name: string): boolean {
  return !name.replaceAll(joiners, '').match(invisible);
}

/** The name without what cannot be seen, as phones and chats copy it; a break of lines becomes a blank. */
export function plainName(name: string): string {
  return name
    .replaceAll(/[\t\r\n\u2028\u2029]+/gu, ' ')
    .split(joinersKept)
    .map((part, index) => (index % 2 === 1 ? part : part.replaceAll(invisible, '')))
    .join('');
}

const joinersKept = new RegExp(`(${joiners.source})`, 'u');
