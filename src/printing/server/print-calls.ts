import { m } from '#messages';
import type { Db, Tx } from '#database/schema.ts';
import type { printing } from '#printing/contract.ts';
import { copiesFor } from '#printing/copies.ts';
import { draftReceiptOrder } from '#printing/receipt/order.ts';
import { customerReceipt, kitchenReceipt } from '#printing/receipt/receipt.ts';
import { printEntry } from '#printing/server/print-events.ts';
import { drawReceipt } from '#printing/server/draw-receipt.ts';
import { type PrintRow, requestPrints } from '#printing/server/print-ledger.ts';
import { readPrints } from '#printing/server/print-views.ts';
import type { PrintingServices } from '#printing/server/services.ts';
import type { PrintCopy } from '#ordering/print.ts';
import { findOrder } from '#ordering/server/order-views.ts';
import { quoteOf } from '#ordering/server/quote-of.ts';
import { AppError, invalid } from '#platform/errors.ts';
import type { CallTo } from '#platform/http/serve.ts';
import { isStaffOf, type Viewer } from '#platform/http/viewer.ts';

type Services = Pick<PrintingServices, 'jobs' | 'menus' | 'orderParts' | 'outbox' | 'printers'>;
type PrintCall<K extends keyof typeof printing> = CallTo<typeof printing, K, Db, Tx>;

/** Prints an order's copies again. */
export async function printReceipt(services: Services, call: PrintCall<'POST /v1/orders/{id}/print-receipt'>) {
  const { db, body, now } = call;
  const order = await orderOfStaff(call);
  const copies = copiesFor(body.printType, body.both);
  // Without a printer the copy is still drawn, for the screen.
  const hasPrinter = (await services.printers.of(order.store_id)) !== null;
  const sources = hasPrinter ? {} : await drawCopies(services, call, order.id, copies);
  return answerOwed(services, call, await requestPrints(db, services, { order, copies, now, sources }));
}

/** Prints a basket that is not an order yet. */
export async function printDraft(services: Services, call: PrintCall<'POST /v1/orders/print-temp-order'>) {
  const { db, body, viewer, now } = call;
  refuseStrangers(viewer, body.store_id);
  const shop = await services.menus.shopIn(db, body.store_id);
  if (!shop) throw invalid('store_id', m.ordering_store_unknown());
  const quote = await quoteOf(db, shop, body, now);
  const draft = draftReceiptOrder(body, quote);
  const onScreen = (await services.printers.of(shop.store.id)) === null;
  const options = { printedAt: now, notAnOrder: true, onScreen };
  const rows = await requestPrints(db, services, {
    order: { id: null, store_id: shop.store.id },
    copies: copiesFor(body.printType, body.both),
    now,
    sources: {
      kitchen: kitchenReceipt(draft, shop.store, options),
      customer: customerReceipt(draft, shop.store, options),
    },
  });
  return answerOwed(services, call, rows);
}

/** The order of a call. Throws 404 if it does not exist, 403 if it belongs to another shop. */
export async function orderOfStaff({ db, params, viewer }: { db: Db; params: { id: string }; viewer: Viewer }) {
  const order = await findOrder(db, params.id);
  if (!order) throw new AppError('not_found', m.ordering_not_found());
  refuseStrangers(viewer, order.store_id);
  return order;
}

export function refuseStrangers(viewer: Viewer, storeId: string): void {
  if (!isStaffOf(viewer, storeId)) throw new AppError('forbidden', m.platform_forbidden());
}

/** An order's copies as a screen shows them. */
export async function drawCopies(
  services: Services,
  { db, now: printedAt }: { db: Db; now: Date },
  orderId: string,
  copies: readonly PrintCopy[],
): Promise<Partial<Record<PrintCopy, string>>> {
  const drawn: Partial<Record<PrintCopy, string>> = {};
  for (const copy of copies) {
    const source = await drawReceipt(db, services, orderId, copy, { printedAt, onScreen: true });
    if (source) drawn[copy] = source;
  }
  return drawn;
}

async function answerOwed(
  { outbox }: Services,
  { db, afterCommit }: Pick<PrintCall<'POST /v1/orders/print-temp-order'>, 'db' | 'afterCommit'>,
  rows: readonly PrintRow[],
) {
  for (const { id: subjectId, store_id: storeId } of rows) {
    await outbox.add(db, printEntry(storeId, subjectId));
  }
  afterCommit(outbox.wake);
  return {
    data: await readPrints(
      db,
      rows.map(({ id }) => id),
    ),
  };
}
