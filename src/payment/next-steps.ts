import { balanceOf, dueOf, type MoneyFacts, paysOrder } from '#payment/balance.ts';
import { statusAfterRefunds } from '#ordering/payment-status.ts';
import type { PaymentStatus } from '#ordering/order.ts';
import { pairRefunds, refundKey } from '#payment/pair-refunds.ts';
import { capturedOf, type PaymentStep, type ProviderPayment, type ProviderRefund } from '#payment/payment-state.ts';
import {
  type EarlierRefund,
  excessOf,
  ofTotal,
  type PaidOrder,
  planRefund,
  refundable,
  type RefundPlan,
  sumOf,
} from '#payment/refund-rules.ts';
import type { RefundedLine, RefundKind, RefundStatus } from '#payment/refund.ts';

/* What becomes of an order's refunds: decided here from what is known, and done elsewhere. Nothing here reads or writes. */

export interface StepRefund extends EarlierRefund {
  id: string;
  /** null: given back by hand. */
  payment_id: string | null;
  status: RefundStatus;
  /** The provider's id of it, once it is known. */
  provider_refund: string | null;
  part_of: string | null;
  /** The number of its last try. */
  attempts: number;
  reason: string;
  actor: string;
  actor_id: string | null;
}

export type Step =
  /** The provider has made it, or people have. `isTold`: the customer hears of it. */
  | { kind: 'make'; id: string; providerRefund: string | null; isTold: boolean }
  /** Its money came back: people have to give it back in another way. */
  | { kind: 'return'; id: string; amount: number }
  /** `rest`: what stays of the refund that it is a part of. */
  | { kind: 'add'; refund: StepRefund; rest: RefundPlan | null; isTold: boolean }
  /** Which refund at the provider it is. */
  | { kind: 'name'; id: string; providerRefund: string };

interface PricedOrder extends PaidOrder {
  removed: readonly { line_id: string; quantity: number; amount: number; reason: string; actor: string }[];
}

export interface RefundFacts {
  /** As its payment leaves it, which may not be written yet. */
  order: MoneyFacts['order'] & PricedOrder;
  payment: { id: string; owed: string | null };
  isLatest: boolean;
  /** What moved of the order's payments, what was just seen included. */
  money: Pick<MoneyFacts, 'payments' | 'disputes' | 'movements'>;
  /** All of the order's, oldest first. */
  refunds: readonly StepRefund[];
}

/** Facts, and the steps that were decided so far with the refunds that they leave. */
export interface Draft extends RefundFacts {
  refunds: StepRefund[];
  steps: Step[];
  newId: () => string;
}

export function draftOf(facts: RefundFacts, newId: () => string): Draft {
  return { ...facts, refunds: [...facts.refunds], steps: [], newId };
}

export interface Decided {
  steps: Step[];
  /** The order's columns of money; null: its refunds have not changed. */
  money: { refunded: number; payment_status: PaymentStatus } | null;
}

interface Found {
  step: Pick<PaymentStep, 'status' | 'owed'>;
  seen: ProviderPayment;
  /** The refund that the provider has just made. */
  settled?: string | undefined;
  /** The payment has just come to its status. */
  isNew: boolean;
}

/** What follows for an order's refunds from what was found at the provider of one of its payments, which comes to `step`. */
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

/** An order's columns of money once its refunds are as given. */
export function moneyAfter({
  order,
  refunds,
}: {
  order: { total: number };
  refunds: readonly Pick<StepRefund, 'amount' | 'kind' | 'status'>[];
}): NonNullable<Decided['money']> {
  const refunded = sumOf(ofTotal(refunds.filter(({ status }) => status === 'succeeded')));
  return { refunded, payment_status: statusAfterRefunds(refunded, order.total) };
}

/** Refunds as a step leaves them. */
export function afterStep(refunds: readonly StepRefund[], step: Step): StepRefund[] {
  const change = (id: string, to: Partial<StepRefund>) =>
    refunds.map((one) => (one.id === id ? { ...one, ...to } : one));
  if (step.kind === 'return') return change(step.id, { status: 'failed' });
  if (step.kind === 'name') return change(step.id, { provider_refund: step.providerRefund });
  if (step.kind === 'make') {
    const { providerRefund } = step;
    return change(step.id, {
      status: 'succeeded',
      ...(providerRefund !== null && { provider_refund: providerRefund }),
    });
  }
  const { refund, rest } = step;
  return [...(rest && refund.part_of !== null ? change(refund.part_of, rest) : refunds), refund];
}

function take(draft: Draft, step: Step): void {
  draft.refunds = afterStep(draft.refunds, step);
  draft.steps.push(step);
}

export function inForce<Of extends { status: RefundStatus }>(refunds: readonly Of[]): Of[] {
  return refunds.filter(({ status }) => status !== 'failed');
}

type Added = RefundPlan & Pick<StepRefund, 'payment_id' | 'status' | 'kind'> & Partial<StepRefund>;

/** A refund that nobody asked for is by the system. */
function refundOf({ newId }: Draft, added: Added): StepRefund {
  const bySystem = { reason: '', actor: 'system', actor_id: null };
  return { id: newId(), provider_refund: null, part_of: null, attempts: 1, ...bySystem, ...added };
}

