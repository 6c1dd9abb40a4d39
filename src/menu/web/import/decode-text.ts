export type Encoding = 'utf-8' | 'utf-16le' | 'utf-16be' | (typeof oneByte)[number];
/** Encodings with one byte for a letter, the likeliest first: Western, Central European by Windows and by Unix, Mac. */
const oneByte = ['windows-1252', 'windows-1250', 'iso-8859-2', 'macintosh'] as const;

/** The maximum number of characters by which a decoding is judged; a menu of 5,000 dishes has fewer. */
const judged = 1_000_000;

export interface TextReading {
  encoding: Encoding;
  text: string;
}

/**
 * The equally plausible decodings of a file, the likeliest first. UTF-8 with a few invalid bytes stays UTF-8 with
 * U+FFFD.
 */
export function candidateDecodings(bytes: Uint8Array<ArrayBuffer>): [TextReading, ...TextReading[]] {
  const marked = (['utf-16le', 'utf-16be'] as const).find((encoding) => {
    const mark = encoding === 'utf-16le' ? [0xff, 0xfe] : [0xfe, 0xff];
    return bytes[0] === mark[0] && bytes[1] === mark[1];
  });
  if (marked) return [decode(bytes, marked)];
  const plain = decode(bytes, 'utf-8');
  if (isUtf8(bytes)) return [plain];
  const invalid = count(plain.text, /\uFFFD/g);
  if (count(plain.text, /[^\0-\u007F\uFFFD]/gu) >= invalid) return [plain];
  const readings = oneByte.map((encoding) => {
    const reading = decode(bytes, encoding);
    return { ...reading, faults: countFaults(reading.text.slice(0, judged)) };
  });
  const fewest = Math.min(...readings.map(({ faults }) => faults));
  if (fewest >= invalid) return [plain];
  const [first = plain, ...others] = readings.filter(({ faults }) => faults === fewest);
  const seen = new Set([first.text]);
  return [first, ...others.filter(({ text }) => !seen.has(text) && seen.add(text))];
}

/**
 * For each reading at most three recognizable samples, in which the readings differ. A single reading has samples with
 * letters that are not English.
 */
export function readingSamples(readings: readonly TextReading[]): string[][] {
  const [first, ...others] = readings;
  const samples = readings.map((): string[] => []);
  if (!first) return samples;
  for (let at = 0; at < first.text.length && (samples[0]?.length ?? 0) < 3; at += 1) {
    const sign = first.text[at] ?? '';
    if (others.length > 0 ? others.every(({ text }) => text[at] === sign) : sign <= '\u007F') continue;
    // With one byte for a letter, a piece of text is at the same place in each reading.
    const from = at - (/[^,;\t\r\n"]*$/.exec(first.text.slice(Math.max(0, at - 40), at))?.[0].length ?? 0);
    const to = at + (/^[^,;\t\r\n"]{0,40}/.exec(first.text.slice(at, at + 41))?.[0].length ?? 1);
    for (const [index, { text }] of readings.entries()) samples[index]?.push(text.slice(from, to).trim());
    at = to;
  }
  return samples;
}

function decode(bytes: Uint8Array<ArrayBuffer>, encoding: Encoding): TextReading {
  return { encoding, text: new TextDecoder(encoding).decode(bytes) };
}

function isUtf8(bytes: Uint8Array<ArrayBuffer>): boolean {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes) !== null;
  } catch {
    return false;
  }
}

function count(text: string, sign: RegExp): number {
  return text.match(sign)?.length ?? 0;
}

const opening = /[“‘«„‚‹¿¡£€$¥–—•·©®°½¼¾]/u;
const inWords = /[’‘'·\-\u00A0\u00AD–]/u;

/**
 * Counts character sequences that no language has, which are signs of a wrong decoding: `Ł8.50`, `CafŽ`, `crËme`,
 * `Soko³y`.
 */
function countFaults(text: string): number {
  let faults = 0;
  for (const { 0: sign, index } of text.matchAll(/[^\0-\u007F]/g)) {
    const before = text.slice(Math.max(0, index - 2), index);
    if (isOdd(sign, before, text.slice(index + 1, index + 2))) faults += 1;
  }
  // These characters in these places are signs of a right decoding, because no other characters would stand there.
  const sure = count(text, /\p{L}’(?:s|t|d|m|ll|re|ve)\b|“[^”\n]{1,60}”|(?<![\p{L}\d])£(?=\d)/gu);
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
  if (isAfterLetter && isBeforeLetter) return !inWords.test(sign);
  if (isAfterLetter) return /[¼½¾²³¹¿¡«„‚]/.test(sign);
  return isBeforeLetter && !opening.test(sign) && !inWords.test(sign);
}

function isOddLetter(sign: string, before: string, after: string): boolean {
  const last = before.slice(-1);
  if (!/\p{Script=Latin}/u.test(sign) || sign === 'ƒ') return true;
  if (/\d/.test(last) || /\d/.test(after)) return true;
  if (!/\p{L}/u.test(last) && !/\p{L}/u.test(after)) return !/[àÀéÉèÈòÒóÓæÆ]/.test(sign);
  if (/\p{Lu}/u.test(sign)) return /\p{Ll}/u.test(last);
  return /\p{Lu}{2}/u.test(before);
}

/**
 * Matches a value that a spreadsheet would run as a formula. A leading apostrophe prevents that; an import removes it.
 */
const formula = /^[=+\-@\t\r]/;
/** Matches a value that begins with an apostrophe itself. It gets another one, so that its own survives. */
const guarded = /^'+[=+\-@\t\r]/;

/**
 * Adds an apostrophe to a CSV's value that a spreadsheet would run as a formula. A single minus is none: it empties a
 * field.
 */
export function guardFormula(text: string): string {
  return (formula.test(text) && text !== '-') || guarded.test(text) ? `'${text}` : text;
}

/**
 * Adds an apostrophe to a workbook's value that begins with one, because an import removes the first. Other values of a
 * workbook need none: unlike those of a CSV file, its cells never run as formulas.
 */
export function escapeApostrophe(text: string): string {
  return guarded.test(text) ? `'${text}` : text;
}

export function unguardFormula(text: string): string {
  return guarded.test(text) ? text.slice(1) : text;
}
