import { m } from '#messages';
import { reasonOf } from '#ordering/history-words.ts';
import { paidMethod, paymentStatuses } from '#ordering/payment-status.ts';
import type { GuestOrder, HistoryEntry, MoneyBackState, RemovedRefundState } from '#ordering/order.ts';
import { isCalledOff, isUnanswered, statuses } from '#ordering/order-status.ts';
import { promisedRange } from '#ordering/tracker.ts';
import { dayWords, localDate, timeWords } from '#platform/date-words.ts';
import { formatMoney } from '#platform/money.ts';
import type { Store } from '#store/contract.ts';

/** Texts that an order's page and its mails share. */
type Told = Pick<
  GuestOrder,
  'status' | 'payment_status' | 'payment_method' | 'fulfilment_type' | 'requested_for' | 'total' | 'refunded'
> &
  Partial<Pick<GuestOrder, 'paid_by'>>;

/** The person who cancelled an order, and the reason that staff gave. Later notes about its money give neither. */
export function cancellationIn(history: readonly HistoryEntry[]): Pick<HistoryEntry, 'actor' | 'reason'> {
  const step = history.findLast(({ from, to }) => statuses[to].reason === 'text' && from !== to);
  return step ? { actor: step.actor, reason: reasonOf(step) } : { actor: 'system', reason: null };
}

/** The words about the money for dishes that the shop took off; null if there is nothing to say. */
export function removedMoneyWords(
  order: Told & Pick<GuestOrder, 'removed' | 'removed_refunds'>,
  currency: string,
): string | null {
  if (order.removed.length === 0 || isCalledOff(order.status)) return null;
  const total = formatMoney(order.total, currency);
  const { payment_method: method, payment_status: status, removed_refunds: back } = order;
  if (back.length > 0) {
    const words = method === 'card' ? backToCard : backInCash;
    // Only a sum of several refunds is "in all": money that went another way is told beside it, and dishes that were
    // taken off before the charge are no part of it.
    const isSum = back.length === 1 && (back[0]?.amount ?? 0) > lastRemoved(order);
    const sumWords = (amount: string) => (isSum ? m.ordering_removed_in_all({ amount }) : amount);
    return back.map(({ state, amount }) => words[state]({ amount: sumWords(formatMoney(amount, currency)) })).join(' ');
  }
  if (paymentStatuses[status].isTaken) return m.ordering_removed_not_charged();
  return status === 'authorised' ? m.ordering_removed_held({ total }) : m.ordering_removed_to_pay({ total });
}

type BackWords = Record<RemovedRefundState, (values: { amount: string }) => string>;

const backToCard: BackWords = {
  on_its_way: m.ordering_removed_back_to_card,
  made: m.ordering_removed_back_made,
  waits: m.ordering_removed_back_waits,
  by_bank: m.ordering_removed_back_by_bank,
  not_made: m.ordering_removed_back_not_made,
  by_hand: m.ordering_removed_back_by_hand,
};
/** Paid in cash since, a refund of the card's money has its own state. */
const backInCash: BackWords = { ...backToCard, by_hand: m.ordering_removed_back_in_cash };

/** The time of delivery or collection as a range. */
export function promiseWords(
  order: Told,
  promisedAt: string,
  now: Date,
  { timezone: timeZone, slot_minutes: slotMinutes }: Pick<Store, 'timezone' | 'slot_minutes'>,
): string {
  const { from, to } = promisedRange(promisedAt, order.requested_for, slotMinutes);
  const isToday = localDate(from, timeZone) === localDate(now, timeZone);
  // The word joiner keeps a range on one line.
  const times = `${timeWords(from, timeZone)}–\u2060${timeWords(to, timeZone)}`;
  const range = isToday ? times : `${dayWords(from, now, timeZone)}, ${times}`;
  if (isUnanswered(order.status)) {
    return order.requested_for ? m.ordering_order_requested({ time: range }) : m.ordering_order_estimate({ range });
  }
  return order.fulfilment_type === 'delivery'
    ? m.ordering_order_promised_delivery({ range })
    : m.ordering_order_promised_collection({ range });
}

