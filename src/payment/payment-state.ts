import type {
  OwedProviderCall,
  PaymentFailure,
  PaymentAttemptStatus,
  ProviderState,
  RefundStatus,
} from '#database/column-values.ts';
import { isCalledOff, isAccepted, isAwaitingPayment } from '#ordering/order-status.ts';
import { isCardPaymentRefused } from '#ordering/payment-status.ts';
import type { OrderStatus, PaymentStatus } from '#ordering/order.ts';
import type { PaymentMethod } from '#store/contract.ts';

export type { OwedProviderCall, PaymentFailure, PaymentAttemptStatus, ProviderState } from '#database/column-values.ts';

export interface PaymentFacts {
  status: PaymentAttemptStatus;
  owed: OwedProviderCall | null;
  failure: PaymentFailure | null;
  /** Minor units. */
  amount: number;
  currency: string;
  /** Whether the payment is the order's newest attempt: only that attempt affects the order. */
  isLatest: boolean;
}

export interface OrderFacts {
  status: OrderStatus;
  payment_method: PaymentMethod;
  payment_status: PaymentStatus;
}

export interface ProviderPayment {
  state: ProviderState;
  /** The amount of the payment at the provider, minor units. */
  amount: number;
  currency: string;
  /** The captured part of `amount`. If missing: all of it, once `state` is `captured` or `refunded`. */
  captured?: number;
  /** The refunded part of the captured amount. If missing: all of it, once `state` is `refunded`. */
  refunded?: number;
  /**
   * The provider's id of the authorised payment (Stripe: the PaymentIntent); null or missing: nothing was authorised
   * yet.
   */
  intent?: string | null;
  method?: string | null;
  heldUntil?: Date | null;
  /** The shop's id of the payment, which was sent with the checkout. If missing: the provider does not store it. */
  paymentId?: string | null;
  /**
   * Whether the payer has submitted the payment on a page that is still open, and the payer's bank has not decided yet.
   */
  isProcessing?: boolean;
  /**
   * Whether the payment was made in another mode or account than that of its keys. Such a payment is never captured.
   */
  isForeign?: boolean;
  /** The payment's refunds, oldest first. If missing: the provider does not list them. */
  refundList?: readonly ProviderRefund[];
}

export interface ProviderRefund {
  id: string;
  /** The idempotency key of the shop's call that made the refund; null: somebody made it at the provider. */
  key: string | null;
  /** Minor units. */
  amount: number;
  /** `pending`: the refund is not completed. `failed`: no money moved, or the money returned to the shop. */
  status: RefundStatus;
}

export interface PaymentStep {
  status: PaymentAttemptStatus;
  owed: OwedProviderCall | null;
  failure: PaymentFailure | null;
  isPlacing: boolean;
  /** The new payment_status of the order; null leaves it unchanged. */
  orderPayment: PaymentStatus | null;
}

const forwardTransitions: Record<PaymentAttemptStatus, Partial<Record<ProviderState, PaymentAttemptStatus>>> = {
  pending: {
    authorised: 'authorised',
    declined: 'failed',
    abandoned: 'failed',
    captured: 'captured',
    voided: 'voided',
    refunded: 'refunded',
  },
  authorised: { captured: 'captured', voided: 'voided', refunded: 'refunded' },
  captured: { refunded: 'refunded' },
  voided: {},
  refunded: {},
  failed: {},
};

const statesWithoutMoney: ReadonlySet<ProviderState> = new Set(['declined', 'abandoned', 'voided', 'refunded']);

/**
 * Decides the changes that follow from a provider's answer about a payment. Answers may be late, repeated or out of
 * order. A payment's state never goes back, so stale answers change nothing. Money is marked for release if no order
 * needs it, or if its amount is wrong.
 */
