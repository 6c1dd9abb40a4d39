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

/** What a poll's code says about the printer: 2xx can print, 4xx cannot, other codes are about a job. */
export function reportOfCode({ number, text }: StarCode): PrinterReport {
  if (number >= 200 && number < 300) {
    return { fault: null, paper: number === 211 ? 'low' : 'ok', cover: 'closed' };
  }
  if (number < 400 || number > 499) return {};
  const fault = faultOf(number);
  return {
    fault,
    detail: detailOf(number, text),
    ...(number === 410 && { paper: 'out' as const }),
    ...(fault === 'cover_open' && { cover: 'open' as const }),
  };
}

/**
 * What became of a job by the code that confirms it. A printer that stopped in the middle left a part on paper, so a 4xx is
 * not a certain failure. 5xx: it could not use the data, and nothing was printed.
 */
export function outcomeOfCode(code: StarCode | null): Outcome {
  if (code === null) return { kind: 'unknown', fault: 'other', isOfJob: true };
  const { number, text } = code;
  if (number >= 200 && number < 300) return { kind: 'printed' };
  if (number >= 400 && number < 500) {
    const detail = detailOf(number, text);
    return { kind: 'unknown', fault: faultOf(number), ...(detail !== null && { detail }) };
  }
  // 520: it did not get the data. The others: it got what it cannot print, and would again.
  return { kind: 'refused', fault: number === 520 ? 'other' : 'unreadable', detail: text, isOfJob: true };
}

function faultOf(number: number): PrintFault {
  if (number === 410) return 'paper_out';
  return number >= 420 && number < 430 ? 'cover_open' : 'other';
}

/** The words for the common faults need no code behind them. */
function detailOf(number: number, text: string): string | null {
  return faultOf(number) === 'other' ? text : null;
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}
