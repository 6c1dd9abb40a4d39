import { toPng } from '#printing/server/draw/drawing.ts';
import { logoBitmap, type Pictures } from '#printing/server/encode/prepare.ts';
import type { ReceiptStore } from '#printing/receipt/order.ts';
import type { ShownPicture } from '#printing/server/render-receipt-svg.ts';
import { type PictureSources, readPicture } from '#uploads/server/read-picture.ts';

/** The pictures that a store's receipts name, as files. A logo that cannot be read is left out. */
export async function receiptPictures(
  { logo }: Pick<ReceiptStore, 'logo'>,
  sources: PictureSources,
): Promise<Pictures> {
  const file = await readPicture(logo, sources);
  return file ? { logo: file } : {};
}

/** The same as they are printed on paper of so many dots, for a screen. */
export async function shownPictures(pictures: Pictures, dots: number): Promise<Record<string, ShownPicture>> {
  const shown: Record<string, ShownPicture> = {};
  for (const [name, file] of Object.entries(pictures)) {
    const bitmap = await logoBitmap(file, dots);
    if (!bitmap) continue;
    const { width, height } = bitmap;
    shown[name] = { href: `data:image/png;base64,${(await toPng(bitmap)).toString('base64')}`, width, height };
  }
  return shown;
}
