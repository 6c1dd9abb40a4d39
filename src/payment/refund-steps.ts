import { balanceOf, refundDueOf, type MoneyFacts, paysOrder } from '#payment/balance.ts';
import { statusAfterRefunds } from '#ordering/payment-status.ts';
import type { PaymentStatus } from '#ordering/order.ts';
import {
  type EarlierRefund,
  excessPaid,
  refundsOfTotal,
  type PaidOrder,
  planRefund,
  refundableAmount,
  type RefundPlan,
  sumOfAmounts,
} from '#payment/refund-rules.ts';
import type { RefundedLine, RefundStatus } from '#payment/refund.ts';
import {
  capturedAmountOf,
  type PaymentStep,
  type ProviderPayment,
  type ProviderRefund,
} from '#payment/payment-state.ts';

/* Decides the next steps of an order's refunds. Reads and writes nothing. */

export interface RefundRecord extends EarlierRefund {
  id: string;
  /** null: refunded by hand. */
  payment_id: string | null;
  status: RefundStatus;
  /** The provider's id of the refund; null: not known yet. */
  provider_refund: string | null;
  part_of: string | null;
  /** The number of the last attempt, from 1. */
  attempts: number;
  /** The client's idempotency key, if a client requested the refund. */
  key?: string;
  reason: string;
  actor: string;
  actor_id: string | null;
}

export interface RefundStep {
  /**
   * `add`: a new refund; its amount is taken from `part_of`, if that is set. `make`: it succeeded. `ask`: the provider
   * is asked again. `return`: its money came back. `name`: the provider's id is known.
   */
  kind: 'add' | 'make' | 'ask' | 'return' | 'name';
  /** The refund after the step. */
  refund: RefundRecord;
  /** Whether the customer is told that the refund was made. */
  isTold: boolean;
}

interface PricedOrder extends PaidOrder {
  removed: readonly { line_id: string; quantity: number; amount: number; reason: string; actor: string }[];
}

export interface RefundFacts {
  /** The order after its payment's step, which may not be written yet. */
  order: MoneyFacts['order'] & PricedOrder;
  payment: { id: string; owed: string | null };
  isLatest: boolean;
  /** The payments, disputes and movements of the order, with the movements just seen at the provider. */
  money: Pick<MoneyFacts, 'payments' | 'disputes' | 'movements'>;
  /** Oldest first. */
  refunds: readonly RefundRecord[];
}

/** The steps that are decided so far, and the refunds after them. */
interface Begun {
  refunds: readonly RefundRecord[];
  steps: RefundStep[];
  newId: () => string;
}

type Draft = RefundFacts & Begun;
type OrderDraft = Pick<RefundFacts, 'order'> & Begun;

export function startRefundDraft<Of extends Pick<RefundFacts, 'order' | 'refunds'>>(
  facts: Of,
  newId: () => string,
): Of & Begun {
  return { ...facts, steps: [], newId };
}

/** The order's columns `refunded` and `payment_status` for the given refunds. */
export function moneyAfterRefunds(after: {
  order: { total: number };
  refunds: readonly Pick<RefundRecord, 'amount' | 'kind' | 'status'>[];
}): { refunded: number; payment_status: PaymentStatus } {
  const refunded = sumOfAmounts(refundsOfTotal(after.refunds.filter(({ status }) => status === 'succeeded')));
  return { refunded, payment_status: statusAfterRefunds(refunded, after.order.total) };
}

export function refundsAfterStep(refunds: readonly RefundRecord[], { kind, refund }: RefundStep): RefundRecord[] {
  if (kind !== 'add') return refunds.map((one) => (one.id === refund.id ? refund : one));
  const shrunk = refunds.map((one) =>
    one.id === refund.part_of ? { ...one, ...withoutVat(one.amount - refund.amount) } : one,
  );
  return [...shrunk, refund];
}

function take(draft: Begun, kind: RefundStep['kind'], refund: RefundRecord, isTold = false): void {
  const step = { kind, refund, isTold };
  draft.refunds = refundsAfterStep(draft.refunds, step);
  draft.steps.push(step);
}

type Added = RefundPlan & Pick<RefundRecord, 'payment_id' | 'status' | 'kind'> & Partial<RefundRecord>;

