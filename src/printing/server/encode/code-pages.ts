import iconv from 'iconv-lite';
import { splitGraphemes } from '#platform/graphemes.ts';
import { graphemeWidth, textWidth } from '#printing/receipt/text.ts';
import type { CodePage, CodePageName } from '#printing/paper/printer-profile.ts';

/** Bytes that print as they are, or one byte of the table that the printer calls `page`. */
export type Printable = { page: number | null; bytes: number[] };

const tables = new Map<CodePageName, ReadonlyMap<string, number>>();

/** Plain likenesses, each as wide as its character, for tables that lack it. */
const likenesses: Record<string, string> = {
  '\u2018': "'",
  '\u2019': "'",
  '\u201a': ',',
  '\u201c': '"',
  '\u201d': '"',
  '\u2010': '-',
  '\u2011': '-',
  '\u2012': '-',
  '\u2013': '-',
  '\u2014': '-',
  '\u2212': '-',
  '\u2022': '*',
  '\u00b7': '.',
  '×': 'x',
};

/**
 * A text in the printer's own letters, with as few changes of the table as possible; null if it has a character that
 * none of the tables has.
 */
export function inCodePages(text: string, pages: readonly CodePage[]): Printable[] | null {
  const parts: Printable[] = [];
  for (const grapheme of splitGraphemes(text)) {
    const last = parts.at(-1);
    const found = findByte(grapheme, pages, last?.page ?? null);
    if (!found) return null;
    if (last && (found.page === null || found.page === last.page)) last.bytes.push(...found.bytes);
    else parts.push(found);
  }
  return parts;
}

/** A text in letters that the tables have, as wide as it is: without accents that they lack, and `?` for the rest. */
export function spelling(text: string, pages: readonly CodePage[]): string {
  return splitGraphemes(text)
    .map((grapheme) => {
      const width = graphemeWidth(grapheme);
      const bare = grapheme.normalize('NFKD').replace(/\p{M}/gu, '');
      const found = [grapheme, bare].find((each) => textWidth(each) === width && inCodePages(each, pages));
      return (found ?? '?').padEnd(width);
    })
    .join('');
}

/** The characters 128 to 255 of a table. */
export function codePage(name: CodePageName): ReadonlyMap<string, number> {
  let table = tables.get(name);
  if (!table) {
    table = name === 'dos' || name === 'latin' ? shared(relatives[name]) : charactersOf(name);
    tables.set(name, table);
  }
  return table;
}

const relatives = { dos: ['cp437', 'cp850', 'cp858'], latin: ['cp1252', 'cp1254', 'iso8859-15'] };

/** The characters that all of these tables have in the same place. */
function shared(names: readonly string[]): ReadonlyMap<string, number> {
  const [first = new Map<string, number>(), ...others] = names.map(charactersOf);
  return new Map([...first].filter(([letter, byte]) => others.every((other) => other.get(letter) === byte)));
}

function charactersOf(name: string): Map<string, number> {
  const characters = iconv.decode(Buffer.from(Array.from({ length: 128 }, (_, index) => index + 128)), name);
  // The first place counts; free places and controls are left out.
  return new Map(
    Array.from(characters, (character, index): [string, number] => [character, index + 128])
      .filter(([character]) => !/[\ufffd\p{C}]/u.test(character))
      .toReversed(),
  );
}

function findByte(grapheme: string, pages: readonly CodePage[], current: number | null): Printable | null {
  if (grapheme === '\u00a0') return { page: null, bytes: [0x20] };
  if (/^[\x20-\x7e]$/.test(grapheme)) return { page: null, bytes: [grapheme.charCodeAt(0)] };
  const byteIn = (page: CodePage) => (graphemeWidth(grapheme) === 1 ? codePage(page.name).get(grapheme) : undefined);
  const having = pages.filter((page) => byteIn(page) !== undefined);
  const page = having.find(({ number }) => number === current) ?? having[0];
  const byte = page && byteIn(page);
  if (page && byte !== undefined) return { page: page.number, bytes: [byte] };
  const plain = likenesses[grapheme];
  return plain === undefined ? null : { page: null, bytes: [plain.charCodeAt(0)] };
}
