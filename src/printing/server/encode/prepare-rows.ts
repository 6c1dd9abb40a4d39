import { createHash } from 'node:crypto';
import { LRUCache } from 'lru-cache';
import { qrcode } from 'receiptline';
import type { CodePage, CodePageName } from '#printing/paper/profiles.ts';
import { drawPicture, drawRows } from '#printing/server/draw/drawing.ts';
import {
  type Bitmap,
  blankBitmap,
  fillRectangle,
  centreBitmap,
  type TextStyle,
  type ReceiptPaper,
  type PaperRow,
  stackBitmaps,
  type TextRow,
} from '#printing/server/encode/paper.ts';
import { splitGraphemes } from '#platform/graphemes.ts';
import iconv from 'iconv-lite';
import { graphemeWidth, textWidth } from '#printing/receipt/text.ts';

/** A row as the printer gets it: letters in its character tables, or a picture of the full paper width. */
export type PreparedRow =
  | { kind: 'letters'; pieces: EncodedLetters[]; height: number }
  | { kind: 'picture'; bitmap: Bitmap }
  | { kind: 'cut' };

export interface EncodedLetters {
  /** The position from the left, in dots. */
  at: number;
  look: TextStyle;
  parts: Printable[];
}

/** The pictures of a receipt by name, as files of any usual format. */
export type Pictures = Readonly<Record<string, Uint8Array>>;

export interface PreparedPaper {
  rows: PreparedRow[];
  missing: string[];
}

/** The height of a rule with its margins, in dots. */
export const ruleHeightDots = 12;
/** The margin above and below a picture, in dots. */
export const pictureMarginDots = 8;
/** The quiet zone around a QR code, in its squares. */
const quietZone = 4;

/**
 * Makes each row printable: a row stays text if the tables have all its characters, and otherwise becomes a picture. If
 * drawing fails, letters print without accents or as `?`, and count as missing. If `pages` is null, every row is drawn.
 */
export async function prepareRows(
  { rows }: ReceiptPaper,
  dots: number,
  pages: readonly CodePage[] | null,
  pictures: Pictures = {},
): Promise<PreparedPaper> {
  const letters = rows.map((row) => (row.kind === 'text' && pages ? lettersOf(row, pages) : null));
  const toDraw = rows.filter((row, index): row is TextRow => row.kind === 'text' && !letters[index]);
  const { rowOf, missing } = await drawOrSpell(toDraw, dots, pages);
  const prepared: PreparedRow[] = [];
  for (const [index, row] of rows.entries()) {
    const own = letters[index] ?? rowOf.get(row) ?? (await pictureRow(row, dots, pictures));
    const last = prepared.at(-1);
    if (own?.kind === 'picture' && last?.kind === 'picture')
      last.bitmap = stackBitmaps([last.bitmap, own.bitmap], dots);
    else if (own) prepared.push(own);
  }
  return { rows: prepared, missing: [...new Set(missing)] };
}

async function drawOrSpell(rows: readonly TextRow[], dots: number, pages: readonly CodePage[] | null) {
  try {
    const { bitmaps, missing } = await drawRows(rows, dots);
    const pictures = rows.map((row, index): [PaperRow, PreparedRow] => [
      row,
      { kind: 'picture', bitmap: bitmaps[index] ?? blankBitmap(dots, 0) },
    ]);
    return { rowOf: new Map(pictures), missing };
  } catch (error) {
    if (!pages) throw error;
    const spelt = rows.map((row) => ({
      ...row,
      pieces: row.pieces.map((piece) => ({ ...piece, text: spelling(piece.text, pages) })),
    }));
    const letters = spelt.flatMap((row, index): [PaperRow, PreparedRow][] => {
      const own = lettersOf(row, pages);
      const drawn = rows[index];
      return own && drawn ? [[drawn, own]] : [];
    });
    const lacking = rows.flatMap(({ pieces }) => pieces.flatMap(({ text }) => splitGraphemes(text)));
    return { rowOf: new Map(letters), missing: lacking.filter((letter) => spelling(letter, pages) !== letter) };
  }
}

export async function renderPaperBitmap(paper: ReceiptPaper, dots: number, pictures?: Pictures) {
  const { rows, missing } = await prepareRows(paper, dots, null, pictures);
  const bitmaps = rows.flatMap((row) => (row.kind === 'picture' ? [row.bitmap] : []));
  return { bitmap: stackBitmaps(bitmaps, dots), missing };
}

function lettersOf({ pieces, height }: TextRow, pages: readonly CodePage[]): PreparedRow | null {
  const letters: EncodedLetters[] = [];
  for (const { text, at, look } of pieces) {
    const parts = inCodePages(text, pages);
    if (!parts) return null;
    letters.push({ at: Math.round(at * 12), look, parts });
  }
  return { kind: 'letters', pieces: letters, height };
}

async function pictureRow(row: PaperRow, dots: number, pictures: Pictures): Promise<PreparedRow | null> {
  if (row.kind === 'cut') return row;
  const bitmap = await pictureOf(row, dots, pictures);
  return bitmap && { kind: 'picture', bitmap };
}

