import { m } from '#messages';
import { furthestJump, noteConfirmed } from '#database/clock-watch.ts';
import type { Db, Tx } from '#database/schema.ts';
import type { ClockState, kitchen, PrintPreview } from '#kitchen/contract.ts';
import type { PrintRow } from '#kitchen/server/print-ledger.ts';
import { drawCopies, orderOfStaff, printDraft, printReceipt, refuseStrangers } from '#kitchen/server/print-calls.ts';
import { previewReceipt } from '#kitchen/server/preview-receipt.ts';
import { renderReceipt } from '#kitchen/server/render-receipt.ts';
import { PrintCopy } from '#ordering/order.ts';
import { presentPrint } from '#ordering/server/present-order.ts';
import { AppError } from '#platform/errors.ts';
import type { Handlers } from '#platform/http/serve.ts';
import type { KitchenServices } from '#kitchen/server/services.ts';

export function kitchenHandlers(
  services: Pick<KitchenServices, 'clock' | 'jobs' | 'menus' | 'orderParts' | 'outbox' | 'printers'>,
): Handlers<typeof kitchen, Db, Tx> {
  const { menus } = services;
  return {
    'POST /v1/orders/{id}/print-receipt': (call) => printReceipt(services, call),
    'POST /v1/orders/print-temp-order': (call) => printDraft(services, call),

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

    'GET /v1/orders/{id}/receipts': async (call) => {
      const order = await orderOfStaff(call);
      const drawn = await drawCopies(services, call, order.id, PrintCopy.options);
      return { data: PrintCopy.options.map((copy) => ({ copy, ...renderBoth(drawn[copy] ?? '') })) };
    },

    'GET /v1/prints/{id}': async ({ db, params, viewer }) => {
      const row = await db.selectFrom('prints').selectAll().where('id', '=', params.id).executeTakeFirst();
      if (!row) throw new AppError('not_found', m.kitchen_print_not_found());
      refuseStrangers(viewer, row.store_id);
      return { data: preview(row) };
    },

    'GET /v1/orders/{id}/prints': async (call) => {
      const { id } = await orderOfStaff(call);
      const prints = call.db.selectFrom('prints').selectAll().where('order_id', '=', id);
      const rows = await prints.orderBy('created_at').orderBy('id').execute();
      return { data: rows.map(preview) };
    },
  };
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
