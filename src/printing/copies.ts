import type { OrderChannel } from '#ordering/order.ts';
import { stationsOf } from '#ordering/order-words.ts';
import type { PrintCopy } from '#ordering/print.ts';
import type { OtherStationCount } from '#printing/receipt/order.ts';
import type { FulfilmentType } from '#store/contract.ts';

/**
 * The settings that decide which receipts (`PrintCopy`) a printer prints. Functions that take several printers expect
 * the oldest printer first.
 */
export interface PrinterCopySettings {
  id: string;
  receipts: readonly PrintCopy[];
  stations: readonly string[];
  fulfilment_types: readonly FulfilmentType[];
  channels: readonly OrderChannel[];
  copies: number;
  opens_drawer: boolean;
}

interface StationLine {
  station?: string | null | undefined;
  options?: readonly { item_id?: string | undefined; station?: string | null | undefined }[] | undefined;
}

type CountedLine = StationLine & { quantity: number };

export interface OrderPrintRoutingFields {
  fulfilment_type: FulfilmentType;
  channel: OrderChannel;
  lines: readonly StationLine[];
}

export interface RequestedCopy {
  copy: PrintCopy;
  printerId: string;
  /** The number of this paper, from 1 to the printer's setting `copies`. */
  nth: number;
}

/**
 * The receipts that a print call requests. `both` requests the kitchen and the customer receipt, and overrides
 * `printType`.
 */
export function copiesOfPrintCall(printType: PrintCopy, both = false): PrintCopy[] {
  return both ? ['kitchen', 'customer'] : [printType];
}

/**
 * The receipts that are printed automatically for an accepted order. A printer prints no kitchen receipt if all dishes
 * of the order belong to other printers.
 */
export function copiesOnAccept(
  order: OrderPrintRoutingFields,
  printers: readonly PrinterCopySettings[],
): RequestedCopy[] {
  return printers
    .filter((printer) => isFor(printer, order))
    .flatMap((printer) =>
      printer.receipts
        .filter((copy) => copy === 'customer' || linesForPrinter(printer, printers, order).length > 0)
        .flatMap((copy) => timesOf(printer).map((nth) => ({ copy, printerId: printer.id, nth }))),
    );
}

/**
 * Returns the requested receipts, each with one paper on each of its printers. A receipt goes to the printers that
 * print this receipt and whose settings match the order. If none matches, it goes to all printers that print this
 * receipt, or else to the first printer. A kitchen receipt skips printers that have no dish of the order. If all would
 * be skipped, the first of them prints it.
 */
export function requestedCopies(
  order: OrderPrintRoutingFields,
  copies: readonly PrintCopy[],
  printers: readonly PrinterCopySettings[],
): RequestedCopy[] {
  return copies.flatMap((copy) => {
    const able = printers.filter(({ receipts }) => receipts.includes(copy));
    const own = able.filter((printer) => isFor(printer, order));
    const chosen = own.length > 0 ? own : able.length > 0 ? able : printers.slice(0, 1);
    const busy = chosen.filter(
      (printer) => copy === 'customer' || linesForPrinter(printer, printers, order).length > 0,
    );
    return (busy.length > 0 ? busy : chosen.slice(0, 1)).map(({ id }) => ({ copy, printerId: id, nth: 1 }));
  });
}

/** The printer that opens the cash drawer after a cash payment; null if no printer opens one. */
export function findDrawerPrinter(
  order: OrderPrintRoutingFields,
  printers: readonly PrinterCopySettings[],
): string | null {
  return printers.find((printer) => printer.opens_drawer && isFor(printer, order))?.id ?? null;
}

/**
 * The lines of an order that a printer's kitchen receipt shows. A dish whose station has no printer is printed by the
 * printers with an empty `stations`, or else by the first printer.
 */
export function linesForPrinter<Line extends StationLine>(
  printer: PrinterCopySettings,
  printers: readonly PrinterCopySettings[],
  order: Omit<OrderPrintRoutingFields, 'lines'> & { lines: readonly Line[] },
): readonly Line[] {
  if (printer.stations.length === 0) return order.lines;
  const kitchen = printers.filter((other) => other.receipts.includes('kitchen') && isFor(other, order));
  const hasAll = kitchen.some(({ stations }) => stations.length === 0);
  const takesRest = !hasAll && (kitchen[0]?.id ?? printer.id) === printer.id;
  const served = new Set([printer, ...kitchen].flatMap(({ stations }) => stations));
  return order.lines.filter((line) =>
    stationsOf(line).some((station) =>
      station != null && served.has(station) ? printer.stations.includes(station) : takesRest,
    ),
  );
}

/**
 * The removed dishes that a printer's kitchen receipt shows. A dish that an older release removed has no recorded
 * station, so every printer prints it.
 */
export function removedLinesForPrinter<Piece extends StationLine>(
  printer: PrinterCopySettings,
  printers: readonly PrinterCopySettings[],
  order: Omit<OrderPrintRoutingFields, 'lines'>,
  removed: readonly Piece[],
): Piece[] {
  const own = new Set(linesForPrinter(printer, printers, { ...order, lines: removed }));
  return removed.filter((piece) => piece.station === undefined || own.has(piece));
}

/** Counts, by station, the dishes in `lines` that a kitchen receipt with the lines `own` does not show. */
export function countDishesOfOtherStations(
  lines: readonly CountedLine[],
  own: readonly CountedLine[],
): OtherStationCount[] {
  const counts = new Map<string | null, number>();
  for (const line of lines) {
    if (own.includes(line)) continue;
    const station = line.station ?? null;
    counts.set(station, (counts.get(station) ?? 0) + line.quantity);
  }
  return [...counts].map(([station, quantity]) => ({ station, quantity }));
}

function isFor(printer: PrinterCopySettings, order: Omit<OrderPrintRoutingFields, 'lines'>): boolean {
  // Every printer takes test orders, whatever its channels are.
  const isOfChannel = order.channel === 'test' || isAmong(order.channel, printer.channels);
  return isAmong(order.fulfilment_type, printer.fulfilment_types) && isOfChannel;
}

function isAmong<T>(one: T, list: readonly T[]): boolean {
  return list.length === 0 || list.includes(one);
}

function timesOf({ copies }: PrinterCopySettings): number[] {
  return Array.from({ length: copies }, (_, index) => index + 1);
}
