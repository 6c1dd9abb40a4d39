import { m } from '#messages';
import type { Print, PrintFault } from '#ordering/print.ts';
import { unreachablePrinterFaults } from '#database/column-values.ts';
import type { PrinterCoverState, PaperState, Printer, PrinterKind, PrinterStatus } from '#printing/printer.ts';

export function isPollingKind(kind: PrinterKind): boolean {
  return kind === 'star_cloudprnt' || kind === 'epson_sdp';
}

export function isServerConnectedKind(kind: PrinterKind): boolean {
  return kind === 'network' || kind === 'system';
}

const unreachable: ReadonlySet<PrintFault> = new Set(unreachablePrinterFaults);

export function isUnreachableFault(fault: PrintFault): boolean {
  return unreachable.has(fault);
}

export interface PrinterCondition {
  paper: PaperState;
  cover: PrinterCoverState;
  fault: PrintFault | null;
  fault_detail: string | null;
  fault_since: Date | null;
  last_seen_at: Date | null;
}

export function printerStatusOf(printer: PrinterCondition): PrinterStatus {
  const { fault, paper, cover } = printer;
  return {
    state:
      fault === null
        ? printer.last_seen_at === null
          ? 'new'
          : 'ready'
        : isUnreachableFault(fault)
          ? 'offline'
          : 'fault',
    paper,
    cover,
    fault,
    words: fault ? faultWords(fault, printer.fault_detail) : paper === 'low' ? m.printing_paper_low() : null,
    since: printer.fault_since?.toISOString() ?? null,
    last_seen_at: printer.last_seen_at?.toISOString() ?? null,
  };
}

const words: Record<PrintFault, () => string> = {
  paper_out: m.printing_fault_paper_out,
  cover_open: m.printing_fault_cover_open,
  cutter: m.printing_fault_cutter,
  overheated: m.printing_fault_overheated,
  paper_stuck: m.printing_fault_paper_stuck,
  cannot_read: m.printing_fault_cannot_read,
  not_fetched: m.printing_fault_not_fetched,
  busy: m.printing_fault_busy,
  offline: m.printing_fault_offline,
  no_device: m.printing_fault_no_device,
  wrong_address: m.printing_fault_wrong_address,
  address_private: m.printing_fault_address_private,
  address_own_machine: m.printing_fault_address_own_machine,
  address_not_single: m.printing_fault_address_not_single,
  address_unknown: m.printing_fault_address_unknown,
  no_print_system: m.printing_fault_no_print_system,
  no_queue: m.printing_fault_no_queue,
  queue_stopped: m.printing_fault_queue_stopped,
  refused_by_browser: m.printing_fault_refused_by_browser,
  removed: m.printing_fault_removed,
  unreadable: m.printing_fault_unreadable,
  unanswered: m.printing_unanswered,
  no_printer: m.printing_no_printer,
  other: m.printing_fault_other,
};

/** A fault and its remedy, as sentences; `detail` is the printer's or network's text. */
export function faultWords(fault: PrintFault, detail: string | null = null): string {
  if (detail === null) return words[fault]();
  const said = { words: words[fault](), detail };
  return /^\d+$/.test(detail) ? m.printing_fault_with_code(said) : m.printing_fault_with_detail(said);
}

export function printErrorWords(print: Pick<Print, 'fault' | 'fault_detail' | 'error'>): string | null {
  return print.error ?? (print.fault && faultWords(print.fault, print.fault_detail));
}

type Calling = Pick<Printer, 'kind' | 'poll_seconds'>;

/** The assumed poll interval (s) of a polling printer whose interval is unknown. */
export const assumedPollSeconds = 20;
/** The assumed interval (s) at which a board takes the jobs of its printers. */
export const boardPollSeconds = 5;
export const missedPollsUntilOffline = 3;
/**
 * The minimum poll interval in calculations (s). Shorter reported intervals are inexact, so they would make printers
 * count as offline too early.
 */
export const minPollSeconds = 5;

export function offlineAfterMs({ kind, poll_seconds: seconds }: Calling): number {
  const known = seconds ?? (isPollingKind(kind) ? assumedPollSeconds : boardPollSeconds);
  return missedPollsUntilOffline * Math.max(known, minPollSeconds) * 1000;
}

/**
 * The timeout for the report of a sent job (ms). For a polling printer it ends when the printer counts as offline, so
 * that the backup can get the job at once.
 */
export function reportTimeoutMs(printer: Calling): number {
  return isPollingKind(printer.kind) ? offlineAfterMs(printer) : 60_000;
}