/** Adds a new refund; without an actor in `added`, it is the system's. */
function takeNew(draft: Begun, added: Added, isTold = added.status !== 'pending'): RefundRecord {
  const bySystem = { reason: '', actor: 'system', actor_id: null };
  const refund = { id: draft.newId(), provider_refund: null, part_of: null, attempts: 1, ...bySystem, ...added };
  take(draft, 'add', refund, isTold);
  return refund;
}

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

/** Leaves the rest of a payment to staff, as a failed refund; if the payment did not pay its order, only once. */
export function leaveRestToStaff(draft: Draft, isOwn: boolean): void {
  const { order, payment, refunds, money } = draft;
  const { left } = balanceOf({ ...money, order, refunds }, payment.id);
  const forPeople = refunds.filter(({ payment_id, status }) => payment_id === payment.id && status === 'failed');
  const amount = isOwn
    ? Math.min(left, refundableAmount(order, unfailedRefunds(refunds)))
    : left - sumOfAmounts(forPeople);
  if (amount <= 0) return;
  const plan = isOwn ? planOf(draft, amount) : withoutVat(amount);
  takeNew(draft, { ...plan, payment_id: payment.id, kind: isOwn ? 'order_ended' : 'late_payment', status: 'failed' });
}

export interface PaidSum {
  /** Minor units. */
  paid: number;
  /** null: the excess is refunded by hand. */
  paymentId: string | null;
  by?: { actor: string; actorId: string | null } | undefined;
}

/** Adds a refund of the excess over the order's price, after staff removed lines. */
export function addExcessRefund(draft: OrderDraft, { paid, paymentId, by }: PaidSum): void {
  const { order } = draft;
  const amount = excessPaid(order, paid, unfailedRefunds(draft.refunds));
  if (amount === 0) return;
  const last = order.removed.at(-1);
  const why = {
    reason: last?.reason ?? '',
    actor: by?.actor ?? last?.actor ?? 'system',
    actor_id: by?.actorId ?? null,
  };
  const status = paymentId === null ? 'succeeded' : 'pending';
  // No VAT: the order's own VAT no longer contains the removed lines.
  const plan = { ...withoutVat(amount), lines: removedFor(order, amount) };
  takeNew(draft, { ...plan, ...why, payment_id: paymentId, kind: 'line_removed', status }, false);
}

export function addRequestedRefund(
  draft: OrderDraft,
  asked: RefundPlan & Pick<RefundRecord, 'payment_id' | 'reason' | 'actor' | 'actor_id'> & { key: string },
): RefundRecord {
  return takeNew(draft, { ...asked, kind: 'asked', status: asked.payment_id === null ? 'succeeded' : 'pending' });
}

/**
 * Adds another attempt of a failed refund: through the payment `through` or, if that is null, by hand. If only a part
 * is due, the part becomes a refund of its own. The rest stays failed; it is due again if a refund made in another way
 * comes back. Returns the id of the attempted refund.
 */
export function addRefundRetry(
  draft: OrderDraft,
  refund: RefundRecord,
  { due, through }: { due: number; through: string | null },
): string {
  const { id, amount, kind, lines, reason, actor, actor_id } = refund;
  const isPart = due < amount;
  const isOfTotal = refundsOfTotal([refund]).length > 0;
  // Refunds made since then may have changed the VAT of the amount, so it is planned again.
  const plan = isPart || lines.length === 0 ? (isOfTotal ? planOf(draft, due) : withoutVat(due)) : {};
  const attempts = refund.attempts + 1;
  const status = through === null ? ('succeeded' as const) : ('pending' as const);
  if (isPart) {
    const by = { reason, actor, actor_id, attempts, part_of: id };
    return takeNew(draft, { ...withoutVat(due), ...plan, ...by, kind, status, payment_id: through }).id;
  }
  const again = { ...refund, ...plan, status, attempts, payment_id: through, provider_refund: null };
  take(draft, through === null ? 'make' : 'ask', again, through === null);
  return id;
}

/** The last removed lines whose cost is exactly `amount`; empty if there are none. */
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

export interface RefundDecision {
  steps: RefundStep[];
  /** The order's new columns `refunded` and `payment_status`; null if no refund succeeded or came back. */
  money: ReturnType<typeof moneyAfterRefunds> | null;
}

interface Found {
  step: Pick<PaymentStep, 'status' | 'owed'>;
  seen: ProviderPayment;
  /** The refund that the provider has just made. */
  settled?: string | undefined;
  /** Whether the payment has just reached its status. */
  isNew: boolean;
}

