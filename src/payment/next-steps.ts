import { dueOf, paysOrder } from '#payment/balance.ts';
import { pairRefunds, refundKey } from '#payment/pair-refunds.ts';
import { capturedOf, type PaymentStep, type ProviderPayment, type ProviderRefund } from '#payment/payment-state.ts';
import { refundable, sumOf } from '#payment/refund-rules.ts';
import {
  type Draft,
  draftOf,
  inForce,
  moneyAfter,
  planOf,
  type RefundFacts,
  refundOf,
  type Step,
  type StepRefund,
  take,
  takeExcess,
  takeLate,
} from '#payment/refund-steps.ts';

/* The next steps of an order's refunds after news of a provider. Nothing here reads or writes. */

export interface Decided {
  steps: Step[];
  /** The order's columns of money; null: its refunds have not changed. */
  money: ReturnType<typeof moneyAfter> | null;
}

interface Found {
  step: Pick<PaymentStep, 'status' | 'owed'>;
  seen: ProviderPayment;
  /** The refund that the provider has just made. */
  settled?: string | undefined;
  /** The payment has just come to its status. */
  isNew: boolean;
}

/**
 * The next steps of an order's refunds, after the state at the provider of one of its payments, which comes to `step`.
 */
export function nextSteps(facts: RefundFacts, found: Found, newId: () => string): Decided {
  const draft = draftOf(facts, newId);
  const { step, seen } = found;
  const isCountedBack = takeReturned(draft, step, seen);
  const isCounted = takeMade(draft, step.status, seen, found.settled);
  takeNames(draft, seen.refundList ?? []);
  // Dishes may have been taken off the order since the amount was decided.
  if (found.isNew && step.status === 'captured' && step.owed === null) {
    takeExcess(draft, { paid: capturedOf(seen), paymentId: draft.payment.id });
  }
  return { steps: draft.steps, money: isCountedBack || isCounted ? moneyAfter(draft) : null };
}

/** Refunds that were made, and whose money came back. Returns whether any of them counts as refunded of the order. */
function takeReturned(
  draft: Draft,
  { status, owed }: Pick<PaymentStep, 'status' | 'owed'>,
  { refundList: seen = [], refunded = 0 }: ProviderPayment,
): boolean {
  const failed = seen.filter((found) => found.status === 'failed');
  if (failed.length === 0) return false;
  const made = draft.refunds.filter((one) => one.payment_id === draft.payment.id && one.status === 'succeeded');
  // One that the owner made at the provider has still the key of the call that failed before.
  const isOf = (refund: StepRefund, { id, key }: ProviderRefund) =>
    refund.provider_refund === null ? key === refundKey(refund) : id === refund.provider_refund;
  const back = made.filter((refund) => failed.some((found) => isOf(refund, found)));
  for (const { id, amount } of back) take(draft, { kind: 'return', id, amount });
  // Money that went back of a payment that its order did not need has no row as long as nobody has to look after it.
  if (owed === null && !paysOrder(draft, status)) takeLate(draft);
  const rest = made.filter((refund) => !back.includes(refund));
  const isLost = takeReturnedPart(draft, rest, seen, sumOf(rest) - refunded);
  return back.some(({ kind }) => kind !== 'late_payment') || isLost;
}

/**
 * A refund can be part of a refund at the provider without being one of those. If some of that comes back, as much of
 * it has failed as the refunds are `over` the sum refunded there, from the newest. The rest of a refund stays, as one
 * of its own.
 */
function takeReturnedPart(
  draft: Draft,
  made: readonly StepRefund[],
  seen: readonly ProviderRefund[],
  over: number,
): boolean {
  const unnamed = made.filter((one) => one.provider_refund === null && !seen.some(({ key }) => key === refundKey(one)));
  let left = over;
  for (const { id, amount, kind, payment_id } of unnamed.toReversed()) {
    if (left <= 0) break;
    // A removed dish's price is no part of the order's total any more, and so has no part that could stay.
    const part = kind === 'line_removed' ? amount : Math.min(left, amount);
    left -= part;
    if (part < amount) {
      const others = draft.refunds.filter((one) => one.id !== id);
      const kept = planOf({ ...draft, refunds: others }, amount - part);
      const refund = refundOf(draft, { ...kept, payment_id, kind: 'at_provider', status: 'succeeded', part_of: id });
      take(draft, { kind: 'add', refund, isTold: true });
    }
    take(draft, { kind: 'return', id, amount: part });
  }
  return left < over;
}

