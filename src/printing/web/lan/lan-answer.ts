import type { ReportedOutcome } from '#printing/print-outcome.ts';
import type { ReportedCondition } from '#printing/protocols/dialogue.ts';
import { m } from '#messages';
import type { Printer } from '#printing/printer.ts';

export interface LanAnswer {
  outcome: ReportedOutcome;
  condition: ReportedCondition;
}

export interface LanRequest {
  url: string;
  headers: Record<string, string>;
  body: string;
}

/**
 * Why a printer gave no answer. `refused`: the user or the browser forbids requests. `lacking`: the browser cannot send
 * to this network. `needs_app`: only the app reaches the printer.
 */
export type UnreachedReason = 'refused' | 'lacking' | 'unreached' | 'not_understood' | 'needs_app';

export interface UnreachedPrinter {
  unreached: UnreachedReason;
  detail?: string;
  /** Set if no byte was sent, so that nothing can be on paper. */
  isUnsent?: true;
}

export type LanResult = { answer: LanAnswer } | UnreachedPrinter;

/** Sends a request to a printer, and resolves to the response; never rejects. An abort of `signal` ends the wait. */
export type LanRequestSender = (
  request: LanRequest,
  signal: AbortSignal,
) => Promise<{ text: string } | UnreachedPrinter>;

export function unreachedWords(why: UnreachedReason, { address }: Pick<Printer, 'address'>, detail = ''): string {
  return unreached[why]({ address, answer: detail });
}

const unreached: Record<UnreachedReason, (values: { address: string; answer: string }) => string> = {
  refused: m.printing_browser_denied,
  lacking: m.printing_browser_lacking,
  not_understood: m.printing_browser_answer,
  needs_app: m.printing_browser_needs_app,
  unreached: m.printing_browser_unreached,
};
