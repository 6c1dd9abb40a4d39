import type { OrderStatus } from '#ordering/order.ts';
import { isCalledOff, isUnpaid } from '#ordering/order-status.ts';

export type OrderQuestion = 'keep' | 'rate' | 'notify' | 'install';

/** The questions of an order's page that are open for this visitor. */
export interface OpenQuestions {
  status: OrderStatus;
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
export function nextQuestion(open: OpenQuestions): OrderQuestion | null {
  const { status, isKeeping, rate, notify, keep, install } = open;
  if (isUnpaid(status) || isCalledOff(status)) return null;
  if (isKeeping && keep) return 'keep';
  if (rate) return 'rate';
  if (notify) return 'notify';
  // The account can be offered until a guest's order has one, so it would always come before the install offer.
  if (install) return 'install';
  return keep ? 'keep' : null;
}
