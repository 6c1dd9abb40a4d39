import type { Db } from '#database/schema.ts';
import { m } from '#messages';
import { profileOf } from '#printing/paper/profiles.ts';
import { mayBeOnPaper } from '#printing/print-rules.ts';
import { banner, blank } from '#printing/receipt/layout.ts';
import type { LastCopy } from '#printing/receipt/order.ts';
import { drawReceipt } from '#printing/server/draw-receipt.ts';
import { isPerhapsSeen, printsOf } from '#printing/server/order-prints.ts';
import { findPrinter, type PrinterRow } from '#printing/server/printer-views.ts';
import type { PrintingServices } from '#printing/server/services.ts';
import type { PrintRow } from '#printing/server/settle.ts';

/** The columns of a print that its paper fills in. */
export type Drawn = Pick<PrintRow, 'source' | 'drawn_at' | 'promised_at'>;

/** A print's paper as it is now. Throws if it has an order that has gone. */
export async function drawPrint(
  db: Db,
  services: Pick<PrintingServices, 'config' | 'menus' | 'orderParts'>,
  print: PrintRow,
  printer: PrinterRow,
  now: Date,
): Promise<Drawn> {
  const columns = profileOf(printer.profile, printer.width_mm)?.columns ?? usualColumns[printer.width_mm];
  const { order_id: orderId, copy, purpose } = print;
  const drawn = { drawn_at: now, promised_at: null };
  if (purpose === 'draft') {
    const source = print.source ?? '';
    return { ...drawn, source: mayBeOnPaper(print) ? marked(source, columns) : source };
  }
  if (purpose !== 'receipt' || orderId === null) return { ...drawn, source: null };
  const root = await rootOf(db, print);
  const owner = root === print || root.printer_id === null ? printer : await findPrinter(db, root.printer_id);
  const since = await lastCopyOf(db, root);
  const receipt = await drawReceipt(
    db,
    services,
    { orderId, copy, ...(owner && { printer: owner }) },
    {
      printedAt: now,
      columns,
      duplicate: mayBeOnPaper(print),
      ...(print.is_reprint && { copyNumber: await copyNumberOf(db, root) }),
      ...(since && { since }),
    },
  );
  if (!receipt) throw new Error(`print ${print.id} has no order to print`);
  return { source: receipt.source, drawn_at: now, promised_at: receipt.promisedAt };
}

const usualColumns: Record<PrinterRow['width_mm'], number> = { 58: 32, 80: 48 };

/** A draft has no order to be drawn from once more. It is marked once, however often it is tried. */
function marked(source: string, columns: number): string {
  const mark = [...banner(m.printing_receipt_possible_duplicate(), columns, ['triple', 'double']), blank].join('\n');
  return source.startsWith(mark) ? source : `${mark}\n${source}`;
}

/** The print that this one is printed for: on another printer, which did not print it. */
async function rootOf(db: Db, print: PrintRow): Promise<PrintRow> {
  let root = print;
  while (root.moved_from_id !== null) {
    const from = await db.selectFrom('prints').selectAll().where('id', '=', root.moved_from_id).executeTakeFirst();
    if (!from) return root;
    root = from;
  }
  return root;
}

/** The number of a copy that somebody asked for, from 2. What was asked for at once counts once. */
async function copyNumberOf(db: Db, { id, order_id: orderId, copy, printer_id: printerId }: PrintRow): Promise<number> {
  const { count } = await db
    .selectFrom('prints')
    .select(({ fn }) => fn.count<string>('trigger').distinct().as('count'))
    .where('order_id', '=', orderId)
    .where('purpose', '=', 'receipt')
    .where('copy', '=', copy)
    .where('printer_id', '=', printerId)
    .where('moved_from_id', 'is', null)
    .where('id', '<=', id)
    .executeTakeFirstOrThrow();
  return Math.max(2, Number(count));
}

/** What the last paper of this copy said where this one comes out, or was to come out; null: there was none. */
async function lastCopyOf(db: Db, root: PrintRow): Promise<LastCopy | null> {
  if (root.order_id === null) return null;
  const prints = await printsOf(db, root.order_id);
  const earlier = prints.filter(
    (print) =>
      print.purpose === 'receipt' &&
      print.copy === root.copy &&
      print.printer_id === root.printer_id &&
      print.moved_from_id === null &&
      print.trigger !== root.trigger &&
      print.created_at < root.created_at &&
      isPerhapsSeen(print, prints),
  );
  const drawn = earlier.flatMap((print) => lineOf(print, prints)).filter(({ drawn_at: at }) => at !== null);
  const last = drawn.toSorted((a, b) => Number(a.drawn_at) - Number(b.drawn_at)).at(-1);
  return last?.drawn_at ? { drawnAt: last.drawn_at, promisedAt: last.promised_at } : null;
}

/** A print and those that took it over. */
function lineOf(print: PrintRow, all: readonly PrintRow[]): PrintRow[] {
  const heir = all.find(({ moved_from_id: id }) => id === print.id);
  return heir ? [print, ...lineOf(heir, all)] : [print];
}
