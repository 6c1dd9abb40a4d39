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
import type { RefundedLine, RefundKind, RefundStatus } from '#payment/refund.ts';

/*
 * The steps that an order's refunds can take, and those that the shop decides on. Nothing here reads or writes; the
 * steps after a provider's news are in `next-steps.ts`.
 */

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

export type Step =
  /** The provider has made it, or people have. `isTold`: the customer hears of it. */
  | { kind: 'make'; id: string; providerRefund: string | null; isTold: boolean; byHand?: Again }
  /** The provider is asked once more for one that failed. */
  | { kind: 'ask'; id: string; again: Again }
  /** Its money came back: people have to give it back in another way. */
  | { kind: 'return'; id: string; amount: number }
  /** As much as it is of less is the refund that it is a part of. */
  | { kind: 'add'; refund: StepRefund; isTold: boolean }
  /** Which refund at the provider it is. */
  | { kind: 'name'; id: string; providerRefund: string };

/** The tip and the VAT of another try; null: as they were. */
type Again = { plan: Pick<RefundPlan, 'tip' | 'vat'> | null };

interface PricedOrder extends PaidOrder {
  removed: readonly { line_id: string; quantity: number; amount: number; reason: string; actor: string }[];
}

export interface RefundFacts {
  /** As its payment leaves it, which may not be written yet. */
  order: MoneyFacts['order'] & PricedOrder;
  payment: { id: string; owed: string | null };
  isLatest: boolean;
  /** The movements of the order's payments, the newest included. */
  money: Pick<MoneyFacts, 'payments' | 'disputes' | 'movements'>;
  /** All of the order's, oldest first. */
  refunds: readonly StepRefund[];
}

/** The steps that were decided so far, with the refunds that they leave. */
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
export function moneyAfter({
  order,
  refunds,
}: {
  order: { total: number };
  refunds: readonly Pick<StepRefund, 'amount' | 'kind' | 'status'>[];
}): { refunded: number; payment_status: PaymentStatus } {
  const refunded = sumOf(ofTotal(refunds.filter(({ status }) => status === 'succeeded')));
  return { refunded, payment_status: statusAfterRefunds(refunded, order.total) };
}

/** Refunds as a step leaves them. */
export function afterStep(refunds: readonly StepRefund[], step: Step): StepRefund[] {
  const change = (id: string, to: Partial<StepRefund>) =>
    refunds.map((one) => (one.id === id ? { ...one, ...to } : one));
  if (step.kind === 'return') return change(step.id, { status: 'failed' });
  if (step.kind === 'name') return change(step.id, { provider_refund: step.providerRefund });
  if (step.kind === 'ask') {
    const { attempts = 0 } = refunds.find(({ id }) => id === step.id) ?? {};
    return change(step.id, { status: 'pending', attempts: attempts + 1, provider_refund: null, ...step.again.plan });
  }
  if (step.kind === 'make' && step.byHand) {
    return change(step.id, { status: 'succeeded', payment_id: null, ...step.byHand.plan });
  }
  if (step.kind === 'make') {
    const { providerRefund } = step;
    return change(step.id, {
      status: 'succeeded',
      ...(providerRefund !== null && { provider_refund: providerRefund }),
    });
  }
  const { refund } = step;
  const whole = refunds.find(({ id }) => id === refund.part_of);
  return [...(whole ? change(whole.id, withoutVat(whole.amount - refund.amount)) : refunds), refund];
}

export function take(draft: Begun, step: Step): void {
  draft.refunds = afterStep(draft.refunds, step);
  draft.steps.push(step);
}

export function inForce<Of extends { status: RefundStatus }>(refunds: readonly Of[]): Of[] {
  return refunds.filter(({ status }) => status !== 'failed');
}

type Added = RefundPlan & Pick<StepRefund, 'payment_id' | 'status' | 'kind'> & Partial<StepRefund>;

/** A refund that nobody asked for is by the system. */
export function refundOf({ newId }: Begun, added: Added): StepRefund {
  const bySystem = { reason: '', actor: 'system', actor_id: null };
  return { id: newId(), provider_refund: null, part_of: null, attempts: 1, ...bySystem, ...added };
}

