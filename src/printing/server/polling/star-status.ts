import type { PrintFault } from '#ordering/print.ts';
import type { Outcome } from '#printing/outcome.ts';
import type { PrinterReport } from '#printing/server/transport.ts';

/** Star's status code of three digits, and the text behind it: `410`, `410 Out of paper`, percent-encoded in polls. */
export interface StarCode {
  number: number;
  /** As the printer wrote it, for staff. */
  text: string;
}

/** null: it is none. `OK` alone means 200. */
export function readStarCode(given: unknown): StarCode | null {
  if (typeof given !== 'string') return null;
  const text = decoded(given)
    .replaceAll(/[^\x20-\x7e]/g, '')
    .trim()
    .slice(0, 100);
  if (/^ok$/i.test(text)) return { number: 200, text: '200 OK' };
  const [, digits] = /^(\d{3})\d?(?:\D|$)/.exec(text) ?? [];
  return digits === undefined ? null : { number: Number(digits), text };
}

/**
 * The meaning of a poll's code for the printer: 2xx can print, 4xx cannot. 5xx: it could make nothing of its last job,
 * and may do better with the next one.
 */
export function reportOfCode(code: StarCode): PrinterReport {
  const { number } = code;
  if (number >= 200 && number < 300) return { fault: null, paper: isPaperLow(code) ? 'low' : 'ok', cover: 'closed' };
  const fault = faultOf(number);
  if (fault === null) return {};
  return {
    fault,
    detail: detailOf(fault, code),
    ...(fault === 'paper_out' && { paper: 'out' as const }),
    ...(fault === 'cover_open' && { cover: 'open' as const }),
  };
}

/** Whether a printer that reports this code can be given a job: one that is not told why is left alone. */
export function canTakeJob(code: StarCode | null): boolean {
  return code === null || code.number < 400 || code.number > 499;
}

/** 21x are warnings about the paper. */
export function isPaperLow({ number }: StarCode): boolean {
  return number >= 210 && number < 220;
}

/**
 * The outcome of a job by the code that confirms it. A printer that stopped in the middle left a part on paper, so a
 * 4xx is not a certain failure. 5xx: it could not use the data, and nothing was printed.
 */
export function outcomeOfCode(code: StarCode | null): Outcome {
  if (code === null) return { kind: 'unknown', fault: 'other', isOfJob: true };
  if (code.number >= 200 && code.number < 300) return { kind: 'printed' };
  const fault = faultOf(code.number) ?? 'other';
  const detail = detailOf(fault, code);
  const said = { fault, ...(detail !== null && { detail }) };
  if (!canTakeJob(code)) return { kind: 'unknown', ...said };
  return { kind: 'refused', ...said, isOfJob: true };
}

/** By Star's "Printer Status Codes": the first digit is the kind of trouble, and the second one which. */
function faultOf(number: number): PrintFault | null {
  if (number === 410) return 'paper_out';
  const [kind, group] = [Math.floor(number / 100), Math.floor(number / 10)];
  if (group === 41) return 'paper_stuck';
  if (group === 42) return 'cover_open';
  if (group === 51 || number === 521) return 'cannot_read';
  if (group === 52) return 'not_fetched';
  return kind === 4 || kind === 5 ? 'other' : null;
}

const spokenFaults: ReadonlySet<PrintFault> = new Set(['paper_out', 'cover_open']);

/** The printer's text, unless the words of the fault say all of it. */
function detailOf(fault: PrintFault, { text }: StarCode): string | null {
  if (spokenFaults.has(fault)) return null;
  return text;
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}
