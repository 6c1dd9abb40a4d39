import { createOnDemandProcess } from '#platform/server/on-demand-process.ts';
import type { Bitmap, TextRow } from '#printing/server/encode/paper.ts';

export type DrawRequest =
  | { kind: 'rows'; rows: TextRow[]; dots: number }
  | { kind: 'picture'; picture: Uint8Array; width: number; height: number }
  | { kind: 'png'; bitmap: Bitmap };

export interface DrawResponse {
  bitmaps: Bitmap[];
  missing: string[];
  png?: Uint8Array;
}

/**
 * The process that draws pictures. It also draws text with characters that the printer's tables lack. The process
 * starts on demand and ends after half a minute, because fonts and HarfBuzz take tens of megabytes.
 */
const painter = createOnDemandProcess<DrawRequest, DrawResponse>({
  module: new URL('./draw-worker.ts', import.meta.url),
  task: 'draws receipts',
  maxOldGenerationSizeMb: 128,
});

export async function drawRows(rows: readonly TextRow[], dots: number): Promise<Omit<DrawResponse, 'png'>> {
  return rows.length === 0 ? { bitmaps: [], missing: [] } : painter.ask({ kind: 'rows', rows: [...rows], dots });
}

/** Draws a picture file in black and white, at most this wide and high. Throws if the file is no picture. */
export async function drawPicture(picture: Uint8Array, width: number, height: number): Promise<Bitmap> {
  const { bitmaps } = await painter.ask({ kind: 'picture', picture, width, height });
  const [bitmap] = bitmaps;
  if (!bitmap) throw new Error('no picture was drawn');
  return bitmap;
}

export async function toPng(bitmap: Bitmap): Promise<Buffer> {
  const { png } = await painter.ask({ kind: 'png', bitmap });
  return Buffer.from(png ?? []);
}

export const stopDrawingProcess = painter.stop;
