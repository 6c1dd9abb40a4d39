import type { PrintFault, PrintPurpose, PrintStatus } from '#ordering/print.ts';

/**
 * The events of a print. `lease`: a device, a polling printer or the server takes the job. `lapse`: the lease ended
 * before the first byte was sent. `send`: the first byte is about to be sent. `printed`: the printer confirmed the
 * print. `handed_over`: a printer that confirms nothing got the whole job. `refused`: this attempt is certainly not on
 * paper. `unanswered`: this attempt may be on paper. `retry`: the wait before the next attempt is over. `move`: another
 * printer takes the print over. `give_up`: no retry follows. `expire`: the print is stale. `read`: staff have read the
 * print on the board.
 */
export const printEvents = [
  'lease',
  'lapse',
  'send',
  'printed',
  'handed_over',
  'refused',
  'unanswered',
  'retry',
  'move',
  'give_up',
  'expire',
  'read',
] as const;
export type PrintEvent = (typeof printEvents)[number];

export interface PrintTransition {
  to: PrintStatus;
  ends?: true;
  /** The change of `unsure`, the number of unconfirmed attempts that may be on paper. */
  unsure?: 1 | -1;
}

/**
 * The state machine of the print ledger. `sent` is written before the first byte, so a `claimed` print is certainly not
 * on paper and may be queued again. After `sent`, a print without a reported outcome becomes `unknown`, never `failed`.
 * A printer's late report about the latest attempt still changes the status.
 */
export const printTransitions: Record<PrintStatus, Partial<Record<PrintEvent, PrintTransition>>> = {
  queued: {
    lease: { to: 'claimed' },
    printed: { to: 'printed', ends: true },
    move: { to: 'failed', ends: true },
    give_up: { to: 'failed', ends: true },
    expire: { to: 'expired', ends: true },
    read: { to: 'expired', ends: true },
  },
  claimed: {
    lapse: { to: 'queued' },
    send: { to: 'sent' },
    printed: { to: 'printed', ends: true },
    refused: { to: 'failed' },
    unanswered: { to: 'unknown', unsure: 1 },
  },
  sent: {
    printed: { to: 'printed', ends: true },
    handed_over: { to: 'sent', ends: true },
    refused: { to: 'failed' },
    unanswered: { to: 'unknown', unsure: 1 },
  },
  failed: {
    retry: { to: 'queued' },
    move: { to: 'failed', ends: true },
    give_up: { to: 'failed', ends: true },
    expire: { to: 'expired', ends: true },
    read: { to: 'expired', ends: true },
  },
  unknown: {
    printed: { to: 'printed', ends: true },
    refused: { to: 'failed', unsure: -1 },
    retry: { to: 'queued' },
    move: { to: 'unknown', ends: true },
    give_up: { to: 'unknown', ends: true },
    expire: { to: 'unknown', ends: true },
    read: { to: 'unknown', ends: true },
  },
  printed: {},
  expired: {},
};

export interface PrintState {
  status: PrintStatus;
  /** When the print ended; null: an attempt is running or will follow. */
  ended_at: Date | string | null;
}

/** The effect of an event on a print; null if the event is late or repeated. */
export function findPrintTransition({ status, ended_at }: PrintState, event: PrintEvent): PrintTransition | null {
  // An ended print with an unknown outcome can still be confirmed by the printer.
  if (ended_at !== null && !(status === 'unknown' && event === 'printed')) return null;
  return printTransitions[status][event] ?? null;
}

export function mayBePrintedAlready({ unsure }: { unsure: number }): boolean {
  return unsure > 0;
}

const papersOf: ReadonlySet<PrintEvent> = new Set(['printed', 'handed_over', 'unanswered']);

/**
 * Whether, after an event, the print's newest paper has the mark POSSIBLE DUPLICATE. Test pages and drawer pulses never
 * have the mark.
 */
