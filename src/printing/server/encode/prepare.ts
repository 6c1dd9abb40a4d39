import { createHash } from 'node:crypto';
import { qrcode } from 'receiptline';
import type { CodePage } from '#printing/paper/printer-profile.ts';
import { drawPicture, drawRows } from '#printing/server/draw/drawing.ts';
import { type Bitmap, blankBitmap, fill, inTheMiddle, stacked } from '#printing/server/encode/bitmap.ts';
import { inCodePages, type Printable } from '#printing/server/encode/code-pages.ts';
import type { Look, Paper, PaperRow, TextRow } from '#printing/server/encode/paper.ts';

/** A row as a printer of some dots and tables takes it: its own letters, or a picture of the whole width. */
export type PreparedRow =
  | { kind: 'letters'; pieces: Letters[]; height: number }
  | { kind: 'picture'; bitmap: Bitmap }
  | { kind: 'cut' };

export interface Letters {
  /** Dots from the left. */
  at: number;
  look: Look;
  parts: Printable[];
}

/** Pictures that a receipt names, as files of any usual kind. */
export type Pictures = Readonly<Record<string, Uint8Array>>;

export interface Prepared {
  rows: PreparedRow[];
  /** Characters that are boxes on the paper, each once. */
  missing: string[];
}

/** Dots. */
export const ruleHeight = 12;
/** Dots above and below a picture. */
export const spaceAround = 8;
/** A code needs this many of its squares in white on every side. */
const quietZone = 4;

/**
 * Makes each row printable. A row of text stays text if the tables have all of its characters; the others become
 * pictures. `pages` null draws every row.
 */
export async function prepareRows(
  { rows }: Paper,
  dots: number,
  pages: readonly CodePage[] | null,
  pictures: Pictures = {},
): Promise<Prepared> {
  const letters = rows.map((row) => (row.kind === 'text' && pages ? lettersOf(row, pages) : null));
  const toDraw = rows.filter((row, index): row is TextRow => row.kind === 'text' && !letters[index]);
  const drawn = await drawRows(toDraw, dots);
  const bitmapOf = new Map(toDraw.map((row, index) => [row as PaperRow, drawn.bitmaps[index]]));
  const prepared: PreparedRow[] = [];
  for (const [index, row] of rows.entries()) {
    const own = letters[index];
    if (own) prepared.push(own);
    else if (row.kind === 'cut') prepared.push(row);
    else {
      const bitmap = bitmapOf.get(row) ?? (await pictureOf(row, dots, pictures));
      if (bitmap) addPicture(prepared, bitmap);
    }
  }
  return { rows: prepared, missing: [...new Set(drawn.missing)] };
}

/** The paper as one picture. */
export async function paintPaper(paper: Paper, dots: number, pictures?: Pictures) {
  const { rows, missing } = await prepareRows(paper, dots, null, pictures);
  const bitmaps = rows.flatMap((row) => (row.kind === 'picture' ? [row.bitmap] : []));
  return { bitmap: stacked(bitmaps, dots), missing };
}

function lettersOf({ pieces, height }: TextRow, pages: readonly CodePage[]): PreparedRow | null {
  const letters: Letters[] = [];
  for (const { text, at, look } of pieces) {
    const parts = inCodePages(text, pages);
    if (!parts) return null;
    letters.push({ at: Math.round(at * 12), look, parts });
  }
  return { kind: 'letters', pieces: letters, height };
}

/** Pictures below each other are sent as one. */
function addPicture(rows: PreparedRow[], bitmap: Bitmap): void {
  const last = rows.at(-1);
  if (last?.kind === 'picture') last.bitmap = stacked([last.bitmap, bitmap], bitmap.width);
  else rows.push({ kind: 'picture', bitmap });
}

async function pictureOf(row: PaperRow, dots: number, pictures: Pictures): Promise<Bitmap | null> {
  switch (row.kind) {
    case 'rule': {
      const bitmap = blankBitmap(dots, ruleHeight);
      fill(bitmap, 0, ruleHeight / 2 - 1, dots, 2);
      return bitmap;
    }
    case 'qr':
      return qrBitmap(row, dots);
    case 'picture': {
      const picture = pictures[row.name];
      if (!picture) return null;
      const bitmap = await logoBitmap(picture, dots);
      const margin = blankBitmap(dots, spaceAround);
      return stacked([margin, inTheMiddle(bitmap, dots), margin], dots);
    }
    default:
      return null;
  }
}

/** A QR code in the middle of the paper's width. */
export function qrBitmap({ text, cell, level }: Extract<PaperRow, { kind: 'qr' }>, dots: number): Bitmap {
  const squares = qrcode.generate({ data: text, type: 'qrcode', cell, level, quietZone: false });
  const across = squares.length + 2 * quietZone;
  // A long link takes smaller squares rather than falling off the paper.
  const side = Math.max(1, Math.min(cell, Math.floor(dots / across)));
  const bitmap = blankBitmap(across * side, across * side);
  for (const [y, row] of squares.entries()) {
    for (const [x, square] of row.entries()) {
      if (square === 1) fill(bitmap, (x + quietZone) * side, (y + quietZone) * side, side, side);
    }
  }
  return inTheMiddle(bitmap, dots);
}

/** The last logos drawn: a shop prints the same one all day. */
const logos = new Map<string, Bitmap>();
const keptLogos = 8;

async function logoBitmap(picture: Uint8Array, dots: number): Promise<Bitmap> {
  const key = `${dots} ${createHash('sha256').update(picture).digest('base64')}`;
  const known = logos.get(key);
  if (known) return known;
  const bitmap = await drawPicture(picture, Math.floor(dots * 0.75), Math.floor(dots * 0.4));
  logos.set(key, bitmap);
  const [oldest] = logos.keys();
  if (logos.size > keptLogos && oldest !== undefined) logos.delete(oldest);
  return bitmap;
}
