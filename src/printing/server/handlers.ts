import { m } from '#messages';
import type { Db, Tx } from '#database/schema.ts';
import { PrintCopy } from '#ordering/print.ts';
import type { printerEndpoints, printingEndpoints, Printing, ReceiptPreviewQuery } from '#printing/contract.ts';
import { claimPrint, markPrintRead, recordPrintResult, recordPrinterReport } from '#printing/server/device-calls.ts';
import {
  drawCopies,
  findOrderForStaff,
  printDraft,
  printReceipt,
  printTest,
  refuseOtherStoresStaff,
} from '#printing/server/print-calls.ts';
import { readPrintPreviews, readPrints, renderPaper } from '#printing/server/print-views.ts';
import {
  addPrinter,
  changePrinter,
  listPrinters,
  refuseInvalidPrinter,
  removePrinter,
  rotatePrinterSecret,
  announcePrinterChange,
} from '#printing/server/printer-calls.ts';
import type { PrintingServices } from '#printing/server/services.ts';
import { AppError } from '#platform/errors.ts';
import type { HandlerInput, Handlers } from '#platform/http/serve.ts';
import { sql } from 'kysely';
import { readPage } from '#database/read-page.ts';
import { openOrdersSql, orderSummariesSql } from '#ordering/server/order-views.ts';
import { presentPrinter, readStorePrinters } from '#printing/server/printer-views.ts';
import { printerOutboxEntry } from '#printing/server/print-events.ts';
import { customerReceipt, kitchenReceipt } from '#printing/receipt/receipt.ts';
import { receiptOrderOfBasket, type ReceiptStore } from '#printing/receipt/order.ts';
import { receiptPictures, renderPreviewPictures } from '#printing/server/encode-job.ts';
import { renderReceipt, type PreviewPicture } from '#printing/server/render-receipt.ts';
import type { Shop } from '#shop/server/shop-cache.ts';
import type { PictureSources } from '#uploads/server/read-picture.ts';
import { quoteOnServer } from '#ordering/server/new-order.ts';

export function printingHandlers(
  services: Omit<PrintingServices, 'clock'>,
): Handlers<typeof printingEndpoints, Db, Tx> {
  const { config, menus } = services;
  return {
    'GET /v1/printers': (call) => listPrinters(services, call),
    'POST /v1/printers': (call) => addPrinter(services, call),
    'PATCH /v1/printers/{id}': (call) => changePrinter(services, call),
    'DELETE /v1/printers/{id}': (call) => removePrinter(services, call),
    'POST /v1/printers/{id}/restore': (call) => restorePrinter(services, call),
    'POST /v1/printers/{id}/report': (call) => recordPrinterReport(services, call),
    'POST /v1/printers/{id}/test': (call) => printTest(services, call),
    'POST /v1/printers/{id}/rotate-secret': (call) => rotatePrinterSecret(services, call),

    'GET /v1/prints': (call) => listPrints(call),
    'POST /v1/prints/claim': (call) => claimPrint(services, call),
    'POST /v1/prints/{id}/result': (call) => recordPrintResult(services, call),
    'POST /v1/prints/{id}/read': (call) => markPrintRead(services, call),

    'POST /v1/orders/{id}/print-receipt': (call) => printReceipt(services, call),
    'POST /v1/orders/print-temp-order': (call) => printDraft(services, call),

    'GET /v1/stores/{id}/receipt-preview': async ({ db, params, query, now }) => {
      const shop = await menus.find(params.id);
      if (!shop) throw new AppError('not_found', m.store_not_found());
      return { data: await previewReceipt(db, services, shop, query, now) };
    },

    'GET /v1/stores/{id}/printing': async ({ db, params, viewer, now }) => {
      const known = await menus.store(db, params.id);
      if (!known) throw new AppError('not_found', m.store_not_found());
      refuseOtherStoresStaff(viewer, known.store.id);
      return { data: await printingOf(db, known.store.id, config, now) };
    },

    'GET /v1/orders/{id}/receipts': async (call) => {
      const order = await findOrderForStaff(call);
      const drawn = await drawCopies(services, call, order.id, PrintCopy.options);
      return { data: PrintCopy.options.map((copy) => ({ copy, ...renderPaper(drawn[copy] ?? '') })) };
    },

    'GET /v1/prints/{id}': async ({ db, params, viewer }) => {
      const [print] = await readPrintPreviews(db, [params.id]);
      if (!print) throw new AppError('not_found', m.printing_not_found());
      refuseOtherStoresStaff(viewer, print.store_id);
      return { data: print };
    },

    'GET /v1/orders/{id}/prints': async (call) => {
      const { id } = await findOrderForStaff(call);
      const prints = call.db.selectFrom('prints').select('id').where('order_id', '=', id);
      const rows = await prints.where('purpose', '=', 'receipt').orderBy('created_at').orderBy('id').execute();
      return {
        data: await readPrintPreviews(
          call.db,
          rows.map((row) => row.id),
        ),
      };
    },
  };
}

