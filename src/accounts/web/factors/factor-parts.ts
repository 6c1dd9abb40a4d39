import type { Factors } from '#accounts/factor-contract.ts';
import type { Store } from '#store/contract.ts';
import { notify } from '#ui/web/notify.ts';
import { refusalWords } from '#ui/web/office/refusal-words.ts';

export type FactorsAnswer = Factors & { recovery_codes?: string[] | undefined };

/** What the sections of the page get. */
export interface PartProps {
  factors: Factors;
  store: Store;
  onChange: (answer: FactorsAnswer) => void;
}

export const withTimeout = { timeout: 20_000 };

export function tell(error: unknown): void {
  notify({ text: refusalWords(error), tone: 'bad' });
}
