import { m } from '#messages';
import type { Db, Tx } from '#database/schema.ts';
import { PrintCopy } from '#ordering/print.ts';
import type { printing } from '#printing/contract.ts';
import { drawCopies, orderOfStaff, printDraft, printReceipt, refuseStrangers } from '#printing/server/print-calls.ts';
import { previewReceipt } from '#printing/server/preview-receipt.ts';
import { readPapers, renderPaper } from '#printing/server/print-views.ts';
import type { PrintingServices } from '#printing/server/services.ts';
import { AppError } from '#platform/errors.ts';
import type { Handlers } from '#platform/http/serve.ts';

export function printingHandlers(
  services: Pick<PrintingServices, 'drawPicture' | 'files' | 'jobs' | 'menus' | 'orderParts' | 'outbox' | 'printers'>,
): Handlers<typeof printing, Db, Tx> {
  const { menus } = services;
  return {
    'POST /v1/orders/{id}/print-receipt': (call) => printReceipt(services, call),
    'POST /v1/orders/print-temp-order': (call) => printDraft(services, call),

    'GET /v1/stores/{id}/receipt-preview': async ({ db, params, query, now }) => {
      const shop = await menus.find(params.id);
      if (!shop) throw new AppError('not_found', m.store_not_found());
      return { data: await previewReceipt(db, services, shop, query, now) };
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
      return { data: PrintCopy.options.map((copy) => ({ copy, ...renderPaper(drawn[copy] ?? '') })) };
    },

    'GET /v1/prints/{id}': async ({ db, params, viewer }) => {
      const [print] = await readPapers(db, [params.id]);
      if (!print) throw new AppError('not_found', m.printing_not_found());
      refuseStrangers(viewer, print.store_id);
      return { data: print };
    },

    'GET /v1/orders/{id}/prints': async (call) => {
      const { id } = await orderOfStaff(call);
      const prints = call.db.selectFrom('prints').select('id').where('order_id', '=', id);
      const rows = await prints.where('purpose', '=', 'receipt').orderBy('created_at').orderBy('id').execute();
      return {
        data: await readPapers(
          call.db,
          rows.map((row) => row.id),
        ),
      };
    },
  };
}