async function listPrints({ db, query }: HandlerInput<typeof printerEndpoints, 'GET /v1/prints', Db, Tx>) {
  let prints = db.selectFrom('prints').select(['id', 'order_id']);
  if (query.store_id !== undefined) prints = prints.where('store_id', '=', query.store_id);
  if (query.printer_id !== undefined) prints = prints.where('printer_id', '=', query.printer_id);
  return readPage(
    db,
    '/v1/prints',
    query,
    prints.orderBy('created_at', 'desc').orderBy('id', 'desc').$castTo<{ id: string; order_id: string | null }>(),
    async (rows) => {
      const numbers = await numbersOf(db, rows);
      const shown = await readPrints(
        db,
        rows.map(({ id }) => id),
      );
      return shown.map((print) => ({ ...print, order_number: numbers.get(print.order_id ?? '') ?? null }));
    },
  );
}

async function numbersOf(db: Db, prints: readonly { order_id: string | null }[]): Promise<Map<string, string>> {
  const ids = [...new Set(prints.flatMap(({ order_id: id }) => id ?? []))];
  if (ids.length === 0) return new Map();
  const { rows } = await sql<{ id: string; number: number }>`
    select o.id, o.number from ${orderSummariesSql} o where o.id = any(${ids}::uuid[])`.execute(db);
  return new Map(rows.map(({ id, number }) => [id, String(number)]));
}

/** For how long the board shows an unread receipt (h). */
const shownFor = 12;

async function printingOf(db: Db, storeId: string, config: { publicUrl: string }, now: Date): Promise<Printing> {
  const printers = await readStorePrinters(db, storeId);
  return {
    has_printer: printers.length > 0,
    printers: printers.map((row) => presentPrinter(row, config)),
    unread: await readPrints(db, await findUnreadPrints(db, storeId, now)),
  };
}

/**
 * Finds receipts of open orders that staff must look at, oldest first: failed, expired, perhaps not printed, or waiting
 * for a printer with a fault. Excludes receipts that were moved, read or printed again, and kitchen receipts of packed
 * orders.
 */
export async function findUnreadPrints(db: Db, storeId: string, now: Date): Promise<string[]> {
  const { rows } = await sql<{ id: string }>`
    select p.id from prints p
    join ${openOrdersSql} o on o.id = p.order_id
    left join printers of_print on of_print.id = p.printer_id
    where p.store_id = ${storeId} and p.created_at > ${now}::timestamptz - make_interval(hours => ${shownFor})
      and p.purpose = 'receipt' and p.read_at is null and (p.copy = 'customer' or o.is_in_kitchen)
      and (p.status in ('failed', 'unknown', 'expired')
        or (p.status = 'queued' and p.due_at <= ${now} and of_print.fault is not null))
      and p.printer_id is not null
      and not exists (select from prints heir where heir.moved_from_id = p.id)
      and not exists (
        select from prints again
        where again.order_id = p.order_id and again.copy = p.copy and again.purpose = 'receipt'
          and again.created_at > p.created_at and again.trigger is distinct from p.trigger
          and (again.status = 'printed' or (again.status = 'sent' and again.ended_at is not null)))
    order by p.created_at, p.id
    limit 100`.execute(db);
  return rows.map(({ id }) => id);
}

type Services = Pick<PrintingServices, 'config' | 'outbox' | 'printers'>;

/** Restores a removed printer. Prints that were given up at its removal stay given up. */
async function restorePrinter(
  services: Services,
  call: HandlerInput<typeof printerEndpoints, 'POST /v1/printers/{id}/restore', Db, Tx>,
) {
  const { db, params, body } = call;
  const row = await db.selectFrom('printers').selectAll().where('id', '=', params.id).forUpdate().executeTakeFirst();
  if (!row) throw new AppError('not_found', m.printing_printer_not_found());
  if (row.deleted_at === null) throw new AppError('conflict', m.printing_not_removed());
  const backup = row.backup_printer_id && (await findBackup(db, row.backup_printer_id));
  await refuseInvalidPrinter(db, { ...row, backup_printer_id: backup ? row.backup_printer_id : null });
  const printer = await db
    .updateTable('printers')
    // The printer's stored state is reset, because it may be stale; its next report sets it.
    .set({
      deleted_at: null,
      backup_printer_id: backup ? row.backup_printer_id : null,
      last_seen_at: null,
      fault: null,
    })
    .where('id', '=', row.id)
    .returningAll()
    .executeTakeFirstOrThrow();
  const followers = await db
    .updateTable('printers')
    .set({ backup_printer_id: row.id })
    .where('id', 'in', [...body.backup_of, row.id])
    .where('id', '!=', row.id)
    .where('store_id', '=', row.store_id)
    .where('deleted_at', 'is', null)
    .returning('id')
    .execute();
  for (const { id } of followers) await services.outbox.add(db, printerOutboxEntry(row.store_id, id));
  return { data: await announcePrinterChange(services, call, printer) };
}

