import { unrefundedAmountOf, dueAmountOfRefund, type MoneyFacts, isPaymentOfOrder } from '#payment/balance.ts';
import { statusAfterRefunds } from '#ordering/payment-status.ts';
import type { PaymentStatus } from '#ordering/order.ts';
import {
  excessCharge,
  refundsWithinTotal,
  type PaidOrder,
  planRefund,
  refundableAmount,
  type RefundPlan,
  sumAmounts,
} from '#payment/refund-rules.ts';
import type { Refund, RefundedLine, RefundStatus } from '#payment/refund.ts';
import {
  capturedAmountOf,
  type PaymentStep,
  type ProviderPayment,
  type ProviderRefund,
  refundedAmountOf,
} from '#payment/payment-state.ts';

/* Decides the next steps of an order's refunds, without reading or writing the database. */

type AnsweredField = 'id' | 'amount' | 'tip' | 'vat' | 'lines' | 'kind' | 'payment_id' | 'status' | 'reason' | 'actor';

export interface RefundRecord extends Pick<Refund, AnsweredField> {
  /** The provider's id of the refund; null: not known yet. */
  provider_refund: string | null;
  part_of: string | null;
  /** The number of the last attempt, from 1. */
  attempts: number;
  /** The client's idempotency key, if a client requested the refund. */
  key?: string;
  actor_id: string | null;
}

export interface RefundStep {
  /**
   * `add`: adds the refund. If its `part_of` is set, its amount is split off from the refund with that id. `return`:
   * the refund's money came back to the shop.
   */
  kind: 'add' | 'succeed' | 'retry' | 'retry_another_way' | 'return' | 'record_provider_id';
  refund: RefundRecord;
}

/**
 * Whether the customer gets a mail about a refund that was made. A removed line's refund was announced when the line
 * was removed.
 */
export function isMailedRefundStep({ kind, refund }: RefundStep): boolean {
  if (refund.status !== 'succeeded' || kind === 'record_provider_id') return false;
  return kind === 'retry_another_way' || refund.kind !== 'line_removed' || refund.attempts > 1;
}

export interface RefundFacts {
  /** The order, with the changes from the provider's answer that may not be stored yet. */
  order: MoneyFacts['order'] & PaidOrder & { removed: readonly (RefundedLine & { reason: string; actor: string })[] };
  payment: { id: string; owed: string | null };
  isLatest: boolean;
  /** The payments, disputes and movements of the order, with the movements just seen at the provider. */
  money: Pick<MoneyFacts, 'payments' | 'disputes' | 'movements'>;
  refunds: readonly RefundRecord[];
}

/** The steps decided so far, and the refunds as they are after these steps. */
interface Begun {
  refunds: readonly RefundRecord[];
  steps: RefundStep[];
  newId: () => string;
}

type Draft = RefundFacts & Begun;
type OrderDraft = Pick<RefundFacts, 'order'> & Begun;

export function startRefundSteps<Of extends Pick<RefundFacts, 'order' | 'refunds'>>(
  facts: Of,
  newId: () => string,
): Of & Begun {
  return { ...facts, steps: [], newId };
}

/** The order's columns `refunded` and `payment_status` for the given refunds. */
export function moneyAfterRefunds({ order, refunds }: Pick<RefundFacts, 'order' | 'refunds'>): {
  refunded: number;
  payment_status: PaymentStatus;
} {
  const refunded = sumAmounts(refundsWithinTotal(refunds.filter(({ status }) => status === 'succeeded')));
  return { refunded, payment_status: statusAfterRefunds(refunded, order.total) };
}

export function refundsAfterStep(refunds: readonly RefundRecord[], { kind, refund }: RefundStep): RefundRecord[] {
  if (kind !== 'add') return refunds.map((one) => (one.id === refund.id ? refund : one));
  const shrunk = refunds.map((one) =>
    one.id === refund.part_of ? { ...one, ...withoutVat(one.amount - refund.amount) } : one,
  );
  return [...shrunk, refund];
}

function applyStep(draft: Begun, kind: RefundStep['kind'], refund: RefundRecord): void {
  draft.refunds = refundsAfterStep(draft.refunds, { kind, refund });
  draft.steps.push({ kind, refund });
}

/**
 * Adds a new refund. By default, a refund by hand is `succeeded`, any other refund is `pending`, and the actor is the
 * system.
 */
export function addRefund(
  draft: Begun,
  added: RefundPlan & Pick<RefundRecord, 'payment_id' | 'kind'> & Partial<RefundRecord>,
): RefundRecord {
  const whole = { id: draft.newId(), provider_refund: null, part_of: null, attempts: 1, ...bySystem };
  const refund = { ...whole, status: firstStatus(added), ...added };
  applyStep(draft, 'add', refund);
  return refund;
}

