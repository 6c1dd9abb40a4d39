export type OrderQuestion = 'keep' | 'rate' | 'notify' | 'install';

/** The questions of an order's page that are open for this visitor. */
export interface OpenQuestions {
  /** Whether the visitor has begun to put the order into their account, by signing in from this page. */
  isKeeping: boolean;
  /** Whether the order may be rated. */
  rate: boolean;
  /** Whether notifications of this order can be turned on here. */
  notify: boolean;
  /** Whether the order can be put into an account. */
  keep: boolean;
  /** Whether this browser has placed a second order and can install the shop. */
  install: boolean;
}

/** Returns the one question that an order's page asks now; null: none. */
export function nextQuestion({ isKeeping, rate, notify, keep, install }: OpenQuestions): OrderQuestion | null {
  if (isKeeping && keep) return 'keep';
  if (rate) return 'rate';
  if (notify) return 'notify';
  if (keep) return 'keep';
  return install ? 'install' : null;
}