async function pictureOf(row: PaperRow, dots: number, pictures: Pictures): Promise<Bitmap | null> {
  switch (row.kind) {
    case 'rule': {
      const bitmap = blankBitmap(dots, ruleHeightDots);
      fillRectangle(bitmap, 0, ruleHeightDots / 2 - 1, dots, 2);
      return bitmap;
    }
    case 'qr':
      return qrBitmap(row, dots);
    case 'picture': {
      const picture = pictures[row.name];
      if (!picture) return null;
      const bitmap = await logoBitmap(picture, dots);
      if (!bitmap) return null;
      const margin = blankBitmap(dots, pictureMarginDots);
      return stackBitmaps([margin, centreBitmap(bitmap, dots), margin], dots);
    }
    default:
      return null;
  }
}

export function qrBitmap({ text, cell, level }: Extract<PaperRow, { kind: 'qr' }>, dots: number): Bitmap {
  const squares = qrcode.generate({ data: text, type: 'qrcode', cell, level, quietZone: false });
  const across = squares.length + 2 * quietZone;
  // The squares of a long link are smaller, so that the code fits the paper.
  const side = Math.max(1, Math.min(cell, Math.floor(dots / across)));
  const bitmap = blankBitmap(dots, across * side);
  const left = Math.floor((dots - across * side) / 2) + quietZone * side;
  for (const [y, row] of squares.entries()) {
    for (const [x, square] of row.entries()) {
      if (square === 1) fillRectangle(bitmap, left + x * side, (y + quietZone) * side, side, side);
    }
  }
  return bitmap;
}

/** Drawn logos are cached, because a shop prints one logo all day. */
const logos = new LRUCache<string, { bitmap: Bitmap | null }>({ max: 8 });

/** Draws a picture file at a logo's size; null if that fails, so that the order still prints. */
export async function logoBitmap(picture: Uint8Array, dots: number): Promise<Bitmap | null> {
  const key = `${dots} ${createHash('sha256').update(picture).digest('base64')}`;
  const known = logos.get(key);
  if (known) return known.bitmap;
  const bitmap = await drawPicture(picture, Math.floor(dots * 0.75), Math.floor(dots * 0.4)).catch(() => null);
  logos.set(key, { bitmap });
  return bitmap;
}

/** The bytes of characters in the table `page`; null: ASCII, which all tables share. */
type Printable = { page: number | null; bytes: number[] };

const tables = new Map<CodePageName, ReadonlyMap<string, number>>();

/** Substitutes for characters that the tables lack. A substitute is as wide as the character that it replaces. */
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

/** Encodes a text in the printer's tables, with few table changes; null if all tables lack one of the characters. */
function inCodePages(text: string, pages: readonly CodePage[]): Printable[] | null {
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

/**
 * Respells a text without a change of its width. Missing accents are dropped, and other missing characters become `?`.
 */
function spelling(text: string, pages: readonly CodePage[]): string {
  return splitGraphemes(text)
    .map((grapheme) => {
      const width = graphemeWidth(grapheme);
      const bare = grapheme.normalize('NFKD').replace(/\p{M}/gu, '');
      const found = [grapheme, bare].find((each) => textWidth(each) === width && inCodePages(each, pages));
      return (found ?? '?').padEnd(width);
    })
    .join('');
}

export function codePageBytes(name: CodePageName): ReadonlyMap<string, number> {
  let table = tables.get(name);
  if (!table) {
    table = name === 'dos' || name === 'latin' ? shared(relatives[name]) : charactersOf(name);
    tables.set(name, table);
  }
  return table;
}

const relatives = { dos: ['cp437', 'cp850', 'cp858'], latin: ['cp1252', 'cp1254', 'iso8859-15'] };

/** The characters that all these tables have at the same position. */
function shared(names: readonly string[]): ReadonlyMap<string, number> {
  const [first = new Map<string, number>(), ...others] = names.map(charactersOf);
  return new Map([...first].filter(([letter, byte]) => others.every((other) => other.get(letter) === byte)));
}

function charactersOf(name: string): Map<string, number> {
  const characters = iconv.decode(Buffer.from(Array.from({ length: 128 }, (_, index) => index + 128)), name);
  // A character may have several positions, and the first must win. The order is reversed, because a map keeps the last
  // entry of a key. Unassigned positions and control characters are left out.
  return new Map(
    Array.from(characters, (character, index): [string, number] => [character, index + 128])
      .filter(([character]) => !/[\ufffd\p{C}]/u.test(character))
      .toReversed(),
  );
}

function findByte(grapheme: string, pages: readonly CodePage[], current: number | null): Printable | null {
  if (grapheme === '\u00a0') return { page: null, bytes: [0x20] };
  if (/^[\x20-\x7e]$/.test(grapheme)) return { page: null, bytes: [grapheme.charCodeAt(0)] };
  const byteIn = (page: CodePage) =>
    graphemeWidth(grapheme) === 1 ? codePageBytes(page.name).get(grapheme) : undefined;
  const having = pages.filter((page) => byteIn(page) !== undefined);
  const page = having.find(({ number }) => number === current) ?? having[0];
  const byte = page && byteIn(page);
  if (page && byte !== undefined) return { page: page.number, bytes: [byte] };
  const plain = likenesses[grapheme];
  return plain === undefined ? null : { page: null, bytes: [plain.charCodeAt(0)] };
}
