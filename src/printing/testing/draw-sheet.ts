import { drawRows, toPng } from '#printing/server/draw/drawing.ts';
import { type Bitmap, blankBitmap, fillRectangle, stackBitmaps, type TextRow } from '#printing/server/encode/paper.ts';
import { textWidth } from '#printing/receipt/text.ts';
import { cellHeight, cellWidth, type Sheet, type SheetRow } from '#simulators/printers/decode/sheet.ts';

/** What came out of a printer as a PNG; its letters are drawn in a font of ours. */
export async function drawSheet({ rows }: Sheet, dots: number): Promise<Buffer> {
  const texts = rows.filter((row) => row.kind === 'text');
  const { bitmaps } = await drawRows(texts.map(asTextRow), dots);
  const drawn = new Map(texts.map((row, index): [SheetRow, Bitmap | undefined] => [row, bitmaps[index]]));
  const all = rows.map((row) => (row.kind === 'text' ? (drawn.get(row) ?? blankBitmap(dots, 0)) : inkOf(row)));
  return toPng(stackBitmaps(all, dots));
}

function asTextRow(row: Extract<SheetRow, { kind: 'text' }>): TextRow {
  const pieces = row.spans.map(({ x, text, ...look }) => ({
    text,
    at: x / cellWidth,
    width: textWidth(text),
    align: 'left' as const,
    look,
  }));
  return { kind: 'text', pieces, height: Math.max(1, Math.round(row.height / cellHeight)) };
}

function inkOf({ width, height, ink }: Extract<SheetRow, { kind: 'picture' }>): Bitmap {
  const bitmap = blankBitmap(width, height);
  for (const [dot, isBlack] of ink.entries())
    if (isBlack === 1) fillRectangle(bitmap, dot % width, Math.floor(dot / width), 1, 1);
  return bitmap;
}
