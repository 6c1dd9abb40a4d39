import { balanceOf, type MoneyFacts } from '#payment/balance.ts';
import { statusAfterRefunds } from '#ordering/payment-status.ts';
import type { PaymentStatus } from '#ordering/order.ts';
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
import type { RefundedLine, RefundStatus } from '#payment/refund.ts';

/* The steps that the shop decides on. Nothing here reads or writes; `next-steps.ts` has those after a provider's news. */

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
  /** The client's, if a client asked for it. */
  key?: string;
  reason: string;
  actor: string;
  actor_id: string | null;
}

export interface Step {
  /** `add` takes its amount from `part_of`; `return`: its money came back; `name`: the provider's id of it is known. */
  kind: 'add' | 'make' | 'ask' | 'return' | 'name';
  /** As the step leaves it. */
  refund: StepRefund;
  /** The customer hears that it was made. */
  isTold: boolean;
}

interface PricedOrder extends PaidOrder {
  removed: readonly { line_id: string; quantity: number; amount: number; reason: string; actor: string }[];
}

export interface RefundFacts {
  /** As its payment leaves it, which may not be written yet. */
  order: MoneyFacts['order'] & PricedOrder;
  payment: { id: string; owed: string | null };
  isLatest: boolean;
  /** The movements of the order's payments, those just seen included. */
  money: Pick<MoneyFacts, 'payments' | 'disputes' | 'movements'>;
  /** All of the order's, oldest first. */
  refunds: readonly StepRefund[];
}

/** The steps so far, with the refunds that they leave. */
interface Begun {
  refunds: readonly StepRefund[];
  steps: Step[];
  newId: () => string;
}

export type Draft = RefundFacts & Begun;
type OrderDraft = Pick<RefundFacts, 'order'> & Begun;

export function draftOf<Of extends Pick<RefundFacts, 'order' | 'refunds'>>(facts: Of, newId: () => string): Of & Begun {
  return { ...facts, steps: [], newId };
}

/** An order's columns of money once its refunds are as given. */
export function moneyAfter(after: {
  order: { total: number };
  refunds: readonly Pick<StepRefund, 'amount' | 'kind' | 'status'>[];
}): { refunded: number; payment_status: PaymentStatus } {
  const refunded = sumOf(ofTotal(after.refunds.filter(({ status }) => status === 'succeeded')));
  return { refunded, payment_status: statusAfterRefunds(refunded, after.order.total) };
}

/** Refunds as a step leaves them. */
export function afterStep(refunds: readonly StepRefund[], { kind, refund }: Step): StepRefund[] {
  if (kind !== 'add') return refunds.map((one) => (one.id === refund.id ? refund : one));
  const shrunk = refunds.map((one) =>
    one.id === refund.part_of ? { ...one, ...withoutVat(one.amount - refund.amount) } : one,
  );
  return [...shrunk, refund];
}

export function take(draft: Begun, kind: Step['kind'], refund: StepRefund, isTold = false): void {
  const step = { kind, refund, isTold };
  draft.refunds = afterStep(draft.refunds, step);
  draft.steps.push(step);
}

type Added = RefundPlan & Pick<StepRefund, 'payment_id' | 'status' | 'kind'> & Partial<StepRefund>;

/** A refund that nobody asked for is by the system. */
export function takeNew(draft: Begun, added: Added, isTold = added.status !== 'pending'): StepRefund {
  const bySystem = { reason: '', actor: 'system', actor_id: null };
  const refund = { id: draft.newId(), provider_refund: null, part_of: null, attempts: 1, ...bySystem, ...added };
  take(draft, 'add', refund, isTold);
  return refund;
}

export function inForce<Of extends { status: RefundStatus }>(refunds: readonly Of[]): Of[] {
  return refunds.filter(({ status }) => status !== 'failed');
}

export function planOf({ order, refunds }: Pick<RefundFacts, 'order' | 'refunds'>, amount: number): RefundPlan {
  const plan = planRefund(order, inForce(refunds), { amount });
  if ('fault' in plan) throw new Error(`a refund of ${amount} does not fit: ${plan.fault}`);
  return plan;
}

/** Refunds outside the order's total have no VAT. */
const withoutVat = (amount: number): RefundPlan => ({ amount, tip: 0, vat: [], lines: [] });

/** Leaves the payment's rest to people. Of a payment that did not pay its order that is done once. */
export function takeLeft(draft: Draft, isOwn: boolean): void {
  const { order, payment, refunds, money } = draft;
  const { left } = balanceOf({ ...money, order, refunds }, payment.id);
  const forPeople = refunds.filter(({ payment_id, status }) => payment_id === payment.id && status === 'failed');
  const amount = isOwn ? Math.min(left, refundable(order, inForce(refunds))) : left - sumOf(forPeople);
  if (amount <= 0) return;
  const plan = isOwn ? planOf(draft, amount) : withoutVat(amount);
  takeNew(draft, { ...plan, payment_id: payment.id, kind: isOwn ? 'order_ended' : 'late_payment', status: 'failed' });
}

export interface Paid {
  /** Minor units. */
  paid: number;
  /** null: it goes back by hand. */
  paymentId: string | null;
  by?: { actor: string; actorId: string | null } | undefined;
}

/** Gives back the excess over the price since staff took dishes off. */
export function takeExcess(draft: OrderDraft, { paid, paymentId, by }: Paid): void {
  const { order } = draft;
  const amount = excessOf(order, paid, inForce(draft.refunds));
  if (amount === 0) return;
  const last = order.removed.at(-1);
  const why = {
    reason: last?.reason ?? '',
    actor: by?.actor ?? last?.actor ?? 'system',
    actor_id: by?.actorId ?? null,
  };
  const status = paymentId === null ? 'succeeded' : 'pending';
  // The order's own VAT no longer contains it.
  const plan = { ...withoutVat(amount), lines: removedFor(order, amount) };
  takeNew(draft, { ...plan, ...why, payment_id: paymentId, kind: 'line_removed', status }, false);
}

export function takeAsked(
  draft: OrderDraft,
  asked: RefundPlan & Pick<StepRefund, 'payment_id' | 'reason' | 'actor' | 'actor_id'> & { key: string },
): StepRefund {
  return takeNew(draft, { ...asked, kind: 'asked', status: asked.payment_id === null ? 'succeeded' : 'pending' });
}

/**
 * Another try of a failed refund: at the provider or, where `through` is null, by hand. Its due part becomes a refund of its
 * own; the rest stays failed, to be due if the money of another way comes back. Returns the id of the new try.
 */
export function takeAgain(
  draft: OrderDraft,
  refund: StepRefund,
  { due, through }: { due: number; through: string | null },
): string {
  const { id, amount, kind, lines, reason, actor, actor_id } = refund;
  const isPart = due < amount;
  const isOfTotal = ofTotal([refund]).length > 0;
  // Refunds that were made since may have changed the VAT of an amount.
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

/** The last removed lines, if they cost as much; else none. */
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
