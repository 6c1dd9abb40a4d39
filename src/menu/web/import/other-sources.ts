import { draftOfText } from '#menu/import/draft.ts';
import { linesOfPdf, piecesOfPhoto } from '#menu/import/read-pdf.ts';
import { dishesOfText } from '#menu/import/read-text.ts';
import { type MenuSource, readMenuFile } from '#menu/web/import/read-file.ts';
import { readingOfDraft } from '#menu/web/import/read-menu.ts';
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
      return readingOfDraft(draftOfText(dishesOfText(linesOfPdf([piecesOfPhoto(data)]), currency, false)));
    },
  };
}