/** The parts of an amount at the order's rates, beside its refunds in force. */
export function planOf({ order, refunds }: Pick<RefundFacts, 'order' | 'refunds'>, amount: number): RefundPlan {
  const plan = planRefund(order, inForce(refunds), { amount });
  if ('fault' in plan) throw new Error(`a refund of ${amount} does not fit: ${plan.fault}`);
  return plan;
}

/** Of refunds that are none of the order's total: they have no VAT either. */
const withoutVat = (amount: number): RefundPlan => ({ amount, tip: 0, vat: [], lines: [] });

/** The rest of a payment that did not pay its order is left to people, once. */
export function takeLate(draft: Draft): void {
  const { payment, refunds } = draft;
  const forPeople = refunds.filter(({ payment_id, status }) => payment_id === payment.id && status === 'failed');
  const amount = leftOf(draft) - sumOf(forPeople);
  if (amount > 0) takeForPeople(draft, 'late_payment', withoutVat(amount));
}

/**
 * People refund the rest of a payment that the payer has not got back, from the shop or by a lost dispute, and that the
 * provider will not refund.
 */
export function takeLeft(draft: Draft, isOwn: boolean): void {
  if (!isOwn) return takeLate(draft);
  const amount = Math.min(leftOf(draft), refundable(draft.order, inForce(draft.refunds)));
  if (amount > 0) takeForPeople(draft, 'order_ended', planOf(draft, amount));
}

function takeForPeople(draft: Draft, kind: RefundKind, plan: RefundPlan): void {
  const refund = refundOf(draft, { ...plan, payment_id: draft.payment.id, kind, status: 'failed' });
  take(draft, { kind: 'add', refund, isTold: true });
}

function leftOf({ order, refunds, money, payment }: Draft): number {
  return balanceOf({ ...money, order, refunds }, payment.id).left;
}

export interface Paid {
  /** Minor units. */
  paid: number;
  /** null: it goes back by hand. */
  paymentId: string | null;
  by?: { actor: string; actorId: string | null } | undefined;
}

/** The excess of an order's payment over its price goes back, since staff took dishes off it. */
export function takeExcess(draft: OrderDraft, { paid, paymentId, by }: Paid): void {
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
  take(draft, { kind: 'add', refund, isTold: false });
}

/** A refund that somebody asks for: through a payment or, without one, given back by hand already. */
export function takeAsked(
  draft: OrderDraft,
  asked: RefundPlan & Pick<StepRefund, 'payment_id' | 'reason' | 'actor' | 'actor_id'> & { key: string },
): StepRefund {
  const isByHand = asked.payment_id === null;
  const refund = refundOf(draft, { ...asked, kind: 'asked', status: isByHand ? 'succeeded' : 'pending' });
  take(draft, { kind: 'add', refund, isTold: isByHand });
  return refund;
}

/**
 * Another try of a failed refund, of which `due` is still to be given back: at the provider or, where `through` is
 * null, by hand. A part becomes a refund of its own: the part that the payer got back in another way stays failed, to
 * be due if that comes back. Returns the id of the one that is made.
 */
export function takeAgain(
  draft: OrderDraft,
  { id, amount, kind, lines, attempts, reason, actor, actor_id }: StepRefund,
  { due, through }: { due: number; through: string | null },
): string {
  // Refunds since may have changed the VAT of an amount.
  const plan =
    ofTotal([{ kind }]).length === 0 ? withoutVat(due) : lines.length === 0 || due < amount ? planOf(draft, due) : null;
  if (due < amount) {
    const by = { reason, actor, actor_id, attempts: attempts + 1, part_of: id };
    const status = through === null ? 'succeeded' : 'pending';
    const refund = refundOf(draft, { ...(plan ?? withoutVat(due)), ...by, kind, status, payment_id: through });
    take(draft, { kind: 'add', refund, isTold: through === null });
    return refund.id;
  }
  const again = { plan: plan && lines.length === 0 ? { tip: plan.tip, vat: plan.vat } : null };
  if (through === null) take(draft, { kind: 'make', id, providerRefund: null, isTold: true, byHand: again });
  else take(draft, { kind: 'ask', id, again });
  return id;
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
