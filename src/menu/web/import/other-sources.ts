import { draftOf } from '#menu/import/draft.ts';
import { linesOfPdf, type PdfPiece } from '#menu/import/read-pdf.ts';
import { dishesOfText } from '#menu/import/read-text.ts';
import { type MenuSource, readMenuFile } from '#menu/web/import/read-file.ts';
import { withoutSheets } from '#menu/web/import/read-menu.ts';
import { api } from '#platform/web/api.ts';
import { shrinkPicture } from '#uploads/web/shrink-picture.ts';
import { sendFile } from '#uploads/web/upload-picture.ts';
import type { PhotoWord } from '#menu/contract.ts';

/** Fetches a page through the server, because browsers refuse to read other websites. */
export async function fetchMenuPage(url: string, currency: string): Promise<MenuSource> {
  const { type, content } = (await api('POST /v1/menu-pages', { url })).data;
  const bytes = Uint8Array.from(atob(content), (sign) => sign.charCodeAt(0));
  const ending = { html: '.html', pdf: '.pdf', table: '' }[type];
  const name = url.replace(/^https?:\/\//, '').replace(/\/$/, '');
  return { name, bytes, read: (own) => readMenuFile(own, name + ending, currency) };
}

/** The longest side of a sent photo in pixels, at which small print stays readable. */
const maxSide = 2400;

/** Sends a shrunk, upright photo to the server, which reads its words. */
export async function readMenuPhoto(file: File, currency: string): Promise<MenuSource> {
  const bytes = new Uint8Array(await file.arrayBuffer());
  return {
    name: file.name,
    bytes,
    read: async () => {
      const data = await sendFile<PhotoWord[]>('/v1/menu-photos', await shrinkPicture(file, maxSide));
      return withoutSheets(draftOf(dishesOfText(linesOfPdf([piecesOfPhoto(data)]), currency, false)));
    },
  };
}

/**
 * Scales a photo's words to the height of an A4 page, because the reader of PDFs measures gaps in points. A word's height
 * depends on its letters, so only much higher words count as headings.
 */
export function piecesOfPhoto(words: readonly PhotoWord[]): PdfPiece[] {
  const bottom = Math.max(1, ...words.map(({ y, height }) => y + height));
  const scale = 842 / bottom;
  const heights = words.map(({ height }) => height).toSorted((a, b) => a - b);
  const usual = (heights[Math.floor(heights.length / 2)] ?? 1) * scale;
  return words.map(({ text, x, y, width, height }) => ({
    text,
    x: x * scale,
    y: (bottom - y - height / 2) * scale,
    width: width * scale,
    height: height * scale > usual * 1.4 ? usual * 1.5 : usual,
    isBold: false,
  }));
}
