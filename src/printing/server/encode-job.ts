import type { Db } from '#database/schema.ts';
import { type PaperFormat, profileOf } from '#printing/paper/profiles.ts';
import { formatsFor } from '#printing/printer-formats.ts';
import { type Encoded, encodeDrawerPulse, encodeReceipt } from '#printing/server/encode/encode-receipt.ts';
import { encodeTestPage } from '#printing/server/encode/test-page.ts';
import type { EncodedJob, PrintJob } from '#printing/server/transport.ts';
import type { ShopCache } from '#shop/server/shop-cache.ts';
import { type PictureSources, readPicture } from '#uploads/server/read-picture.ts';
import { toPng } from '#printing/server/draw/drawing.ts';
import { logoBitmap, type Pictures } from '#printing/server/encode/prepare.ts';
import type { ReceiptStore } from '#printing/receipt/order.ts';
import type { ShownPicture } from '#printing/server/render-receipt.ts';

/** Encodes jobs for their printers: in the best form for the way there, or in `format`. */
export type EncodeJob = (job: PrintJob, format?: PaperFormat) => Promise<EncodedJob>;

/** Its calls throw if a job cannot be made, or not in that form. */
export function createEncoder(services: PictureSources & { db: Db; menus: Pick<ShopCache, 'store'> }): EncodeJob {
  return async (job, format) => {
    const { printer } = job;
    const profile = profileOf(printer.profile, printer.width_mm);
    if (!profile) throw new Error(`there is no profile ${printer.profile}`);
    const [best] = formatsFor(printer.kind, profile);
    const chosen = format ?? best;
    if (!chosen) throw new Error(`${printer.profile} cannot print by ${printer.kind}`);
    const options = { format: chosen, opensDrawer: job.opensDrawer, sounds: job.soundsBuzzer };
    const encode = async (): Promise<Encoded> => {
      if (job.purpose === 'drawer') return encodeDrawerPulse(profile, options);
      if (job.purpose === 'test') return encodeTestPage(printer.name, profile, options);
      const shop = await services.menus.store(services.db, printer.store_id);
      const pictures = shop ? await receiptPictures(shop.store, services) : {};
      return encodeReceipt(job.source ?? '', profile, { ...options, pictures });
    };
    return { ...job, ...(await encode()) };
  };
}

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