/** The parts of an amount at the order's rates, beside its refunds in force. */
export function planOf({ order, refunds }: Pick<Draft, 'order' | 'refunds'>, amount: number): RefundPlan {
  const plan = planRefund(order, inForce(refunds), { amount });
  if ('fault' in plan) throw new Error(`a refund of ${amount} does not fit: ${plan.fault}`);
  return plan;
}

/** Of refunds that are none of the order's total: they have no VAT either. */
export const withoutVat = (amount: number): RefundPlan => ({ amount, tip: 0, vat: [], lines: [] });

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
  // What went back of a payment that its order did not need has no row as long as nobody has to look after it.
  if (owed === null && !paysOrder(draft, status)) takeLate(draft);
  const rest = made.filter((refund) => !back.includes(refund));
  const isLost = takeReturnedPart(draft, rest, seen, sumOf(rest) - refunded);
  return back.some(({ kind }) => kind !== 'late_payment') || isLost;
}

/**
 * A refund can be part of what was refunded at the provider without being one of those. If some of that comes back, as much
 * of it has failed as the refunds are `over` what is refunded there, from the newest. The rest of a refund stays, as one of
 * its own.
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
    // What a removed dish cost is no part of the order's total any more, and so has no part that could stay.
    const part = kind === 'line_removed' ? amount : Math.min(left, amount);
    left -= part;
    if (part < amount) {
      const others = draft.refunds.filter((one) => one.id !== id);
      const kept = planOf({ ...draft, refunds: others }, amount - part);
      const refund = refundOf(draft, { ...kept, payment_id, kind: 'at_provider', status: 'succeeded', part_of: id });
      const rest = { ...planOf({ ...draft, refunds: [...others, refund] }, part), lines: [] };
      take(draft, { kind: 'add', refund, rest, isTold: true });
    }
    take(draft, { kind: 'return', id, amount: part });
  }
  return left < over;
}

/** What the payer has not got back of a payment that did not pay its order is left to people, once. */
export function takeLate(draft: Draft): void {
  const { payment, refunds } = draft;
  const forPeople = refunds.filter(({ payment_id, status }) => payment_id === payment.id && status === 'failed');
  const amount = leftOf(draft) - sumOf(forPeople);
  if (amount > 0) takeForPeople(draft, 'late_payment', withoutVat(amount));
}

/**
 * What the payer has not got back of a payment, from the shop or by a lost dispute, and the provider will not refund is left
 * to people.
 */
export function takeLeft(draft: Draft, isOwn: boolean): void {
  if (!isOwn) return takeLate(draft);
  const amount = Math.min(leftOf(draft), refundable(draft.order, inForce(draft.refunds)));
  if (amount > 0) takeForPeople(draft, 'order_ended', planOf(draft, amount));
}

function takeForPeople(draft: Draft, kind: RefundKind, plan: RefundPlan): void {
  const refund = refundOf(draft, { ...plan, payment_id: draft.payment.id, kind, status: 'failed' });
  take(draft, { kind: 'add', refund, rest: null, isTold: true });
}

function leftOf({ order, refunds, money, payment }: Draft): number {
  return balanceOf({ ...money, order, refunds }, payment.id).left;
}

/**
 * Refunds that the provider has made, `settled` included; others there (an order ended after it was paid, or a refund made
 * on the provider's page) get rows of their own, so that the refunds always add up to the refunded money. Returns whether
 * any of them may count as refunded of the order.
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
    // What goes back for a removed line was said when it was removed; not that it does after all, once it had failed.
    take(draft, { kind: 'make', id, providerRefund: null, isTold: kind !== 'line_removed' || attempts > 1 });
  }
  if (!isOwn) return false;
  const decided = draft.steps.length;
  // What has no room beside refunds on their way waits: they will be refused, and leave it theirs.
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
  take(draft, { kind: 'add', refund: refundOf(draft, { ...plan, ...made }), rest: null, isTold: true });
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

interface Paid {
  /** Minor units. */
  paid: number;
  /** null: it goes back by hand. */
  paymentId: string | null;
  by?: { actor: string; actorId: string | null } | undefined;
}

/** What was paid for an order beyond what it costs since staff took dishes off it goes back. */
export function takeExcess(draft: Draft, { paid, paymentId, by }: Paid): void {
  const { order } = draft;
  const amount = excessOf(order, paid, inForce(draft.refunds));
  if (amount === 0) return;
  const last = order.removed.at(-1);
  // The order's own VAT no longer contains it.
  const plan = { ...withoutVat(amount), lines: removedFor(order, amount) };
  const refund = refundOf(draft, {
    ...plan,
    payment_id: paymentId,
    kind: 'line_removed',
    status: paymentId === null ? 'succeeded' : 'pending',
    reason: last?.reason ?? '',
    actor: by?.actor ?? last?.actor ?? 'system',
    actor_id: by?.actorId ?? null,
  });
  take(draft, { kind: 'add', refund, rest: null, isTold: false });
}

/** The removed lines that a refund of this amount is for: the last ones, if they cost as much; else none are named. */
function removedFor({ removed }: PricedOrder, amount: number): RefundedLine[] {
  const lines = new Map<string, RefundedLine>();
  let left = amount;
  for (const { line_id, quantity, amount: cost } of removed.toReversed()) {
    if (left <= 0) break;
    const known = lines.get(line_id);
    lines.set(line_id, {
      line_id,
      quantity: quantity + (known?.quantity ?? 0),
      amount: cost + (known?.amount ?? 0),
    });
    left -= cost;
  }
  return left === 0 ? [...lines.values()].toReversed() : [];
}
