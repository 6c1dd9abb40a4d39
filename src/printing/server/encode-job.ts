import type { Db } from '#database/schema.ts';
import {
  type PrintJobFormat,
  type PrinterProfile,
  findPrinterProfile,
  testPageCharacters,
  testPageTableRange,
} from '#printing/paper/profiles.ts';
import { supportedPrintJobFormats } from '#printing/printer-formats.ts';
import {
  type EncodedPaper,
  encodeDrawerPulse,
  type EncodeOptions,
  encodePaper,
  encodeReceipt,
} from '#printing/server/encode/encode-receipt.ts';
import type { EncodedJob, PrintJob } from '#printing/server/transport.ts';
import type { ShopCache } from '#shop/server/shop-cache.ts';
import { type PictureSources, readShopPicture } from '#uploads/server/read-picture.ts';
import { toPng } from '#printing/server/draw/drawing.ts';
import {
  codePageBytes,
  type EncodedLetters,
  logoBitmap,
  type Pictures,
  type PreparedRow,
} from '#printing/server/encode/prepare-rows.ts';
import type { ReceiptStore } from '#printing/receipt/order.ts';
import type { PreviewPicture } from '#printing/server/render-receipt.ts';
import { m } from '#messages';
import { bannerRows, blankRow, centredRows, leftAlignedRows, ruleRow } from '#printing/receipt/layout.ts';
import { parseReceiptSource } from '#printing/server/encode/read-paper.ts';

/** Encodes a job for its printer, in `format` or else in the transport's best format. */
export type EncodeJob = (job: PrintJob, format?: PrintJobFormat) => Promise<EncodedJob>;

/** Creates the encoder, which throws for a job that cannot be encoded at all, or not in the given format. */
export function createEncoder(services: PictureSources & { db: Db; menus: Pick<ShopCache, 'store'> }): EncodeJob {
  return async (job, format) => {
    const { printer } = job;
    const profile = findPrinterProfile(printer.profile, printer.width_mm);
    if (!profile) throw new Error(`there is no profile ${printer.profile}`);
    const [best] = supportedPrintJobFormats(printer.kind, profile);
    const chosen = format ?? best;
    if (!chosen) throw new Error(`${printer.profile} cannot print by ${printer.kind}`);
    const options = { format: chosen, opensDrawer: job.opensDrawer, sounds: job.soundsBuzzer };
    const encode = async (): Promise<EncodedPaper> => {
      if (job.purpose === 'drawer') return encodeDrawerPulse(profile, options);
      if (job.purpose === 'test') return encodeTestPage(printer.name, profile, options);
      const shop = await services.menus.store(services.db, printer.store_id);
      const pictures = shop ? await receiptPictures(shop.store, services) : {};
      return encodeReceipt(job.source ?? '', profile, { ...options, pictures });
    };
    return { ...job, ...(await encode()) };
  };
}

/** The pictures of a store's receipts, as files. An unreadable logo is left out. */
export async function receiptPictures(
  { logo }: Pick<ReceiptStore, 'logo'>,
  sources: PictureSources,
): Promise<Pictures> {
  const file = await readShopPicture(logo, sources);
  return file ? { logo: file } : {};
}

/** Renders the pictures for a screen, as they look on paper that is `dots` wide. */
export async function renderPreviewPictures(pictures: Pictures, dots: number): Promise<Record<string, PreviewPicture>> {
  const shown: Record<string, PreviewPicture> = {};
  for (const [name, file] of Object.entries(pictures)) {
    const bitmap = await logoBitmap(file, dots);
    if (!bitmap) continue;
    const { width, height } = bitmap;
    shown[name] = { href: `data:image/png;base64,${(await toPng(bitmap)).toString('base64')}`, width, height };
  }
  return shown;
}

/**
 * Encodes a test page with the printer's name, the paper's width and sample letters. It prints £, é and ł in each
 * character table, so that an owner finds the right tables.
 */
export async function encodeTestPage(
  name: string,
  profile: PrinterProfile,
  options: EncodeOptions = {},
): Promise<EncodedPaper> {
  const { columns } = profile;
  const digits = Array.from({ length: columns }, (_, index) => String((index + 1) % 10)).join('');
  const source = [
    ...bannerRows(m.printing_test_page(), columns, ['triple', 'double']),
    blankRow,
    ...centredRows(name, columns, { size: 'tall', bold: true }),
    ...centredRows(m.printing_test_page_profile({ profile: `${profile.brand} ${profile.models}` }), columns),
    blankRow,
    ...leftAlignedRows(m.printing_test_page_width(), columns),
    ...leftAlignedRows(digits, columns),
    ruleRow,
    ...leftAlignedRows(m.printing_test_page_letters(), columns),
    ...leftAlignedRows('£9.50 €5 crème jalapeño Łódź', columns, { size: 'tall', bold: true }),
    ...leftAlignedRows('Ελλάδα Київ 陳大文 محمد', columns, { size: 'tall' }),
    ruleRow,
    ...leftAlignedRows(m.printing_test_page_tables(), columns),
  ].join('\n');
  return encodePaper(parseReceiptSource(source, columns), profile, options, tables());
}

/**
 * The test page's rows, one for each table number. A row has, for each encoding, a name such as `16B` and the test
 * characters in that encoding.
 */
function tables(): PreparedRow[] {
  const rows: PreparedRow[] = [];
  for (let number = testPageTableRange.from; number <= testPageTableRange.to; number += 1) {
    const pieces = testPageCharacters.flatMap(({ letter, table, text }, index): EncodedLetters[] => {
      const bytes = Array.from(text, (sign) => codePageBytes(table).get(sign) ?? sign.charCodeAt(0));
      const column = index * 8;
      return [
        letters(column, [{ page: null, bytes: [...Buffer.from(`${number}${letter}`)] }], true),
        letters(column + 4, [{ page: number, bytes }], false),
      ];
    });
    rows.push({ kind: 'letters', pieces, height: 1 });
  }
  return rows;
}

function letters(column: number, parts: EncodedLetters['parts'], bold: boolean): EncodedLetters {
  return { at: column * 12, look: { bold, underlined: false, inverted: false, across: 1, down: 1 }, parts };
}