/** The steps of refunds after the provider's answer about a payment, whose own step is `step`. */
export function nextRefundSteps(
  facts: RefundFacts,
  { step, seen, settled, isNew }: Found,
  newId: () => string,
): RefundDecision {
  const draft = startRefundDraft(facts, newId);
  const isOwn = paysOrder(draft, step.status);
  takeReturned(draft, seen, step.owed === null && !isOwn);
  takeMade(draft, seen, isOwn, settled);
  takeNames(draft, seen.refundList ?? []);
  // Lines may have been removed from the order since the amount to capture was decided.
  if (isNew && step.status === 'captured' && step.owed === null) {
    addExcessRefund(draft, { paid: capturedAmountOf(seen), paymentId: draft.payment.id });
  }
  return { steps: draft.steps, money: draft.steps.some(isCounted) ? moneyAfterRefunds(draft) : null };
}

/** Whether a step may change the refunded sum of the order. */
function isCounted({ kind, refund }: RefundStep): boolean {
  const isMade = refund.status === 'succeeded' && kind !== 'name';
  return refund.kind !== 'late_payment' && (isMade || kind === 'return');
}

const isFailed = ({ status }: { status: string }) => status === 'failed';

/** Adds the step `return` for made refunds whose money came back. `isLate`: the payment did not pay its order. */
function takeReturned(draft: Draft, { refundList: seen = [], refunded = 0 }: ProviderPayment, isLate: boolean): void {
  const failed = seen.filter(isFailed);
  if (failed.length === 0) return;
  const made = draft.refunds.filter((one) => one.payment_id === draft.payment.id && one.status === 'succeeded');
  // A refund that the owner made at the provider may carry the key of our failed call: a known id decides.
  const isOf = (refund: RefundRecord, { id, key }: ProviderRefund) =>
    refund.provider_refund === null ? key === refundKey(refund) : id === refund.provider_refund;
  const back = made.filter((refund) => failed.some((found) => isOf(refund, found)));
  for (const refund of back) take(draft, 'return', { ...refund, status: 'failed' });
  // A late payment is refunded without a row here. Once that money came back, staff need a row to decide about it.
  if (isLate) leaveRestToStaff(draft, false);
  const rest = made.filter((refund) => !back.includes(refund));
  const isNamed = (one: RefundRecord) => one.provider_refund !== null || seen.some(({ key }) => key === refundKey(one));
  const unnamed = rest.filter((one) => !isNamed(one));
  takeReturnedPart(draft, unnamed, sumOfAmounts(rest) - refunded);
}

/** Returns refunds that the provider does not list, newest first, by as much as they are `over` its sum. */
function takeReturnedPart(draft: Draft, unnamed: readonly RefundRecord[], over: number): void {
  let left = over;
  for (const refund of unnamed.toReversed()) {
    if (left <= 0) break;
    const { id, amount, kind, payment_id } = refund;
    // The refund of a removed dish is outside the total, so it returns as a whole.
    const part = kind === 'line_removed' ? amount : Math.min(left, amount);
    left -= part;
    if (part < amount) {
      const others = draft.refunds.filter((one) => one.id !== id);
      const kept = planOf({ ...draft, refunds: others }, amount - part);
      takeNew(draft, { ...kept, payment_id, kind: 'at_provider', status: 'succeeded', part_of: id });
    }
    const now = draft.refunds.find((one) => one.id === id) ?? refund;
    take(draft, 'return', { ...now, status: 'failed' });
  }
}

/** Adds the step `make` for refunds that the provider has made. Unknown ones get rows, so that the sums agree. */
function takeMade(draft: Draft, seen: ProviderPayment, isOwn: boolean, settled: string | undefined): void {
  const back = seen.refunded ?? (seen.state === 'refunded' ? capturedAmountOf(seen) : 0);
  if (back === 0) return;
  const before = unfailedRefunds(draft.refunds);
  const pending = before.filter((one) => one.status === 'pending');
  // A removed dish's refund may come after refunds of the whole total.
  const made = pending
    .filter(({ kind, payment_id }) => (isOwn ? kind !== 'late_payment' : payment_id === draft.payment.id))
    .filter(({ id }) => id === settled || seen.state === 'refunded');
  for (const refund of made) {
    // The customer was told of a removed line's refund at once, but not of a later try that succeeded.
    const isTold = refund.kind !== 'line_removed' || refund.attempts > 1;
    take(draft, 'make', { ...refund, status: 'succeeded' }, isTold);
  }
  if (!isOwn) return;
  // An unknown refund that exceeds the refundable sum waits for pending ones, which the provider will refuse.
  const mayWait = made.length < pending.length;
  for (const found of unknownOf(draft, before, seen, back)) takeUnknown(draft, found, mayWait);
}

