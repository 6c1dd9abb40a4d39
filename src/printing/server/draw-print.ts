import type { Db } from '#database/schema.ts';
import { m } from '#messages';
import { findPrinterProfile } from '#printing/paper/profiles.ts';
import { isSlipPurpose, mayBePrintedAlready } from '#printing/print-rules.ts';
import { bannerRows, blankRow } from '#printing/receipt/layout.ts';
import type { LastPrintedCopy, ReceiptOptions, ReceiptOrder } from '#printing/receipt/order.ts';
import {
  mayPrintHaveBeenRead,
  findLastPaperWithPromise,
  readPrintsOfOrder,
  originalPrintOf,
} from '#printing/server/order-prints.ts';
import { findPrinter, type PrinterRow, readStorePrinters } from '#printing/server/printer-views.ts';
import type { PrintingServices } from '#printing/server/services.ts';
import type { PrintRow } from '#printing/server/apply-print-event.ts';
import { countDishesOfOtherStations, linesForPrinter, removedLinesForPrinter } from '#printing/copies.ts';
import { isCalledOff } from '#ordering/order-status.ts';
import type { Order } from '#ordering/order.ts';
import { historyReasonWords } from '#ordering/history-words.ts';
import type { PrintCopy } from '#ordering/print.ts';
import { loadOrders, presentOrder } from '#ordering/server/present-order.ts';
import {
  type CancellationDetails,
  cancellationSlip,
  customerReceipt,
  kitchenReceipt,
  promiseSlip,
} from '#printing/receipt/receipt.ts';

export type DrawnPrintColumns = Pick<PrintRow, 'source' | 'drawn_at' | 'promised_at'>;

/**
 * Draws the paper of a print. A receipt or slip is drawn from the current order; throws if the order is missing. A
 * draft keeps its stored source. A test page or drawer pulse has no source.
 */
export async function drawPrint(
  db: Db,
  services: Pick<PrintingServices, 'config' | 'menus' | 'orderParts'>,
  print: PrintRow,
  printer: PrinterRow,
  now: Date,
): Promise<DrawnPrintColumns> {
  const columns = findPrinterProfile(printer.profile, printer.width_mm)?.columns ?? usualColumns[printer.width_mm];
  const { order_id: orderId, copy, purpose } = print;
  const drawn = { drawn_at: now, promised_at: null };
  if (purpose === 'draft') {
    const source = print.source ?? '';
    return { ...drawn, source: mayBePrintedAlready(print) ? marked(source, columns) : source };
  }
  if (orderId === null || purpose === 'test' || purpose === 'drawer') return { ...drawn, source: null };
  const prints = await readPrintsOfOrder(db, orderId);
  const root = originalPrintOf(print, prints);
  const owner = (await ownerOf(db, root, printer)) ?? printer;
  const options = { printedAt: now, columns, duplicate: mayBePrintedAlready(print) };
  if (isSlipPurpose(purpose)) {
    const before = prints.filter(({ trigger }) => trigger !== print.trigger);
    const since = saidBy(findLastPaperWithPromise(before, root.printer_id));
    return made(
      print,
      await drawSlip(db, services, { orderId, purpose, printer: owner }, { ...options, ...since }),
      now,
    );
  }
  const more = {
    ...(print.is_reprint && { copyNumber: copyNumberOf(root, prints) }),
    ...saidBy(lastCopyOf(root, prints)),
  };
  return made(print, await drawReceipt(db, services, { orderId, copy, printer: owner }, { ...options, ...more }), now);
}

/**
 * Finds the printer to which the print was first assigned. `printer` prints the paper now, and may be a backup of the
 * first printer.
 */
async function ownerOf(db: Db, root: PrintRow, printer: PrinterRow): Promise<PrinterRow | undefined> {
  return root.printer_id === null || root.printer_id === printer.id ? printer : findPrinter(db, root.printer_id);
}

function made({ id }: PrintRow, paper: DrawnReceipt | null, now: Date): DrawnPrintColumns {
  if (!paper) throw new Error(`print ${id} has no order to print`);
  return { source: paper.source, drawn_at: now, promised_at: paper.promisedAt };
}

const usualColumns: Record<PrinterRow['width_mm'], number> = { 58: 32, 80: 48 };

/**
 * Adds the mark POSSIBLE DUPLICATE to the stored source of a draft (an unsaved basket), because without an order the
 * source cannot be drawn again. A retry adds no second mark.
 */
function marked(source: string, columns: number): string {
  const mark = [...bannerRows(m.printing_receipt_possible_duplicate(), columns, ['triple', 'double']), blankRow].join(
    '\n',
  );
  return source.startsWith(mark) ? source : `${mark}\n${source}`;
}

