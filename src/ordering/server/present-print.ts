import type { Selectable } from 'kysely';
import type { PrintsTable } from '#database/schema.ts';
import type { Print } from '#ordering/print.ts';

export type PrintViewRow = Omit<
  Selectable<PrintsTable>,
  'source' | 'trigger' | 'lease_id' | 'leased_by' | 'lease_until' | 'drawn_at' | 'promised_at'
> & {
  /** The printer's name; null without a printer. */
  printer: string | null;
  moved_to_id: string | null;
};

/** Converts a print's row to the API's print. The row's times may be texts, as json_agg returns them. */
export function presentPrint(row: PrintViewRow): Print {
  return {
    id: row.id,
    store_id: row.store_id,
    order_id: row.order_id,
    purpose: row.purpose,
    copy: row.copy,
    status: row.status,
    printer_id: row.printer_id,
    printer: row.printer,
    nth: row.nth,
    is_reprint: row.is_reprint,
    unsure: row.unsure,
    is_marked: row.is_marked,
    moved_from_id: row.moved_from_id,
    moved_to_id: row.moved_to_id,
    attempts: row.attempts,
    due_at: new Date(row.due_at).toISOString(),
    retry_at: iso(row.retry_at),
    expires_at: iso(row.expires_at),
    created_at: new Date(row.created_at).toISOString(),
    claimed_at: iso(row.claimed_at),
    sent_at: iso(row.sent_at),
    printed_at: iso(row.printed_at),
    ended_at: iso(row.ended_at),
    fault: row.fault,
    fault_detail: row.fault_detail,
    error: row.error,
    read_at: iso(row.read_at),
    read_by: row.read_by,
  };
}

function iso(time: Date | string | null): string | null {
  return time === null ? null : new Date(time).toISOString();
}