/**
 * Refunds that the provider has made, `settled` included. Others there (an order ended after it was paid, or a refund
 * made on the provider's page) get rows of their own. So the refunds always add up to the refunded money. Returns
 * whether any of them may count as refunded of the order.
 */
function takeMade(
  draft: Draft,
  status: PaymentStep['status'],
  seen: ProviderPayment,
  settled: string | undefined,
): boolean {
  const back = seen.refunded ?? (seen.state === 'refunded' ? capturedOf(seen) : 0);
  if (back === 0) return false;
  // The refund of a dish that was taken off may come after those of the whole total.
  const isOwn = paysOrder(draft, status);
  const before = inForce(draft.refunds);
  const pending = before.filter((one) => one.status === 'pending');
  const made = pending
    .filter(({ kind, payment_id }) => (isOwn ? kind !== 'late_payment' : payment_id === draft.payment.id))
    .filter(({ id }) => id === settled || seen.state === 'refunded');
  for (const { id, kind, attempts } of made) {
    // A refund for a removed line was told when the line was removed; its success after a failure was not.
    take(draft, { kind: 'make', id, providerRefund: null, isTold: kind !== 'line_removed' || attempts > 1 });
  }
  if (!isOwn) return false;
  const decided = draft.steps.length;
  // A refund without room beside those on their way waits: they will be refused, and leave it theirs.
  const mayWait = made.length < pending.length;
  for (const found of unknownOf(draft.payment, before, seen, back)) takeUnknown(draft, found, mayWait);
  return made.length > 0 || draft.steps.length > decided;
}

interface Unknown {
  amount: number;
  kind: 'order_ended' | 'at_provider';
  providerRefund: string | null;
}

function takeUnknown(draft: Draft, { amount, kind, providerRefund }: Unknown, mayWait: boolean): void {
  const remade = kind === 'at_provider' && providerRefund !== null ? failedOf(draft, amount) : undefined;
  if (remade) return take(draft, { kind: 'make', id: remade.id, providerRefund, isTold: true });
  const room = refundable(draft.order, inForce(draft.refunds));
  if (amount > room && mayWait) return;
  const plan = planOf(draft, Math.min(amount, room));
  if (plan.amount === 0) return;
  const made = { kind, status: 'succeeded', provider_refund: providerRefund, payment_id: draft.payment.id } as const;
  take(draft, { kind: 'add', refund: refundOf(draft, { ...plan, ...made }), isTold: true });
}

/** The newest failed refund of which as much is due as somebody refunded at the provider: that is this refund, made there. */
function failedOf({ order, refunds, money, payment }: Draft, amount: number): StepRefund | undefined {
  const facts = { ...money, order, refunds };
  return refunds.findLast(
    (one) =>
      one.payment_id === payment.id &&
      one.kind !== 'late_payment' &&
      one.amount === amount &&
      one.status === 'failed' &&
      dueOf(facts, one) === amount,
  );
}

/** Refunds there that have no row yet, each by itself, because each may fail; one sum where they are not listed. */
function unknownOf(
  payment: RefundFacts['payment'],
  ours: readonly StepRefund[],
  { refundList }: ProviderPayment,
  back: number,
): Unknown[] {
  const through = ours.filter(({ payment_id }) => payment_id === payment.id);
  if (!refundList) {
    const amount = back - sumOf(through);
    const kind = payment.owed === 'release' ? 'order_ended' : 'at_provider';
    return amount > 0 ? [{ amount, kind, providerRefund: null }] : [];
  }
  const known = new Set([...pairRefunds(through, refundList).values(), ...through.map((row) => row.provider_refund)]);
  return refundList
    .filter(({ id, status }) => status !== 'failed' && !known.has(id))
    .map(({ id, key, amount }) => ({
      amount,
      kind: key?.startsWith('order:') ? 'order_ended' : 'at_provider',
      providerRefund: id,
    }));
}

/** Which refund at the provider each of the payment's is: the statement names those. */
function takeNames(draft: Draft, seen: readonly ProviderRefund[]): void {
  const ours = inForce(draft.refunds).filter(({ payment_id }) => payment_id === draft.payment.id);
  for (const [id, providerRefund] of pairRefunds(ours, seen)) take(draft, { kind: 'name', id, providerRefund });
}