export function applyProviderState(payment: PaymentFacts, order: OrderFacts, seen: ProviderPayment): PaymentStep {
  const status = forwardTransitions[payment.status][seen.state] ?? payment.status;
  const owed = isSettled(payment.owed, seen.state) ? null : payment.owed;
  const step: PaymentStep = { status, owed, failure: payment.failure, isPlacing: false, orderPayment: null };
  if (seen.state === 'captured' && isLateCapture(payment, order)) {
    const kept = isCalledOff(order.status) ? 'release' : null;
    return { ...step, status: 'captured', owed: kept, failure: null, orderPayment: 'paid' };
  }
  if (hasMoneyAfterEnd(step, seen.state)) return { ...step, owed: 'release' };
  if (status === payment.status) return step;
  const isArriving = payment.status === 'pending' && (status === 'authorised' || status === 'captured');
  if (isArriving) return applyIncomingMoney(payment, order, seen, step);
  const failure = failureOf(payment, seen.state);
  if (isUndoneLate(payment, order, seen)) return { ...step, failure, orderPayment: 'paid' };
  const affectsOrder = payment.isLatest && order.payment_method === 'card';
  return { ...step, failure, orderPayment: affectsOrder ? orderPaymentAfter(payment, order, status, failure) : null };
}

/**
 * Whether a late payment, which arrived after its order stopped waiting for it, is held or charged. Such a payment is
 * released or refunded automatically. null: no late payment arrived.
 */
export function latePaymentStateOfStep(before: PaymentFacts, step: PaymentStep): 'held' | 'charged' | null {
  const isArriving = before.status === 'pending' && (step.status === 'authorised' || step.status === 'captured');
  if (!isArriving || step.owed !== 'release' || step.failure === 'wrong_amount') return null;
  return step.status === 'captured' ? 'charged' : 'held';
}

/**
 * The provider's payment, with the refunds in `failed` marked as failed: an older answer must not revert a failure that
 * was recorded later.
 */
export function markKnownFailedRefunds(seen: ProviderPayment, failed: ReadonlySet<string>): ProviderPayment {
  const good = (seen.refundList ?? []).filter(({ id, status }) => status !== 'failed' && failed.has(id));
  if (good.length === 0) return seen;
  const refunded = (seen.refunded ?? 0) - good.reduce((sum, { amount }) => sum + amount, 0);
  return {
    ...seen,
    state: seen.state === 'refunded' && refunded < capturedAmountOf(seen) ? 'captured' : seen.state,
    refunded,
    refundList: (seen.refundList ?? []).map((refund) =>
      good.includes(refund) ? { ...refund, status: 'failed' as const } : refund,
    ),
  };
}

/** The captured amount of a payment, in minor units, whether some of it was refunded or not. */
export function capturedAmountOf({ state, amount, captured }: ProviderPayment): number {
  return state === 'captured' || state === 'refunded' ? (captured ?? amount) : 0;
}

/** The refunded part of the captured amount, in minor units. */
export function refundedAmountOf(seen: ProviderPayment): number {
  return seen.refunded ?? (seen.state === 'refunded' ? capturedAmountOf(seen) : 0);
}

/** Whether the provider's payment has this payment's amount and currency, and the mode and account of its keys. */
export function matchesExpectedMoney(
  payment: Pick<PaymentFacts, 'amount' | 'currency'>,
  seen: ProviderPayment,
): boolean {
  return seen.amount === payment.amount && seen.currency === payment.currency && seen.isForeign !== true;
}

/** The next call to the provider for `owed`; null: no call is needed. */
export function nextProviderCall(
  owed: OwedProviderCall | null,
  state: ProviderState,
): 'capture' | 'void' | 'refund' | null {
  if (owed === 'capture') return state === 'authorised' ? 'capture' : null;
  if (owed !== 'release') return null;
  if (state === 'captured') return 'refund';
  return statesWithoutMoney.has(state) ? null : 'void';
}

/**
 * Whether a capture that the shop gave up has succeeded after all, for example because the provider's answer was lost.
 * The charge then pays the order, unless staff recorded that the order was paid in another way.
 */
