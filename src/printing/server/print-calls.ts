import { createHash } from 'node:crypto';
import { m } from '#messages';
import type { Db, Tx } from '#database/schema.ts';
import type { printingEndpoints } from '#printing/contract.ts';
import { requestedCopies, copiesOfPrintCall, type RequestedCopy } from '#printing/copies.ts';
import { receiptOrderOfBasket } from '#printing/receipt/order.ts';
import { customerReceipt, kitchenReceipt } from '#printing/receipt/receipt.ts';
import { drawReceipt } from '#printing/server/draw-print.ts';
import {
  mayPrintHaveBeenRead,
  type PrintRequest,
  readPrintsOfOrder,
  recordUnprintedReceipts,
  requestPrints,
} from '#printing/server/order-prints.ts';
import { lockPrinter } from '#printing/server/printer-calls.ts';
import { printOutboxEntry } from '#printing/server/print-events.ts';
import { readPrints } from '#printing/server/print-views.ts';
import { readStorePrinters } from '#printing/server/printer-views.ts';
import type { PrintingServices } from '#printing/server/services.ts';
import type { PrintRow } from '#printing/server/apply-print-event.ts';
import type { PrintCopy } from '#ordering/print.ts';
import { findOrder } from '#ordering/server/order-views.ts';
import type { OrderRow } from '#ordering/server/present-order.ts';
import { quoteOnServer } from '#ordering/server/new-order.ts';
import { isRepeatedCall } from '#ordering/server/order-calls.ts';
import { AppError, invalidFieldError } from '#platform/errors.ts';
import type { HandlerInput } from '#platform/http/serve.ts';
import { isStaffOf, type Viewer } from '#platform/http/viewer.ts';

type Services = Pick<PrintingServices, 'config' | 'menus' | 'orderParts' | 'outbox'>;
type PrintCall<K extends keyof typeof printingEndpoints> = HandlerInput<typeof printingEndpoints, K, Db, Tx>;

/** Prints an order's receipts on request. A retry with the same `Idempotency-Key` prints nothing. */
export async function printReceipt(services: Services, call: PrintCall<'POST /v1/orders/{id}/print-receipt'>) {
  const { db, body, now, viewer } = call;
  const order = await findOrderForStaff(call);
  const key = call.header('idempotency-key');
  const trigger = triggerOf(viewer, key ?? call.requestId);
  const named = { orderId: order.id, viewer, name: 'print-receipt', body, key, now };
  if (await isRepeatedCall(db, named)) return { data: await readPrints(db, await printsBy(db, order.id, trigger)) };
  const copies = copiesOfPrintCall(body.printType, body.both);
  const request = { storeId: order.store_id, orderId: order.id, purpose: 'receipt', trigger, now } as const;
  const wanted = await wantedCopies(db, order, copies, body.printer_id);
  if (wanted.length > 0) return answer(services, call, await requestPrints(db, request, wanted));
  // Without a printer the receipts are drawn for the screen.
  const sources = await drawCopies(services, call, order.id, copies);
  return answer(services, call, await recordUnprintedReceipts(db, { ...request, sources }, copies));
}

export async function printDraft(services: Services, call: PrintCall<'POST /v1/orders/print-temp-order'>) {
  const { db, body, viewer, now } = call;
  refuseOtherStoresStaff(viewer, body.store_id);
  const shop = await services.menus.shopIn(db, body.store_id);
  if (!shop) throw invalidFieldError('store_id', m.ordering_store_unknown());
  const draft = receiptOrderOfBasket(body, await quoteOnServer(db, shop, body, now));
  const printers = await readStorePrinters(db, shop.store.id);
  const options = { printedAt: now, notAnOrder: true, onScreen: printers.length === 0 };
  const request: PrintRequest = {
    storeId: shop.store.id,
    orderId: null,
    purpose: 'draft',
    trigger: triggerOf(viewer, call.requestId),
    now,
    sources: {
      kitchen: kitchenReceipt(draft, shop.store, options),
      customer: customerReceipt(draft, shop.store, options),
    },
  };
  const copies = copiesOfPrintCall(body.printType, body.both);
  const wanted = requestedCopies({ ...draft, channel: 'counter' }, copies, printers);
  return answer(
    services,
    call,
    wanted.length > 0 ? await requestPrints(db, request, wanted) : await recordUnprintedReceipts(db, request, copies),
  );
}