export function willBeMarkedDuplicate(print: PrintState & Marked, event: PrintEvent): boolean {
  if (print.purpose === 'test' || print.purpose === 'drawer') return false;
  if (print.status === 'claimed' || print.status === 'sent') {
    return papersOf.has(event) ? mayBePrintedAlready(print) : print.is_marked;
  }
  // The refused attempt printed nothing, so the newest paper is from the attempt before. That paper has the mark if an
  // even earlier attempt may be on paper.
  return print.status === 'unknown' && event === 'refused' ? print.unsure > 2 : print.is_marked;
}

interface Marked {
  purpose: PrintPurpose;
  unsure: number;
  is_marked: boolean;
}

/** The length of a lease before the first byte is sent (ms). */
export const printLeaseMs = 20_000;

/** How long after its due time a print is still useful (ms). */
const usefulFor: Record<PrintPurpose, number> = {
  receipt: 30 * 60_000,
  draft: 30 * 60_000,
  cancellation: 30 * 60_000,
  promise: 30 * 60_000,
  test: 2 * 60_000,
  // A late pulse might open the drawer while nobody is there.
  drawer: 30_000,
};

export function printExpiry(purpose: PrintPurpose, dueAt: Date): Date {
  return new Date(dueAt.getTime() + usefulFor[purpose]);
}

/** The number of unconfirmed attempts after which a print is not retried. */
const maxUnsure = 3;

/**
 * Whether a failed or unknown print is retried. A drawer pulse with an unknown outcome is not, because the drawer may
 * be open.
 */
export function shouldRetryPrint(print: Pick<AttemptHistory, 'purpose' | 'status' | 'unsure' | 'fault'>): boolean {
  if (print.purpose === 'test' || print.fault === 'unreadable' || print.fault === 'cannot_read') return false;
  if (print.status === 'unknown') return print.purpose !== 'drawer' && print.unsure < maxUnsure;
  return print.status === 'failed';
}

export interface AttemptHistory extends PrintState {
  purpose: PrintPurpose;
  unsure: number;
  attempts: number;
  fault: PrintFault | null;
  read_at: Date | null;
  expires_at: Date | null;
}

/** The next step after a failed or unknown attempt: an event to apply now, or the time of a retry. */
export function printStepAfterAttempt(print: AttemptHistory, now: Date): PrintEvent | Date {
  if (print.read_at !== null) return 'read';
  if (isPast(print.expires_at, now)) return 'expire';
  return shouldRetryPrint(print) ? new Date(now.getTime() + printBackoffMs(print.attempts)) : 'give_up';
}

/** The event that is due for a print; null if none is. */
export function duePrintEvent(
  print: PrintState &
    Pick<AttemptHistory, 'read_at' | 'expires_at'> & { lease_until: Date | null; retry_at: Date | null },
  now: Date,
): PrintEvent | null {
  if (print.ended_at !== null) return null;
  if (print.status === 'claimed') return isPast(print.lease_until, now) ? 'lapse' : null;
  if (print.status === 'sent') return isPast(print.lease_until, now) ? 'unanswered' : null;
  if (print.read_at !== null) return 'read';
  if (isPast(print.expires_at, now)) return 'expire';
  return print.status !== 'queued' && isPast(print.retry_at, now) ? 'retry' : null;
}

function isPast(time: Date | null, now: Date): boolean {
  return time !== null && time <= now;
}

/** Whether a print is a slip: a short paper in addition to the order's receipts. */
export function isSlipPurpose(purpose: PrintPurpose): purpose is 'cancellation' | 'promise' {
  return purpose === 'cancellation' || purpose === 'promise';
}

/** The purposes that jump the queue. A cancellation is urgent, because the kitchen cooks until it is told to stop. */
export const urgentPrintPurposes = ['cancellation'] as const satisfies readonly PrintPurpose[];

/** Whether a backup printer may take over a print. A printer's test and a pulse for its own drawer are never moved. */
export function mayMoveToBackupPrinter({ purpose }: { purpose: PrintPurpose }): boolean {
  return purpose !== 'test' && purpose !== 'drawer';
}

const firstPause = 5_000;
const longestPause = 60_000;

export function printBackoffMs(attempts: number): number {
  return Math.min(longestPause, firstPause * 2 ** Math.max(0, attempts - 1));
}
