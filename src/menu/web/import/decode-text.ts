export type Encoding = 'utf-8' | 'utf-16le' | 'utf-16be' | (typeof singleByteEncodings)[number];
/** Single-byte encodings, the likeliest first: Western and Central European Windows, Central European Unix, Mac. */
const singleByteEncodings = ['windows-1252', 'windows-1250', 'iso-8859-2', 'macintosh'] as const;

/** The maximum number of characters by which a decoding is judged. */
const judgedLength = 1_000_000;

export interface DecodedText {
  encoding: Encoding;
  text: string;
}

/**
 * The plausible decodings of a file: one, or several with equally few faults, the likeliest first. A few invalid bytes
 * do not rule out UTF-8.
 */
export function candidateDecodings(bytes: Uint8Array<ArrayBuffer>): [DecodedText, ...DecodedText[]] {
  const withMark = (['utf-16le', 'utf-16be'] as const).find((encoding) => {
    const mark = encoding === 'utf-16le' ? [0xff, 0xfe] : [0xfe, 0xff];
    return bytes[0] === mark[0] && bytes[1] === mark[1];
  });
  if (withMark) return [decode(bytes, withMark)];
  const plain = decode(bytes, 'utf-8');
  if (isUtf8(bytes)) return [plain];
  const invalid = countMatches(plain.text, /\uFFFD/g);
  if (countMatches(plain.text, /[^\0-\u007F\uFFFD]/gu) >= invalid) return [plain];
  const readings = singleByteEncodings.map((encoding) => {
    const reading = decode(bytes, encoding);
    return { ...reading, faults: countFaults(reading.text.slice(0, judgedLength)) };
  });
  const fewest = Math.min(...readings.map(({ faults }) => faults));
  if (fewest >= invalid) return [plain];
  const [first = plain, ...others] = readings.filter(({ faults }) => faults === fewest);
  const seen = new Set([first.text]);
  return [first, ...others.filter(({ text }) => !seen.has(text) && seen.add(text))];
}

/**
 * Returns up to three samples of each reading, from places where the readings differ. For a single reading the samples
 * are texts with accents.
 */
export function samplesOfReadings(readings: readonly DecodedText[]): string[][] {
  const [first, ...others] = readings;
  const samples = readings.map((): string[] => []);
  if (!first) return samples;
  for (let at = 0; at < first.text.length && (samples[0]?.length ?? 0) < 3; at += 1) {
    const sign = first.text[at] ?? '';
    if (others.length > 0 ? others.every(({ text }) => text[at] === sign) : sign <= '\u007F') continue;
    // Several readings use single-byte encodings, so each byte's character has the same index in all readings.
    const from = at - (/[^,;\t\r\n"]*$/.exec(first.text.slice(Math.max(0, at - 40), at))?.[0].length ?? 0);
    const to = at + (/^[^,;\t\r\n"]{0,40}/.exec(first.text.slice(at, at + 41))?.[0].length ?? 1);
    for (const [index, { text }] of readings.entries()) samples[index]?.push(text.slice(from, to).trim());
    at = to;
  }
  return samples;
}

function decode(bytes: Uint8Array<ArrayBuffer>, encoding: Encoding): DecodedText {
  return { encoding, text: new TextDecoder(encoding).decode(bytes) };
}

function isUtf8(bytes: Uint8Array<ArrayBuffer>): boolean {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes) !== null;
  } catch {
    return false;
  }
}

function countMatches(text: string, sign: RegExp): number {
  return text.match(sign)?.length ?? 0;
}

const openingSigns = /[“‘«„‚‹¿¡£€$¥–—•·©®°½¼¾]/u;
const signsInWords = /[’‘'·\-\u00A0\u00AD–]/u;

/** Counts character sequences that only a wrong decoding makes: `Ł8.50`, `CafŽ`, `crËme`, `Soko³y`. */
function countFaults(text: string): number {
  let faults = 0;
  for (const { 0: sign, index } of text.matchAll(/[^\0-\u007F]/g)) {
    const before = text.slice(Math.max(0, index - 2), index);
    if (isOdd(sign, before, text.slice(index + 1, index + 2))) faults += 1;
  }
  // Curly quotes and pound signs in their usual places prove a decoding.
  const sure = countMatches(text, /\p{L}’(?:s|t|d|m|ll|re|ve)\b|“[^”\n]{1,60}”|(?<![\p{L}\d])£(?=\d)/gu);
  return faults - sure;
}

function isOdd(sign: string, before: string, after: string): boolean {
  if (/[\u0080-\u009F\p{Co}¨¯¸ˇ˘˙˛˝]/u.test(sign)) return true;
  const isMark = !/\p{L}/u.test(sign) || /[ªº]/.test(sign);
  return isMark ? isOddMark(sign, before.slice(-1), after) : isOddLetter(sign, before, after);
}

function isOddMark(sign: string, last: string, after: string): boolean {
  const isAfterLetter = /\p{L}/u.test(last);
  const isBeforeLetter = /\p{L}/u.test(after);
  if (/[£€]/.test(sign)) return !/[\d\s]/.test(last + after) || isBeforeLetter;
  if (isAfterLetter && isBeforeLetter) return !signsInWords.test(sign);
  if (isAfterLetter) return /[¼½¾²³¹¿¡«„‚]/.test(sign);
  return isBeforeLetter && !openingSigns.test(sign) && !signsInWords.test(sign);
}

function isOddLetter(sign: string, before: string, after: string): boolean {
  const last = before.slice(-1);
  if (!/\p{Script=Latin}/u.test(sign) || sign === 'ƒ') return true;
  if (/\d/.test(last) || /\d/.test(after)) return true;
  if (!/\p{L}/u.test(last) && !/\p{L}/u.test(after)) return !/[àÀéÉèÈòÒóÓæÆ]/.test(sign);
  if (/\p{Lu}/u.test(sign)) return /\p{Ll}/u.test(last);
  return /\p{Lu}{2}/u.test(before);
}

/** Matches a value that a spreadsheet would run as a formula. */
const formula = /^[=+\-@\t\r]/;
/** Matches a formula that already has apostrophes before it. An import would remove the first apostrophe. */
const guardedFormula = /^'+[=+\-@\t\r]/;

/**
 * Puts an apostrophe before a CSV's formula, so that no spreadsheet runs it. A single `-` gets no apostrophe, because
 * it is the sign that clears a field.
 */
export function escapeFormula(text: string): string {
  return (formula.test(text) && text !== '-') || guardedFormula.test(text) ? `'${text}` : text;
}

/**
 * Doubles the apostrophe before a formula in a workbook's text, because an import removes one. A formula without an
 * apostrophe needs none, because text cells never run.
 */
export function escapeApostrophe(text: string): string {
  return guardedFormula.test(text) ? `'${text}` : text;
}

export function unescapeFormula(text: string): string {
  return guardedFormula.test(text) ? text.slice(1) : text;
}