function isLateCapture(payment: PaymentFacts, order: OrderFacts): boolean {
  const isGivenUp = payment.failure === 'capture_failed' && payment.status === 'failed' && payment.owed === 'release';
  return isGivenUp && payment.isLatest && isCardPaymentRefused(order);
}

/**
 * Whether the provider has money for a payment that the shop considers ended: somebody paid on a page that should have
 * been closed. False after a capture was given up and its hold released, because the provider's answer is then older
 * than the release.
 */
function hasMoneyAfterEnd({ status, owed, failure }: PaymentStep, seen: ProviderState): boolean {
  const hasEnded = status === 'voided' || (status === 'failed' && failure !== 'capture_failed');
  return hasEnded && owed === null && (seen === 'authorised' || seen === 'captured');
}

/** Whether a charge arrived after its order had ended, and was refunded at the provider before the shop knew of it. */
function isUndoneLate(payment: PaymentFacts, order: OrderFacts, seen: ProviderPayment): boolean {
  const isNew = payment.status === 'pending' && seen.state === 'refunded';
  return isNew && isOwnMoney(payment, order, seen) && isCalledOff(order.status);
}

function isOwnMoney(payment: PaymentFacts, order: OrderFacts, seen: ProviderPayment): boolean {
  return payment.isLatest && order.payment_method === 'card' && matchesExpectedMoney(payment, seen);
}

function applyIncomingMoney(
  payment: PaymentFacts,
  order: OrderFacts,
  seen: ProviderPayment,
  step: PaymentStep,
): PaymentStep {
  // A late charge is recorded as the order's payment and then refunded, so that the customer is mailed about both.
  const isLate = isOwnMoney(payment, order, seen) && isCalledOff(order.status) && step.status === 'captured';
  const orderPayment = isLate ? 'paid' : null;
  if (step.owed === 'release') return { ...step, orderPayment };
  const isWaiting = isAwaitingPayment(order.status) && payment.isLatest;
  if (!matchesExpectedMoney(payment, seen)) {
    return { ...step, owed: 'release', failure: 'wrong_amount', orderPayment: isWaiting ? 'failed' : null };
  }
  // The shop has accepted the order, and its earlier card payment failed, so this charge pays the order.
  const isOwing =
    payment.isLatest && isAccepted(order.status) && isCardPaymentRefused(order) && step.status === 'captured';
  if (isOwing) return { ...step, orderPayment: 'paid' };
  if (!isWaiting) return { ...step, owed: 'release', orderPayment };
  return { ...step, isPlacing: true, orderPayment: step.status === 'captured' ? 'paid' : 'authorised' };
}

function failureOf(payment: PaymentFacts, state: ProviderState): PaymentFailure | null {
  if (payment.owed === 'capture' && statesWithoutMoney.has(state)) return 'capture_failed';
  if (payment.status === 'pending' && payment.owed === null) {
    if (state === 'declined') return 'declined';
    if (statesWithoutMoney.has(state)) return 'abandoned';
  }
  return payment.failure;
}

function orderPaymentAfter(
  payment: PaymentFacts,
  order: OrderFacts,
  status: PaymentAttemptStatus,
  failure: PaymentFailure | null,
): PaymentStatus | null {
  if (payment.status === 'pending') {
    if (!isAwaitingPayment(order.status)) return null;
    return failure === 'declined' ? 'failed' : 'unpaid';
  }
  if (failure === 'capture_failed') return 'failed';
  if (status === 'captured') return 'paid';
  // An order that is not called off continues without the released money, so its payment status does not change.
  if (payment.owed === 'release' && !isCalledOff(order.status)) return null;
  return status === 'refunded' ? 'refunded' : 'voided';
}

function isSettled(owed: OwedProviderCall | null, state: ProviderState): boolean {
  if (owed === null) return false;
  return statesWithoutMoney.has(state) || (owed === 'capture' && state === 'captured');
}