/** The number of a reprint, from 2. All prints of one request share the number. */
function copyNumberOf({ id, copy, printer_id: printerId }: PrintRow, prints: readonly PrintRow[]): number {
  const own = prints.filter(
    (print) =>
      print.purpose === 'receipt' &&
      print.copy === copy &&
      print.printer_id === printerId &&
      print.moved_from_id === null &&
      print.id <= id,
  );
  return Math.max(2, new Set(own.map(({ trigger }) => trigger)).size);
}

/**
 * Returns the newest paper of the same receipt from an earlier request; undefined: none. The paper is from the print's
 * first printer, or from a backup that took the print over.
 */
function lastCopyOf(root: PrintRow, prints: readonly PrintRow[]): PrintRow | undefined {
  const earlier = prints.filter(
    (print) =>
      print.purpose === 'receipt' &&
      print.copy === root.copy &&
      print.printer_id === root.printer_id &&
      print.moved_from_id === null &&
      print.trigger !== root.trigger &&
      print.created_at < root.created_at &&
      mayPrintHaveBeenRead(print, prints),
  );
  const drawn = earlier.flatMap((print) => lineOf(print, prints)).filter(({ drawn_at: at }) => at !== null);
  return drawn.toSorted((a, b) => Number(a.drawn_at) - Number(b.drawn_at)).at(-1);
}

function saidBy(paper: PrintRow | undefined): { since?: LastPrintedCopy } {
  return paper?.drawn_at ? { since: { drawnAt: paper.drawn_at, promisedAt: paper.promised_at } } : {};
}

function lineOf(print: PrintRow, all: readonly PrintRow[]): PrintRow[] {
  const heir = all.find(({ moved_from_id: id }) => id === print.id);
  return heir ? [print, ...lineOf(heir, all)] : [print];
}

type Services = Pick<PrintingServices, 'config' | 'menus' | 'orderParts'>;

interface DrawnReceipt {
  source: string;
  promisedAt: Date | null;
}

/**
 * Draws the receiptline source of an order's kitchen or customer receipt from the current order; null if the order is
 * missing.
 */
export async function drawReceipt(
  db: Db,
  services: Services,
  /** `printer`: its stations select the dishes of a kitchen receipt; without a printer all dishes are shown. */
  { orderId, copy, printer }: { orderId: string; copy: PrintCopy; printer?: PrinterRow },
  drawn: ReceiptOptions,
): Promise<DrawnReceipt | null> {
  const loaded = await load(db, services, orderId, drawn.printedAt);
  if (!loaded) return null;
  const { order, store, promisedAt } = loaded;
  const { APP_URL: appUrl, publicUrl } = services.config;
  // Without APP_URL the link would contain this machine's name, which is useless to customers.
  const options = { ...drawn, ...(appUrl !== undefined && { orderUrl: `${publicUrl}/orders/${orderId}` }) };
  if (copy === 'customer') return { source: customerReceipt(order, store, options), promisedAt };
  const shown = printer ? await partFor(db, printer, order) : order;
  return { source: kitchenReceipt(shown, store, options), promisedAt };
}

/**
 * Draws the receiptline source of a slip; null if the order is missing. A slip tells staff about a change that came
 * after the printed receipt.
 */
async function drawSlip(
  db: Db,
  services: Services,
  { orderId, purpose, printer }: { orderId: string; purpose: 'cancellation' | 'promise'; printer: PrinterRow },
  drawn: ReceiptOptions,
): Promise<DrawnReceipt | null> {
  const loaded = await load(db, services, orderId, drawn.printedAt);
  if (!loaded) return null;
  const { order, store, promisedAt } = loaded;
  if (purpose === 'promise') return { source: promiseSlip(order, store, drawn), promisedAt };
  const part = await partFor(db, printer, order);
  // The order may have no dish for the printer's stations, for example at a backup printer. The slip then shows all
  // dishes.
  const shown = part.lines.length > 0 ? part : order;
  return { source: cancellationSlip(shown, store, drawn, calledOffIn(order, drawn.printedAt)), promisedAt };
}

async function load(db: Db, services: Services, orderId: string, now: Date) {
  const [found] = await loadOrders(db, services.orderParts, [orderId]);
  const shop = found && (await services.menus.store(db, found.row.store_id));
  if (!shop) return null;
  const order = presentOrder(found, 'system', now, { withSession: false, readerId: null });
  return { order, store: shop.store, promisedAt: found.row.promised_at };
}

async function partFor(db: Db, printer: PrinterRow, order: Order): Promise<ReceiptOrder> {
  const printers = await readStorePrinters(db, printer.store_id);
  const lines = linesForPrinter(printer, printers, order);
  const removed = removedLinesForPrinter(printer, printers, order, order.removed);
  return { ...order, lines, removed, elsewhere: countDishesOfOtherStations(order.lines, lines) };
}

function calledOffIn({ history }: Order, now: Date): CancellationDetails {
  const step = history.findLast(({ from, to }) => isCalledOff(to) && from !== to);
  return { from: step?.from ?? null, at: step?.at ?? now, reason: step ? historyReasonWords(step) : null };
}
