import type { Db } from '#database/schema.ts';
import type { PaperFormat } from '#printing/paper/printer-profile.ts';
import { profileOf } from '#printing/paper/profiles.ts';
import { formatsFor } from '#printing/printer-formats.ts';
import { encodeDrawerPulse, type Encoded, encodeReceipt } from '#printing/server/encode/encode-receipt.ts';
import { encodeTestPage } from '#printing/server/encode/test-page.ts';
import { receiptPictures } from '#printing/server/receipt-pictures.ts';
import type { EncodedJob, PrintJob } from '#printing/server/transport.ts';
import type { ShopCache } from '#shop/server/shop-cache.ts';
import type { PictureSources } from '#uploads/server/read-picture.ts';

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