export async function printTest(services: Services, call: PrintCall<'POST /v1/printers/{id}/test'>) {
  const { db, params, now, viewer } = call;
  const printer = await lockPrinter(db, params.id);
  const request = {
    storeId: printer.store_id,
    orderId: null,
    purpose: 'test',
    trigger: triggerOf(viewer, call.requestId),
    now,
  } as const;
  const rows = await requestPrints(db, request, [{ copy: 'kitchen', printerId: printer.id, nth: 1 }]);
  const { data } = await answer(services, call, rows);
  const [print] = data;
  if (!print) throw new Error(`the test of printer ${printer.id} was not written`);
  return { data: print };
}

/** Finds the order of a call. Throws 404 if it does not exist, 403 if it belongs to another shop. */
export async function findOrderForStaff({ db, params, viewer }: { db: Db; params: { id: string }; viewer: Viewer }) {
  const order = await findOrder(db, params.id);
  if (!order) throw new AppError('not_found', m.ordering_not_found());
  refuseOtherStoresStaff(viewer, order.store_id);
  return order;
}

export function refuseOtherStoresStaff(viewer: Viewer, storeId: string): void {
  if (!isStaffOf(viewer, storeId)) throw new AppError('forbidden', m.platform_forbidden());
}

export async function drawCopies(
  services: Services,
  { db, now: printedAt }: { db: Db; now: Date },
  orderId: string,
  copies: readonly PrintCopy[],
): Promise<Partial<Record<PrintCopy, string>>> {
  const drawn: Partial<Record<PrintCopy, string>> = {};
  for (const copy of copies) {
    const receipt = await drawReceipt(db, services, { orderId, copy }, { printedAt, onScreen: true });
    if (receipt) drawn[copy] = receipt.source;
  }
  return drawn;
}

/**
 * Plans the requested receipts. A receipt that somebody may have read before is a reprint, which the paper shows as
 * COPY.
 */
async function wantedCopies(
  db: Tx,
  order: OrderRow,
  copies: readonly PrintCopy[],
  printerId: string | undefined,
): Promise<(RequestedCopy & { isReprint: boolean })[]> {
  const printers = await readStorePrinters(db, order.store_id);
  if (printerId !== undefined && !printers.some(({ id }) => id === printerId)) {
    throw invalidFieldError('printer_id', m.printing_printer_not_found());
  }
  const earlier = (await readPrintsOfOrder(db, order.id)).filter(({ purpose }) => purpose === 'receipt');
  const places =
    printerId === undefined
      ? requestedCopies(order, copies, printers)
      : copies.map((copy) => ({ copy, printerId, nth: 1 }));
  return places.map((place) => ({
    ...place,
    isReprint: earlier.some((print) => print.copy === place.copy && mayPrintHaveBeenRead(print, earlier)),
  }));
}

async function printsBy(db: Db, orderId: string, trigger: string): Promise<string[]> {
  const prints = db.selectFrom('prints').select('id').where('order_id', '=', orderId).where('trigger', '=', trigger);
  return (await prints.where('moved_from_id', 'is', null).orderBy('id').execute()).map(({ id }) => id);
}

function triggerOf({ id }: Viewer, key: string): string {
  return `asked ${createHash('sha256')
    .update(`${id ?? ''} ${key}`)
    .digest('base64url')}`;
}

async function answer(
  { outbox }: Services,
  { db, afterCommit }: Pick<PrintCall<'POST /v1/orders/print-temp-order'>, 'db' | 'afterCommit'>,
  rows: readonly PrintRow[],
) {
  for (const { id, store_id: storeId } of rows) await outbox.add(db, printOutboxEntry(storeId, id));
  afterCommit(outbox.wake);
  return {
    data: await readPrints(
      db,
      rows.map(({ id }) => id),
    ),
  };
}