async function findBackup(db: Tx, id: string): Promise<boolean> {
  const row = await db.selectFrom('printers').select('deleted_at').where('id', '=', id).executeTakeFirst();
  return row !== undefined && row.deleted_at === null;
}

const dishes = 3;
/** The width of the preview's paper in dots, for 80 mm. */
const paperDots = 576;
/** A sample logo for a shop without one, so that the setting for the logo changes the preview. */
const placeholder: PreviewPicture = {
  href: `data:image/svg+xml,${encodeURIComponent(
    '<svg xmlns="http://www.w3.org/2000/svg" width="280" height="110"><rect x="2" y="2" width="276" height="106" rx="12" fill="none" stroke="#000" stroke-width="3" stroke-dasharray="10 8"/></svg>',
  )}`,
  width: 280,
  height: 110,
};

type PreviewReceiptServices = PictureSources & Pick<PrintingServices, 'config'>;

/**
 * Previews a receipt with unsaved settings, as picture and text. The sample order has the menu's first dishes. A
 * delivery goes to an address in the shop's own town.
 */
async function previewReceipt(
  db: Db,
  services: PreviewReceiptServices,
  shop: Shop,
  { copy, fulfilment_type: type, vat_number: vatNumber, ...words }: ReceiptPreviewQuery,
  now: Date,
): Promise<{ svg: string; text: string }> {
  const { store } = shop;
  const items = shop.menus.flatMap(({ categories }) => categories.flatMap(({ items: own }) => own ?? []));
  const basket = {
    store_id: store.id,
    fulfilment_type: type,
    requested_for: null,
    note: '',
    allergy_note: '',
    tip: 0,
    lines: items.slice(0, dishes).map(({ id }) => ({ item_id: id, quantity: 1, note: '', options: [] })),
    ...(type === 'delivery' && { address: sampleAddress(store.address) }),
  };
  const draft = receiptOrderOfBasket(basket, await quoteOnServer(db, shop, basket, now));
  const changed: ReceiptStore = {
    ...store,
    vat_number: vatNumber === undefined ? store.vat_number : vatNumber || null,
    receipt_header: words.receipt_header ?? store.receipt_header,
    receipt_footer: words.receipt_footer ?? store.receipt_footer,
    receipt_kitchen_size: words.receipt_kitchen_size ?? store.receipt_kitchen_size,
    receipt_customer_size: words.receipt_customer_size ?? store.receipt_customer_size,
    receipt_shows_logo: isYes(words.receipt_shows_logo, store.receipt_shows_logo),
    receipt_shows_map_code: isYes(words.receipt_shows_map_code, store.receipt_shows_map_code),
    receipt_shows_order_code: isYes(words.receipt_shows_order_code, store.receipt_shows_order_code),
  };
  const receipt = copy === 'kitchen' ? kitchenReceipt : customerReceipt;
  const orderUrl = `${services.config.publicUrl}/orders/sample`;
  const source = receipt(draft, { ...changed, logo: store.logo ?? '' }, { printedAt: now, notAnOrder: true, orderUrl });
  const shown = await renderPreviewPictures(await receiptPictures(changed, services), paperDots);
  const pictures = { ...(store.logo === null && { logo: placeholder }), ...shown };
  return { svg: renderReceipt(source, { format: 'svg', pictures }), text: renderReceipt(source, { format: 'text' }) };
}

/** A sample address in the shop's postcode, so that a delivery fee is shown if the shop delivers there. */
function sampleAddress({ line1, city, postcode }: ReceiptStore['address']) {
  return { line1: line1 || m.printing_preview_street(), line2: '', city, postcode, instructions: '' };
}

function isYes(word: 'true' | 'false' | undefined, saved: boolean): boolean {
  return word === undefined ? saved : word === 'true';
}
