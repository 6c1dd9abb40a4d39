import type { PrintFault } from '#ordering/print.ts';
import type { CoverState, PaperState } from '#printing/printer.ts';

/** What a printer in the shop's network says of itself. */
export interface LanCondition {
  /** null: it can print. */
  fault: PrintFault | null;
  /** What it said, as it said it. */
  detail?: string;
  paper: PaperState;
  cover: CoverState;
}

/** Its answer to a document. `isDone`: what was sent is on paper, by its own word. `isDoubtful`: it may be. */
export interface LanAnswer {
  isDone: boolean;
  isDoubtful: boolean;
  condition: LanCondition;
}

export interface LanRequest {
  url: string;
  headers: Record<string, string>;
  body: string;
}
