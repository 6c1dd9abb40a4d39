import { m } from '#messages';
import { furthestJump, noteConfirmed } from '#database/clock-watch.ts';
import type { Db, Tx } from '#database/schema.ts';
import type { ClockState, kitchen, PrintPreview } from '#kitchen/contract.ts';
import { copiesFor } from '#kitchen/print-rules.ts';
import { customerReceipt, kitchenReceipt } from '#kitchen/receipt.ts';
import { draftReceiptOrder } from '#kitchen/receipt-order.ts';
import { requestPrints, type PrintRow } from '#kitchen/server/print-ledger.ts';
import { drawReceipt } from '#kitchen/server/draw-receipt.ts';
import { previewReceipt } from '#kitchen/server/preview-receipt.ts';
import { renderReceipt } from '#kitchen/server/render-receipt.ts';
import { PrintCopy } from '#ordering/order.ts';
import { findOrder } from '#ordering/server/order-views.ts';
import { presentPrint } from '#ordering/server/present-order.ts';
import { quoteOf } from '#ordering/server/quote-of.ts';
import { AppError, invalid } from '#platform/errors.ts';
import type { Handlers } from '#platform/http/serve.ts';
import { isStaffOf, type Viewer } from '#platform/http/viewer.ts';
import type { KitchenServices } from '#kitchen/server/services.ts';

export function kitchenEndpoints(
  services: Pick<KitchenServices, 'clock' | 'jobs' | 'menus' | 'orderParts' | 'outbox' | 'printers'>,
): Handlers<typeof kitchen, Db, Tx> {
  const { outbox, menus } = services;
  return {
    'POST /v1/orders/{id}/print-receipt': async ({ db, params, body, viewer, now, afterCommit }) => {
      const order = await findOrder(db, params.id);
      if (!order) throw new AppError('not_found', m.ordering_not_found());
      refuseStrangers(viewer, order.store_id);
      const copies = copiesFor(body.printType, body.both);
      // Without a printer the copy is drawn all the same, to be looked at.
      const sources = (await services.printers.of(order.store_id)) ? {} : await drawCopies(db, order.id, copies, now);
      const rows = await requestPrints(db, services, { order, copies, now, sources });
      for (const row of rows) await owePrint(db, row);
      afterCommit(outbox.wake);
      return { data: rows.map(presentPrint) };
    },

    'POST /v1/orders/print-temp-order': async ({ db, body, viewer, now, afterCommit }) => {
      refuseStrangers(viewer, body.store_id);
      const shop = await menus.shopIn(db, body.store_id);
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
      for (const row of rows) await owePrint(db, row);
      afterCommit(outbox.wake);
      return { data: rows.map(presentPrint) };
    },

    'GET /v1/stores/{id}/clock': async ({ db, params, viewer, now }) => {
      refuseStrangers(viewer, params.id);
      return { data: await clockState(db, now) };
    },

    'POST /v1/stores/{id}/clock/confirm': async ({ db, params, viewer, now, afterCommit }) => {
      refuseStrangers(viewer, params.id);
      afterCommit(services.clock.confirm);
      await noteConfirmed(db);
      return { data: await clockState(db, now) };
    },

    'GET /v1/stores/{id}/receipt-preview': async ({ db, params, query, now }) => {
      const shop = await menus.find(params.id);
      if (!shop) throw new AppError('not_found', m.store_not_found());
      return { data: await previewReceipt(db, shop, query, now) };
    },

    'GET /v1/stores/{id}/printing': async ({ db, params, viewer }) => {
      const known = await menus.store(db, params.id);
      if (!known) throw new AppError('not_found', m.store_not_found());
      refuseStrangers(viewer, known.store.id);
      return { data: { has_printer: (await services.printers.of(known.store.id)) !== null } };
    },

    'GET /v1/orders/{id}/receipts': async ({ db, params, viewer, now }) => {
      const order = await findOrder(db, params.id);
      if (!order) throw new AppError('not_found', m.ordering_not_found());
      refuseStrangers(viewer, order.store_id);
      const drawn = await drawCopies(db, order.id, PrintCopy.options, now);
      return { data: PrintCopy.options.map((copy) => ({ copy, ...renderBoth(drawn[copy] ?? '') })) };
    },

    'GET /v1/prints/{id}': async ({ db, params, viewer }) => {
      const row = await db.selectFrom('prints').selectAll().where('id', '=', params.id).executeTakeFirst();
      if (!row) throw new AppError('not_found', m.kitchen_print_not_found());
      refuseStrangers(viewer, row.store_id);
      return { data: preview(row) };
    },

    'GET /v1/orders/{id}/prints': async ({ db, params, viewer }) => {
      const order = await findOrder(db, params.id);
      if (!order) throw new AppError('not_found', m.ordering_not_found());
      refuseStrangers(viewer, order.store_id);
      const rows = await db
        .selectFrom('prints')
        .selectAll()
        .where('order_id', '=', order.id)
        .orderBy('created_at')
        .orderBy('id')
        .execute();
      return { data: rows.map(preview) };
    },
  };

  async function drawCopies(
    db: Db,
    orderId: string,
    copies: readonly PrintCopy[],
    printedAt: Date,
  ): Promise<Partial<Record<PrintCopy, string>>> {
    const drawn: Partial<Record<PrintCopy, string>> = {};
    for (const copy of copies) {
      const source = await drawReceipt(db, services, orderId, copy, { printedAt, onScreen: true });
      if (source) drawn[copy] = source;
    }
    return drawn;
  }

  async function owePrint(tx: Tx, row: PrintRow): Promise<void> {
    await outbox.add(tx, { topic: 'print', event: 'print.updated', storeId: row.store_id, subjectId: row.id });
  }
}

function refuseStrangers(viewer: Viewer, storeId: string): void {
  if (!isStaffOf(viewer, storeId)) throw new AppError('forbidden', m.platform_forbidden());
}

function preview(row: PrintRow): PrintPreview {
  return {
    ...presentPrint(row),
    ...(row.source === null ? { svg: null, text: null } : renderBoth(row.source)),
  };
}

function renderBoth(source: string): { svg: string; text: string } {
  return { svg: renderReceipt(source, { format: 'svg' }), text: renderReceipt(source, { format: 'text' }) };
}

async function clockState(db: Db, now: Date): Promise<ClockState> {
  return { now: now.toISOString(), ahead_seconds: await furthestJump(db) };
}
