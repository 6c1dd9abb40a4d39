import { draftOf } from '#menu/import/draft.ts';
import { linesOfPdf, type PdfPiece } from '#menu/import/read-pdf.ts';
import { dishesOfText } from '#menu/import/read-text.ts';
import { type MenuSource, readMenuFile } from '#menu/web/import/read-file.ts';
import { withoutSheets } from '#menu/web/import/read-menu.ts';
import { api } from '#platform/web/api.ts';
import { shrinkPicture } from '#uploads/web/shrink-picture.ts';
import { sendFile } from '#uploads/web/upload-picture.ts';
import type { PhotoWord } from '#menu/contract.ts';

/** The server fetches the page, because a browser may not read other websites. */
export async function fetchMenuPage(url: string, currency: string): Promise<MenuSource> {
  const { type, content } = (await api('POST /v1/menu-pages', { url })).data;
  const bytes = Uint8Array.from(atob(content), (sign) => sign.charCodeAt(0));
  const ending = { html: '.html', pdf: '.pdf', table: '' }[type];
  const name = url.replace(/^https?:\/\//, '').replace(/\/$/, '');
  return { name, bytes, read: (own) => readMenuFile(own, name + ending, currency) };
}

/** The longest side of a photo that is sent, in pixels; small print is readable at this size. */
const longestSide = 2400;

/** Sends a photo upright and no larger than needed; the server reads its words. */
export async function readMenuPhoto(file: File, currency: string): Promise<MenuSource> {
  const bytes = new Uint8Array(await file.arrayBuffer());
  return {
    name: file.name,
    bytes,
    read: async () => {
      const data = await sendFile<PhotoWord[]>('/v1/menu-photos', await shrinkPicture(file, longestSide));
      return withoutSheets(draftOf(dishesOfText(linesOfPdf([piecesOfPhoto(data)]), currency, false)));
    },
  };
}

/**
 * The words as pieces of a page as high as an A4 page, because gaps are measured in points. Heights of words depend on
 * their letters, so only much higher ones count as headings.
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
