/** A parsed receipt, from which every format is encoded. Positions and widths are in columns of normal characters. */
export interface ReceiptPaper {
  columns: number;
  rows: PaperRow[];
}

export type PaperRow =
  | TextRow
  | { kind: 'rule' }
  | { kind: 'cut' }
  /** A centred QR code; `cell` is the side of its squares in dots. */
  | { kind: 'qr'; text: string; cell: number; level: QrLevel }
  /** A centred picture. The source contains only its name. */
  | { kind: 'picture'; name: string };

export interface TextRow {
  kind: 'text';
  pieces: TextPiece[];
  /** The height of the tallest piece, in normal characters. */
  height: number;
}

/** A piece of a row's text in one style, aligned to the bottom of the row. */
export interface TextPiece {
  text: string;
  /** The position from the left in columns, in steps of half a column. */
  at: number;
  /** The width of the text in columns before scaling; an East Asian character takes two. */
  width: number;
  align: 'left' | 'centre' | 'right';
  look: TextStyle;
}

export interface TextStyle {
  bold: boolean;
  underlined: boolean;
  inverted: boolean;
  /** `across` and `down`: the multiples of a normal character's width and height, from 1 to 6. */
  across: number;
  down: number;
}

export type QrLevel = 'l' | 'm' | 'q' | 'h';

/**
 * A black and white picture. A set bit is black. Each byte holds eight dots, the leftmost in its highest bit, and each
 * row begins with a new byte.
 */
export interface Bitmap {
  width: number;
  height: number;
  bits: Uint8Array;
}

export function blankBitmap(width: number, height: number): Bitmap {
  return { width, height, bits: new Uint8Array(bytesAcross(width) * height) };
}

export function bytesAcross(width: number): number {
  return Math.ceil(width / 8);
}

export function isBlack({ width, bits }: Bitmap, x: number, y: number): boolean {
  return ((bits[y * bytesAcross(width) + (x >> 3)] ?? 0) & (128 >> (x & 7))) !== 0;
}

export function fillRectangle(bitmap: Bitmap, left: number, top: number, width: number, height: number): void {
  const across = bytesAcross(bitmap.width);
  for (let y = Math.max(0, top); y < Math.min(bitmap.height, top + height); y += 1) {
    for (let x = Math.max(0, left); x < Math.min(bitmap.width, left + width); x += 1) {
      const at = y * across + (x >> 3);
      bitmap.bits[at] = (bitmap.bits[at] ?? 0) | (128 >> (x & 7));
    }
  }
}

/** Centres a bitmap on a canvas of another width. Dots beyond the canvas are cut off. */
export function centreBitmap(bitmap: Bitmap, width: number): Bitmap {
  const wide = blankBitmap(width, bitmap.height);
  const left = Math.floor((width - bitmap.width) / 2);
  for (let y = 0; y < bitmap.height; y += 1) {
    for (let x = 0; x < bitmap.width; x += 1) if (isBlack(bitmap, x, y)) fillRectangle(wide, left + x, y, 1, 1);
  }
  return wide;
}

export function stackBitmaps(bitmaps: readonly Bitmap[], width: number): Bitmap {
  return {
    width,
    height: bitmaps.reduce((sum, { height }) => sum + height, 0),
    bits: Buffer.concat(bitmaps.map(({ bits }) => bits)),
  };
}

/** Takes `count` rows of a bitmap from the row `from`, or fewer if the bitmap ends before. */
export function bitmapRows({ width, height, bits }: Bitmap, from: number, count: number): Bitmap {
  const rows = Math.min(count, height - from);
  const across = bytesAcross(width);
  return { width, height: rows, bits: bits.subarray(from * across, (from + rows) * across) };
}

/** Converts one byte per dot (0 black, 255 white) to a bitmap. A dot darker than `limit` becomes black. */
export function bitmapFromGreys(greys: Uint8Array, width: number, height: number, limit: number): Bitmap {
  const bitmap = blankBitmap(width, height);
  for (let y = 0; y < height; y += 1) {
    for (let x = 0; x < width; x += 1) if ((greys[y * width + x] ?? 255) < limit) fillRectangle(bitmap, x, y, 1, 1);
  }
  return bitmap;
}

/** Converts a bitmap to one byte per dot: 0 is black, 255 white. */
export function greysFromBitmap(bitmap: Bitmap): Uint8Array {
  const greys = new Uint8Array(bitmap.width * bitmap.height).fill(255);
  for (let y = 0; y < bitmap.height; y += 1) {
    for (let x = 0; x < bitmap.width; x += 1) if (isBlack(bitmap, x, y)) greys[y * bitmap.width + x] = 0;
  }
  return greys;
}