const bySystem = { reason: '', actor: 'system', actor_id: null };

/** The status in which an attempt begins: a refund by hand counts as made when it is recorded. */
function firstStatus({ payment_id }: Pick<RefundRecord, 'payment_id'>): RefundStatus {
  return payment_id === null ? 'succeeded' : 'pending';
}

const isFailed = ({ status }: { status: RefundStatus }) => status === 'failed';

export function unfailedRefunds<Of extends { status: RefundStatus }>(refunds: readonly Of[]): Of[] {
  return refunds.filter(({ status }) => status !== 'failed');
}

function planOf({ order, refunds }: Pick<RefundFacts, 'order' | 'refunds'>, amount: number): RefundPlan {
  const plan = planRefund(order, unfailedRefunds(refunds), { amount });
  if ('fault' in plan) throw new Error(`a refund of ${amount} does not fit: ${plan.fault}`);
  return plan;
}

/** A plan without VAT, for refunds outside the order's total. */
const withoutVat = (amount: number): RefundPlan => ({ amount, tip: 0, vat: [], lines: [] });

/**
 * Adds a refund of a payment's unrefunded amount. The refund has the status `failed`, so that staff make it. `isOwn`:
 * the payment paid its order. If the payment did not pay its order, the payment's earlier failed refunds are
 * subtracted, because staff already have to make those refunds.
 */
export function addManualRefundOfRest(draft: Draft, isOwn: boolean): void {
  const { order, payment, refunds, money } = draft;
  const left = unrefundedAmountOf({ ...money, order, refunds }, payment.id);
  const forPeople = refunds.filter(({ payment_id, status }) => payment_id === payment.id && status === 'failed');
  const amount = isOwn
    ? Math.min(left, refundableAmount(order, unfailedRefunds(refunds)))
    : left - sumAmounts(forPeople);
  if (amount <= 0) return;
  const plan = isOwn ? planOf(draft, amount) : withoutVat(amount);
  addRefund(draft, { ...plan, payment_id: payment.id, kind: isOwn ? 'order_ended' : 'late_payment', status: 'failed' });
}

/**
 * Adds a refund of the excess of `paid` over the order's price, after staff removed lines. Without a `payment_id` the
 * refund is by hand.
 */
export function addExcessRefund(
  draft: OrderDraft,
  paid: number,
  by: Pick<RefundRecord, 'payment_id' | 'actor_id'>,
): void {
  const { order } = draft;
  const amount = excessCharge(order, paid, unfailedRefunds(draft.refunds));
  if (amount === 0) return;
  const { reason, actor } = order.removed.at(-1) ?? bySystem;
  // The plan has no VAT: the order's own VAT is already without the VAT of the removed lines.
  const plan = { ...withoutVat(amount), lines: removedFor(order, amount) };
  addRefund(draft, { ...plan, ...by, reason, actor, kind: 'line_removed' });
}

/**
 * Adds another attempt of a failed refund: through the payment `through`, or by hand if `through` is null. If only a
 * part is due, this part becomes a separate refund with the attempt. The rest stays failed, because the payer got the
 * rest in another way. Returns the id of the refund with the attempt.
 */
export function addRetriedRefund(
  draft: OrderDraft,
  refund: RefundRecord,
  { due, through }: { due: number; through: string | null },
): string {
  const { id, kind, reason, actor, actor_id } = refund;
  const isPart = due < refund.amount;
  // Refunds made since the failed attempt may have changed the VAT of this amount, so the refund is planned again.
  const plan = isPart || refund.lines.length === 0 ? planAgain(draft, refund, due) : refund;
  const attempt = { payment_id: through, status: firstStatus({ payment_id: through }), attempts: refund.attempts + 1 };
  if (isPart) return addRefund(draft, { ...plan, ...attempt, kind, reason, actor, actor_id, part_of: id }).id;
  applyStep(draft, through === null ? 'retry_another_way' : 'retry', {
    ...refund,
    ...plan,
    ...attempt,
    provider_refund: null,
  });
  return id;
}

function planAgain(draft: OrderDraft, refund: RefundRecord, amount: number): RefundPlan {
  return refundsWithinTotal([refund]).length > 0 ? planOf(draft, amount) : withoutVat(amount);
}

