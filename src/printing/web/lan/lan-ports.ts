import { v4 as uuid } from 'uuid';
import { api, ApiError } from '#platform/web/api.ts';
import { askPrinter, sendToPrinter } from '#printing/web/lan/lan-printer.ts';
import type { LanPorts } from '#printing/web/lan/print-jobs.ts';
import { reportCondition } from '#printing/web/lan/report-condition.ts';

const timeout = 10_000;
/** Milliseconds between two tries to tell the shop what became of a job, and for how long. */
const tellEvery = 2000;
const tellFor = 60_000;

/** The shop and the network of this page. */
export function lanPorts(storeId: string): LanPorts {
  const device = uuid();
  return {
    async claim(printerIds) {
      const body = { store_id: storeId, printer_ids: [...printerIds], device };
      const answer = await api('POST /v1/prints/claim', body, { timeout });
      return answer?.data ?? null;
    },
    async report({ id, lease_id }, report) {
      const end = Date.now() + tellFor;
      for (;;) {
        try {
          await api('POST /v1/prints/{id}/result', { id, lease_id, device, ...report }, { timeout });
          return true;
        } catch (error) {
          const isRefused = error instanceof ApiError && !error.isUndecided;
          // Nothing may be sent before the shop knows of it: then it is not tried for long.
          if (isRefused || report.status === 'sent' || Date.now() > end) return false;
          await new Promise((resolve) => setTimeout(resolve, tellEvery));
        }
      }
    },
    tell: reportCondition,
    ask: askPrinter,
    send: sendToPrinter,
  };
}
