import { serveOnDemandProcess } from '#platform/server/on-demand-process.ts';
import { loadSharp } from '#platform/server/load-sharp.ts';
import { characterCellDots, drawTextRow } from '#printing/server/draw/draw-text.ts';
import type { DrawResponse, DrawRequest } from '#printing/server/draw/drawing.ts';
import { type Fonts, openFonts } from '#printing/server/draw/fonts.ts';
import {
  bitmapRows,
  type Bitmap,
  bitmapFromGreys,
  type TextRow,
  greysFromBitmap,
} from '#printing/server/encode/paper.ts';

// This process loads the fonts and draws with them. It ends when it is idle.

let opened: Promise<Fonts> | undefined;

serveOnDemandProcess<DrawRequest, DrawResponse>(async (question) => {
  switch (question.kind) {
    case 'rows':
      return drawRows(question.rows, question.dots);
    case 'picture':
      return { bitmaps: [await drawPicture(question.picture, question.width, question.height)], missing: [] };
    case 'png':
      return { bitmaps: [], missing: [], png: await toPng(question.bitmap) };
  }
});

/** Greys darker than this become black, because strokes thinner than a dot are drawn grey. */
const strokeLimit = 176;
/** This gap (dots) separates rows in the shared picture, because letters may overflow their row. */
const apart = 24;

async function drawRows(rows: readonly TextRow[], dots: number): Promise<DrawResponse> {
  opened ??= openFonts();
  const fonts = await opened;
  const missing: string[] = [];
  const heights = rows.map(({ height }) => height * characterCellDots.height);
  let bottom = 0;
  const parts: string[] = [];
  for (const [index, row] of rows.entries()) {
    const drawn = await drawTextRow(row, fonts);
    missing.push(...drawn.missing);
    bottom += apart + (heights[index] ?? 0);
    parts.push(`<g transform="translate(0,${bottom})">${drawn.svg}</g>`);
  }
  const greys = await greysOf(parts.join(''), dots, bottom + apart);
  const whole = bitmapFromGreys(greys, dots, bottom + apart, strokeLimit);
  let top = 0;
  const bitmaps = heights.map((height) => {
    const from = top + apart;
    top = from + height;
    return bitmapRows(whole, from, height);
  });
  return { bitmaps, missing };
}

async function greysOf(svg: string, width: number, height: number): Promise<Uint8Array> {
  const sharp = await loadSharp();
  const document = `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}"><path fill="#fff" d="M0,0h${width}v${height}h${-width}z"/>${svg}</svg>`;
  return sharp(Buffer.from(document), { unlimited: true }).flatten({ background: '#fff' }).greyscale().raw().toBuffer();
}

/** Draws a picture in black and white by Floyd–Steinberg dithering, within the given size. */
async function drawPicture(picture: Uint8Array, maxAcross: number, maxDown: number): Promise<Bitmap> {
  const sharp = await loadSharp();
  const { data, info } = await sharp(picture, { limitInputPixels: 50_000_000 })
    .rotate()
    .resize({ width: maxAcross, height: maxDown, fit: 'inside', withoutEnlargement: true })
    .flatten({ background: '#fff' })
    .greyscale()
    .raw()
    .toBuffer({ resolveWithObject: true });
  const { width, height } = info;
  const greys = Float32Array.from(data);
  const spread = (x: number, y: number, error: number) => {
    const at = y * width + x;
    if (x >= 0 && x < width && y < height) greys[at] = (greys[at] ?? 0) + error / 16;
  };
  for (let y = 0; y < height; y += 1) {
    for (let x = 0; x < width; x += 1) {
      const grey = greys[y * width + x] ?? 255;
      const printed = grey < 128 ? 0 : 255;
      greys[y * width + x] = printed;
      const error = grey - printed;
      spread(x + 1, y, error * 7);
      spread(x - 1, y + 1, error * 3);
      spread(x, y + 1, error * 5);
      spread(x + 1, y + 1, error);
    }
  }
  return bitmapFromGreys(Uint8Array.from(greys), width, height, 128);
}

async function toPng(bitmap: Bitmap): Promise<Uint8Array> {
  const sharp = await loadSharp();
  const raw = { width: bitmap.width, height: bitmap.height, channels: 1 as const };
  return sharp(greysFromBitmap(bitmap), { raw }).png({ palette: true, colours: 2, dither: 0, effort: 1 }).toBuffer();
}