/** The most recently removed lines, if they cost exactly `amount` together; otherwise empty. */
function removedFor({ removed }: RefundFacts['order'], amount: number): RefundedLine[] {
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

interface ProviderFinding {
  step: Pick<PaymentStep, 'status' | 'owed'>;
  seen: ProviderPayment;
  settled?: string | undefined;
  /** Whether the payment has just reached its status. */
  isNew: boolean;
}

/**
 * Decides the next steps of an order's refunds after the provider's answer about a payment. `step`: the payment's own
 * step. The returned `money`: the order's new refunded sum and payment status; null: both are unchanged.
 */
export function nextRefundSteps(
  facts: RefundFacts,
  { step, seen, settled, isNew }: ProviderFinding,
  newId: () => string,
) {
  const draft = startRefundSteps(facts, newId);
  const isOwn = isPaymentOfOrder(draft, step.status);
  takeReturned(draft, seen, step.owed === null && !isOwn);
  takeNames(draft, seen);
  takeMade(draft, seen, settled);
  if (isOwn) takeUnknown(draft, seen);
  // Lines may have been removed from the order since the amount to capture was decided.
  if (isNew && step.status === 'captured' && step.owed === null) {
    addExcessRefund(draft, capturedAmountOf(seen), { payment_id: draft.payment.id, actor_id: null });
  }
  return { steps: draft.steps, money: draft.steps.some(isCounted) ? moneyAfterRefunds(draft) : null };
}

function isCounted({ kind, refund }: RefundStep): boolean {
  const isMade = refund.status === 'succeeded' && kind !== 'record_provider_id';
  return refund.kind !== 'late_payment' && (isMade || kind === 'return');
}

/**
 * Adds the step `return` for refunds that were made and whose money came back to the shop. `isLate`: the payment did
 * not pay its order.
 */
function takeReturned(draft: Draft, seen: ProviderPayment, isLate: boolean): void {
  const { refundList: listed = [] } = seen;
  const failed = listed.filter(isFailed);
  if (failed.length === 0) return;
  const made = draft.refunds.filter((one) => one.payment_id === draft.payment.id && one.status === 'succeeded');
  // A stored id of the provider takes precedence over the key. If somebody remade a failed refund at the provider, the
  // refund still has the key of the shop's failed call.
  const isOf = (refund: RefundRecord, { id, key }: ProviderRefund) =>
    refund.provider_refund === null ? key === refundKey(refund) : id === refund.provider_refund;
  const back = made.filter((refund) => failed.some((found) => isOf(refund, found)));
  for (const refund of back) applyStep(draft, 'return', { ...refund, status: 'failed' });
  // The shop stores no refund for a late payment that it refunded automatically. If the provider could not make that
  // refund, a failed refund is added, so that staff make it.
  if (isLate) addManualRefundOfRest(draft, false);
  const rest = made.filter((refund) => !back.includes(refund));
  const isNamed = (one: RefundRecord) =>
    one.provider_refund !== null || listed.some(({ key }) => key === refundKey(one));
  const unnamed = rest.filter((one) => !isNamed(one));
  takeReturnedPart(draft, unnamed, sumAmounts(rest) - refundedAmountOf(seen));
}

/**
 * Marks refunds as returned until they cover `over`, the excess of the shop's refunds over the provider's refunded sum.
 * Takes the newest first, among the refunds that the provider does not list (`unnamed`).
 */
function takeReturnedPart(draft: Draft, unnamed: readonly RefundRecord[], over: number): void {
  let left = over;
  for (const refund of unnamed.toReversed()) {
    if (left <= 0) break;
    const { id, amount, kind, payment_id } = refund;
    // The refund of a removed dish is outside the order's total and cannot be divided, so the whole refund is marked as
    // returned.
    const part = kind === 'line_removed' ? amount : Math.min(left, amount);
    left -= part;
    if (part < amount) {
      const others = draft.refunds.filter((one) => one.id !== id);
      const kept = planOf({ ...draft, refunds: others }, amount - part);
      addRefund(draft, { ...kept, payment_id, kind: 'at_provider', status: 'succeeded', part_of: id });
    }
    const now = draft.refunds.find((one) => one.id === id) ?? refund;
    applyStep(draft, 'return', { ...now, status: 'failed' });
  }
}

/**
 * Adds the step `succeed` for pending refunds that the provider has made. A refund is made if the provider lists it,
 * has just answered the refund's call, or has refunded the whole payment.
 */
function takeMade(draft: Draft, seen: ProviderPayment, settled: string | undefined): void {
  if (refundedAmountOf(seen) === 0) return;
  const listed = new Set<string | null>(unfailedRefunds(seen.refundList ?? []).map(({ id }) => id));
  for (const refund of throughPayment(draft)) {
    const isMade = refund.id === settled || listed.has(refund.provider_refund) || seen.state === 'refunded';
    if (refund.status === 'pending' && isMade) applyStep(draft, 'succeed', { ...refund, status: 'succeeded' });
  }
}

/** Adds rows for refunds that the provider made without a call of the shop, so that the sums agree. */
function takeUnknown(draft: Draft, seen: ProviderPayment): void {
  for (const { amount, kind, provider_refund } of unknownOf(draft, seen)) {
    const remade = kind === 'at_provider' && provider_refund !== null ? failedOf(draft, amount) : undefined;
    const room = refundableAmount(draft.order, unfailedRefunds(draft.refunds));
    // A refund made at the provider may exceed the refundable sum while refunds of the shop are pending. Such a refund
    // is added later: the provider refuses the pending refunds, and their amounts become refundable again.
    const mayWait = draft.refunds.some(({ status }) => status === 'pending');
    if (remade) applyStep(draft, 'retry_another_way', { ...remade, status: 'succeeded', provider_refund });
    else if (room > 0 && (amount <= room || !mayWait)) {
      const plan = planOf(draft, Math.min(amount, room));
      addRefund(draft, { ...plan, kind, status: 'succeeded', provider_refund, payment_id: draft.payment.id });
    }
  }
}

/** The failed refund that somebody has remade at the provider: the newest of this amount that is due in full. */
function failedOf({ order, refunds, money, payment }: Draft, amount: number): RefundRecord | undefined {
  const isOf = (one: RefundRecord) => one.payment_id === payment.id && one.kind !== 'late_payment';
  const isDue = (one: RefundRecord) =>
    one.amount === amount && dueAmountOfRefund({ ...money, order, refunds }, one) === amount;
  return refunds.findLast((one) => isFailed(one) && isOf(one) && isDue(one));
}

/** The provider's refunds that the shop has not stored, one by one, or as a single sum if the provider lists none. */
function unknownOf(draft: Draft, seen: ProviderPayment): Pick<RefundRecord, 'amount' | 'kind' | 'provider_refund'>[] {
  const ours = throughPayment(draft);
  if (!seen.refundList) {
    const amount = refundedAmountOf(seen) - sumAmounts(ours);
    const kind = draft.payment.owed === 'release' ? 'order_ended' : 'at_provider';
    return amount > 0 ? [{ amount, kind, provider_refund: null }] : [];
  }
  const known = new Set(ours.map(({ provider_refund }) => provider_refund));
  return unfailedRefunds(seen.refundList)
    .filter(({ id }) => !known.has(id))
    .map(({ id, key, amount }) => ({
      amount,
      kind: key?.startsWith('order:') ? 'order_ended' : 'at_provider',
      provider_refund: id,
    }));
}

function throughPayment({ refunds, payment }: Draft): RefundRecord[] {
  return unfailedRefunds(refunds).filter(({ payment_id }) => payment_id === payment.id);
}

/**
 * Adds the step `record_provider_id` for refunds whose id at the provider is now known; the provider's statement uses
 * that id.
 */
function takeNames(draft: Draft, { refundList = [] }: ProviderPayment): void {
  const ours = throughPayment(draft);
  const pairs = matchProviderRefunds(ours, refundList);
  for (const refund of ours) {
    const provider_refund = pairs.get(refund.id);
    if (provider_refund !== undefined) applyStep(draft, 'record_provider_id', { ...refund, provider_refund });
  }
}

/** The idempotency key of a refund's calls at the provider, one for each attempt. */
export const refundKey = ({ id, attempts }: { id: string; attempts: number }): string => `refund:${id}:${attempts}`;

/**
 * Finds the provider's id of each refund that is stored without one. The map's keys are the shop's ids. A refund is
 * matched by the idempotency key of its call or, if it had no call of its own, by its amount.
 */
export function matchProviderRefunds(
  ours: readonly Pick<RefundRecord, 'id' | 'kind' | 'amount' | 'provider_refund'>[],
  theirs: readonly ProviderRefund[],
): Map<string, string> {
  const named = new Set(ours.map(({ provider_refund }) => provider_refund));
  const free = new Set(unfailedRefunds(theirs).filter(({ id }) => !named.has(id)));
  const pairs = new Map<string, string>();
  for (const { id, kind, amount } of ours.filter(({ provider_refund }) => provider_refund === null)) {
    const hasCall = kind !== 'order_ended' && kind !== 'at_provider';
    const found =
      [...free].findLast(({ key }) => key?.startsWith(`refund:${id}:`)) ??
      [...free].find((one) => !hasCall && !one.key?.startsWith('refund:') && one.amount === amount);
    if (!found) continue;
    pairs.set(id, found.id);
    free.delete(found);
  }
  return pairs;
}
