import type { Print } from '#ordering/print.ts';

const at = '2026-11-21T18:00:00.000Z';

/** A kitchen receipt that waits for its printer. */
export function samplePrint(change: Partial<Print> = {}): Print {
  return {
    id: '019a0000-0000-7000-8000-0000000000d1',
    store_id: '019a0000-0000-7000-8000-000000000001',
    order_id: null,
    purpose: 'receipt',
    copy: 'kitchen',
    status: 'queued',
    printer_id: '019a0000-0000-7000-8000-0000000000e1',
    printer: 'Kitchen',
    nth: 1,
    is_reprint: false,
    unsure: 0,
    is_marked: false,
    moved_from_id: null,
    moved_to_id: null,
    attempts: 0,
    due_at: at,
    retry_at: null,
    expires_at: '2026-11-21T18:30:00.000Z',
    created_at: at,
    claimed_at: null,
    sent_at: null,
    printed_at: null,
    ended_at: null,
    fault: null,
    fault_detail: null,
    error: null,
    read_at: null,
    read_by: null,
    ...change,
  };
}