/** How it is paid, in words, with the amount if it is not paid yet. */
export function paymentWords(order: Told & Pick<GuestOrder, 'payment_processing'>, currency: string): string {
  const { payment_status: status, refunded } = order;
  const method = paidMethod(order);
  const total = formatMoney(order.total, currency);
  if (refunded > 0) return m.ordering_refunded_of({ refunded: formatMoney(refunded, currency), total });
  if (order.total === 0 || (isCalledOff(order.status) && status === 'unpaid' && !order.payment_processing)) {
    return m.ordering_nothing_to_pay();
  }
  if (method === 'cash') return status === 'paid' ? m.ordering_paid_cash() : m.ordering_to_pay_cash({ total });
  const words: Record<GuestOrder['payment_status'], () => string> = {
    unpaid: order.payment_processing ? m.ordering_card_processing : m.ordering_card_unpaid,
    authorised: heldWords(order.status),
    // Charged before the shop has answered: its customer reads where the money goes if the answer is no.
    paid: isUnanswered(order.status) ? m.ordering_card_charged : m.ordering_paid_card,
    partially_refunded: m.ordering_card_part_refunded,
    refunded: m.ordering_card_refunded,
    voided: m.ordering_card_voided,
    failed: order.payment_processing ? m.ordering_card_processing : m.ordering_card_failed,
  };
  return words[status]();
}

function heldWords(status: Told['status']): () => string {
  if (isCalledOff(status)) return m.ordering_card_voided;
  return isUnanswered(status) ? m.ordering_card_held : m.ordering_card_charging;
}

/** The price of the dishes that were taken off last, minor units. */
function lastRemoved({ removed }: Pick<GuestOrder, 'removed'>): number {
  const last = removed.at(-1)?.at;
  return removed.reduce((sum, { at, amount }) => sum + (at === last ? amount : 0), 0);
}

/**
 * The words about the customer's money when an order ended without a sale; null if there is nothing to say. Held money
 * was never taken, and a charge comes back, from the shop or from the payer's bank.
 */
export function moneyBackWords(
  order: Told & Pick<GuestOrder, 'money_back' | 'payment_processing'>,
  currency: string,
): string | null {
  if (!isCalledOff(order.status) || order.payment_method !== 'card' || order.total === 0) return null;
  const { payment_status: status, money_back: back } = order;
  const isWhole = back.length === 1 && (back[0]?.state === 'on_its_way' || back[0]?.state === 'made');
  if (paymentStatuses[status].isTaken && back.length > 0 && !isWhole) {
    return back.map(({ state, amount }) => backWords[state]({ amount: formatMoney(amount, currency) })).join(' ');
  }
  if (order.payment_processing) return m.ordering_order_back_if_taken();
  if (paymentStatuses[status].isRefundable) return m.ordering_order_payment_back();
  if (status === 'refunded') return m.ordering_order_refunded();
  return status === 'authorised' || status === 'voided' ? m.ordering_order_released() : m.ordering_order_paid_back();
}

/** For an order that was not called off: refunds that did not reach their payer; null: none. */
export function refundsNotMadeWords(
  { status, money_back: back }: Pick<GuestOrder, 'status' | 'money_back'>,
  currency: string,
): string | null {
  if (isCalledOff(status) || back.length === 0) return null;
  return back.map(({ state, amount }) => backWords[state]({ amount: formatMoney(amount, currency) })).join(' ');
}

const backWords: Record<MoneyBackState, (values: { amount: string }) => string> = {
  on_its_way: m.ordering_order_back_to_card,
  made: m.ordering_order_back_made,
  waits: m.ordering_order_back_waits,
  after_dispute: m.ordering_order_back_after_dispute,
  by_bank: m.ordering_order_back_by_bank,
  not_made: m.ordering_order_back_not_made,
  by_hand: m.ordering_order_back_by_hand,
};

/** The money that a customer gets back who cancels an unanswered order, after the question whether they want to. */
export function cancelMoneyWords({ payment_status: status, payment_method: method }: Told): string | null {
  if (method !== 'card') return null;
  if (status === 'authorised') return m.ordering_order_cancel_held();
  return status === 'paid' ? m.ordering_order_payment_back() : null;
}

/** `2 × Olives, Chilli`; empty if nothing was chosen. */
export function optionWords(options: readonly { name: string; quantity: number }[]): string {
  return options.map(({ name, quantity }) => (quantity > 1 ? `${quantity} × ${name}` : name)).join(', ');
}
