import { m } from '#messages';
import type { Db, Tx } from '#database/schema.ts';
import { PrintCopy } from '#ordering/print.ts';
import type { printing } from '#printing/contract.ts';
import { claimPrint, readPrint, reportPrint, reportPrinter } from '#printing/server/device-calls.ts';
import { listPrints } from '#printing/server/list-prints.ts';
import { printingOf } from '#printing/server/overview.ts';
import {
  drawCopies,
  orderOfStaff,
  printDraft,
  printReceipt,
  printTest,
  refuseStrangers,
} from '#printing/server/print-calls.ts';
import { readPapers, renderPaper } from '#printing/server/print-views.ts';
import {
  addPrinter,
  changePrinter,
  listPrinters,
  removePrinter,
  rotateSecret,
} from '#printing/server/printer-calls.ts';
import { previewReceipt } from '#printing/server/preview-receipt.ts';
import { restorePrinter } from '#printing/server/restore-printer.ts';
import type { PrintingServices } from '#printing/server/services.ts';
import { AppError } from '#platform/errors.ts';
import type { Handlers } from '#platform/http/serve.ts';

export function printingHandlers(services: Omit<PrintingServices, 'clock'>): Handlers<typeof printing, Db, Tx> {
  const { config, menus } = services;
  return {
    'GET /v1/printers': (call) => listPrinters(services, call),
    'POST /v1/printers': (call) => addPrinter(services, call),
    'PATCH /v1/printers/{id}': (call) => changePrinter(services, call),
    'DELETE /v1/printers/{id}': (call) => removePrinter(services, call),
    'POST /v1/printers/{id}/restore': (call) => restorePrinter(services, call),
    'POST /v1/printers/{id}/report': (call) => reportPrinter(services, call),
    'POST /v1/printers/{id}/test': (call) => printTest(services, call),
    'POST /v1/printers/{id}/rotate-secret': (call) => rotateSecret(services, call),

    'GET /v1/prints': (call) => listPrints(call),
    'POST /v1/prints/claim': (call) => claimPrint(services, call),
    'POST /v1/prints/{id}/result': (call) => reportPrint(services, call),
    'POST /v1/prints/{id}/read': (call) => readPrint(services, call),

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
      refuseStrangers(viewer, known.store.id);
      return { data: await printingOf(db, known.store.id, config, now) };
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