type Unknown = Pick<RefundRecord, 'amount' | 'kind' | 'provider_refund'>;

function takeUnknown(draft: Draft, { amount, kind, provider_refund }: Unknown, mayWait: boolean): void {
  const remade = kind === 'at_provider' && provider_refund !== null ? failedOf(draft, amount) : undefined;
  if (remade) return take(draft, 'make', { ...remade, status: 'succeeded', provider_refund }, true);
  const room = refundableAmount(draft.order, unfailedRefunds(draft.refunds));
  if (amount > room && mayWait) return;
  const plan = planOf(draft, Math.min(amount, room));
  if (plan.amount === 0) return;
  takeNew(draft, { ...plan, kind, status: 'succeeded', provider_refund, payment_id: draft.payment.id });
}

/** The newest failed refund with this amount due: somebody made it at the provider. */
function failedOf({ order, refunds, money, payment }: Draft, amount: number): RefundRecord | undefined {
  const isOf = (one: RefundRecord) => one.payment_id === payment.id && one.kind !== 'late_payment';
  const isDue = (one: RefundRecord) =>
    one.amount === amount && refundDueOf({ ...money, order, refunds }, one) === amount;
  return refunds.findLast((one) => isFailed(one) && isOf(one) && isDue(one));
}

/** The provider's refunds without a row here, each by itself; one sum if the provider does not list them. */
function unknownOf({ payment }: Draft, ours: readonly RefundRecord[], seen: ProviderPayment, back: number): Unknown[] {
  const { refundList } = seen;
  const through = ours.filter(({ payment_id }) => payment_id === payment.id);
  if (!refundList) {
    const amount = back - sumOfAmounts(through);
    const kind = payment.owed === 'release' ? 'order_ended' : 'at_provider';
    return amount > 0 ? [{ amount, kind, provider_refund: null }] : [];
  }
  const known = new Set([
    ...pairWithProviderRefunds(through, refundList).values(),
    ...through.map((row) => row.provider_refund),
  ]);
  return refundList
    .filter((found) => !isFailed(found) && !known.has(found.id))
    .map(({ id, key, amount }) => ({
      amount,
      kind: key?.startsWith('order:') ? 'order_ended' : 'at_provider',
      provider_refund: id,
    }));
}

/** Adds the step `name` for refunds whose id at the provider is now known; its statement uses that id. */
function takeNames(draft: Draft, seen: readonly ProviderRefund[]): void {
  const ours = unfailedRefunds(draft.refunds).filter(({ payment_id }) => payment_id === draft.payment.id);
  const pairs = pairWithProviderRefunds(ours, seen);
  for (const refund of ours) {
    const provider_refund = pairs.get(refund.id);
    if (provider_refund !== undefined) take(draft, 'name', { ...refund, provider_refund });
  }
}

/** The idempotency key of a refund's calls at the provider, one for each attempt. */
export const refundKey = ({ id, attempts }: { id: string; attempts: number }): string => `refund:${id}:${attempts}`;

/** The provider's ids for our refunds without one, by our ids: paired by our call's key, or else by amount. */
export function pairWithProviderRefunds(
  ours: readonly Pick<RefundRecord, 'id' | 'kind' | 'amount' | 'provider_refund'>[],
  theirs: readonly ProviderRefund[],
): Map<string, string> {
  const pairs = new Map<string, string>();
  const free = new Set(theirs.filter((found) => !isFailed(found)));
  for (const found of free) if (ours.some(({ provider_refund }) => provider_refund === found.id)) free.delete(found);
  const pair = ({ id }: { id: string }, found: ProviderRefund | undefined) => {
    if (!found) return;
    pairs.set(id, found.id);
    free.delete(found);
  };
  const unnamed = ours.filter(({ provider_refund }) => provider_refund === null);
  for (const one of unnamed)
    pair(
      one,
      [...free].findLast(({ key }) => key?.startsWith(`refund:${one.id}:`)),
    );
  for (const one of unnamed) {
    if (pairs.has(one.id) || (one.kind !== 'order_ended' && one.kind !== 'at_provider')) continue;
    pair(
      one,
      [...free].find(({ key, amount }) => !key?.startsWith('refund:') && amount === one.amount),
    );
  }
  return pairs;
}
