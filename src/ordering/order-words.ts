import { m } from '#messages';
import { historyReasonWords } from '#ordering/history-words.ts';
import { effectivePaymentMethod, paymentStatuses } from '#ordering/payment-status.ts';
import type {
  GuestOrder,
  HistoryEntry,
  Order,
  OrderRefundState,
  OrderStatus,
  RejectReason,
  RemovedLinesRefundState,
} from '#ordering/order.ts';
import {
  isCalledOff,
  isInHand,
  isInKitchen,
  isUnanswered,
  isAwaitingPayment,
  orderStatusTable,
} from '#ordering/order-status.ts';
import { dayWords, localDateAt, timeWords } from '#platform/date-words.ts';
import { formatMoney } from '#platform/money.ts';
import type { Store } from '#store/contract.ts';
import { isReadyToCollect, nextStepCall, statusesUntilHandover } from '#ordering/next-status.ts';
import type { TimeColumn } from '#ordering/status-row.ts';
import { cookingStartTime, type PreparationSettings, type LeadTimeOrder } from '#ordering/promise.ts';

type Told = Pick<
  GuestOrder,
  'status' | 'payment_status' | 'payment_method' | 'fulfilment_type' | 'requested_for' | 'total' | 'refunded'
> &
  Partial<Pick<GuestOrder, 'paid_by'>>;

/**
 * Returns who made the last cancellation, and the reason. Later entries about payments are skipped, because they do not
 * change the status.
 */
export function findLastCancellation(history: readonly HistoryEntry[]): Pick<HistoryEntry, 'actor' | 'reason'> {
  const step = history.findLast(({ from, to }) => orderStatusTable[to].reason === 'text' && from !== to);
  return step ? { actor: step.actor, reason: historyReasonWords(step) } : { actor: 'system', reason: null };
}

/**
 * The text about the money for removed dishes: their refund, or that they are not charged. Null if no dish was removed,
 * or if the order was called off.
 */
export function removedDishesMoneyWords(
  order: Told & Pick<GuestOrder, 'removed' | 'removed_refunds'>,
  currency: string,
): string | null {
  if (order.removed.length === 0 || isCalledOff(order.status)) return null;
  const total = formatMoney(order.total, currency);
  const { payment_method: method, payment_status: status, removed_refunds: back } = order;
  if (back.length > 0) {
    const words = method === 'card' ? backToCard : backInCash;
    // The text says "in all" only if one refund state covers several removals. With several states, each has its own
    // text.
    const isSum = back.length === 1 && (back[0]?.amount ?? 0) > lastRemoved(order);
    const sumWords = (amount: string) => (isSum ? m.ordering_removed_in_all({ amount }) : amount);
    return back.map(({ state, amount }) => words[state]({ amount: sumWords(formatMoney(amount, currency)) })).join(' ');
  }
  if (paymentStatuses[status].isTaken) return m.ordering_removed_not_charged();
  return status === 'authorised' ? m.ordering_removed_held({ total }) : m.ordering_removed_to_pay({ total });
}

export function wishWords({
  if_sold_out: ifSoldOut,
  cutlery,
}: Partial<Pick<Order, 'if_sold_out' | 'cutlery'>>): string[] {
  return [
    ...(ifSoldOut === 'remove' ? [m.ordering_wish_remove()] : []),
    ...(cutlery ? [m.ordering_wish_cutlery()] : []),
  ];
}

type BackWords = Record<RemovedLinesRefundState, (values: { amount: string }) => string>;

const backToCard: BackWords = {
  on_its_way: m.ordering_removed_back_to_card,
  made: m.ordering_removed_back_made,
  waits: m.ordering_removed_back_waits,
  by_bank: m.ordering_removed_back_by_bank,
  not_made: m.ordering_removed_back_not_made,
  by_hand: m.ordering_removed_back_by_hand,
};
/**
 * The texts about refunds if an order's payment method is cash. Only the text about a refund by hand differs, because
 * the shop gives this refund in cash.
 */
const backInCash: BackWords = { ...backToCard, by_hand: m.ordering_removed_back_in_cash };

export function promiseWords(
  order: Told,
  promisedAt: string,
  now: Date,
  { timezone: timeZone, slot_minutes: slotMinutes }: Pick<Store, 'timezone' | 'slot_minutes'>,
): string {
  const { from, to } = promisedTimeRange(promisedAt, order, slotMinutes);
  const isToday = localDateAt(from, timeZone) === localDateAt(now, timeZone);
  // The word joiner prevents a line break within a range of times.
  const times = `${timeWords(from, timeZone)}–\u2060${timeWords(to, timeZone)}`;
  const range = isToday ? times : `${dayWords(from, now, timeZone)}, ${times}`;
  if (isUnanswered(order.status)) {
    return order.requested_for ? m.ordering_order_requested({ time: range }) : m.ordering_order_estimate({ range });
  }
  return order.fulfilment_type === 'delivery'
    ? m.ordering_order_promised_delivery({ range })
    : m.ordering_order_promised_collection({ range });
}

/** The text that says how an order was or will be paid, or how much of it was refunded. */
export function paymentWords(order: Told & Pick<GuestOrder, 'payment_processing'>, currency: string): string {
  const { payment_status: status, refunded } = order;
  const method = effectivePaymentMethod(order);
  const total = formatMoney(order.total, currency);
  if (refunded > 0) return m.ordering_refunded_of({ refunded: formatMoney(refunded, currency), total });
  if (order.total === 0 || (isCalledOff(order.status) && status === 'unpaid' && !order.payment_processing)) {
    return m.ordering_nothing_to_pay();
  }
  if (method === 'cash') return status === 'paid' ? m.ordering_paid_cash() : m.ordering_to_pay_cash({ total });
  const words: Record<GuestOrder['payment_status'], () => string> = {
    unpaid: order.payment_processing ? m.ordering_card_processing : m.ordering_card_unpaid,
    authorised: heldWords(order.status),
    // Until the shop answers, the text about a charged card says how the money comes back if the shop rejects the
    // order.
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

/** The sum, in minor units, for the dishes of the last removal. */
function lastRemoved({ removed }: Pick<GuestOrder, 'removed'>): number {
  const last = removed.at(-1)?.at;
  return removed.reduce((sum, { at, amount }) => sum + (at === last ? amount : 0), 0);
}

/** The text about the hold or the refund of a called-off card order; null for other orders, and for a total of 0. */
export function orderRefundWords(
  order: Told & Pick<GuestOrder, 'money_back' | 'payment_processing'>,
  currency: string,
): string | null {
  if (!isCalledOff(order.status) || order.payment_method !== 'card' || order.total === 0) return null;
  const { payment_status: status, money_back: back } = order;
  if (paymentStatuses[status].isTaken && back.length > 0 && !isWholeRefund(back)) return listBack(back, currency);
  if (order.payment_processing) return m.ordering_order_back_if_taken();
  if (paymentStatuses[status].isRefundable) return m.ordering_order_payment_back();
  if (status === 'refunded') return m.ordering_order_refunded();
  return status === 'authorised' || status === 'voided' ? m.ordering_order_released() : m.ordering_order_paid_back();
}

/**
 * The text about failed refunds; null if there are none, and for a called-off order, which `orderRefundWords`
 * describes.
 */
export function refundsNotMadeWords(
  { status, money_back: back }: Pick<GuestOrder, 'status' | 'money_back'>,
  currency: string,
): string | null {
  return isCalledOff(status) || back.length === 0 ? null : listBack(back, currency);
}

function isWholeRefund([first, ...others]: GuestOrder['money_back']): boolean {
  return others.length === 0 && (first?.state === 'on_its_way' || first?.state === 'made');
}

function listBack(back: GuestOrder['money_back'], currency: string): string {
  return back.map(({ state, amount }) => backWords[state]({ amount: formatMoney(amount, currency) })).join(' ');
}

const backWords: Record<OrderRefundState, (values: { amount: string }) => string> = {
  on_its_way: m.ordering_order_back_to_card,
  made: m.ordering_order_back_made,
  waits: m.ordering_order_back_waits,
  after_dispute: m.ordering_order_back_after_dispute,
  by_bank: m.ordering_order_back_by_bank,
  not_made: m.ordering_order_back_not_made,
  by_hand: m.ordering_order_back_by_hand,
};

/**
 * The sentence about the customer's card payment in the confirmation prompt “Cancel this order?”. Returns null if no
 * card payment is held or was taken.
 */
export function cancelPromptMoneyWords({ payment_status: status, payment_method: method }: Told): string | null {
  if (method !== 'card') return null;
  if (status === 'authorised') return m.ordering_order_cancel_held();
  return status === 'paid' ? m.ordering_order_payment_back() : null;
}

/** Formats the chosen options: `2 × Olives, Chilli`; empty if nothing was chosen. */
export function chosenOptionWords(options: readonly { name: string; quantity: number }[]): string {
  return options.map(({ name, quantity }) => (quantity > 1 ? `${quantity} × ${name}` : name)).join(', ');
}

export function optionsForKitchen<O extends { name: string; kitchen_name?: string | null | undefined }>(
  options: readonly O[],
): O[] {
  return options.map((option) => ({ ...option, name: option.kitchen_name ?? option.name }));
}

interface StationedLine {
  station?: string | null | undefined;
  options?: readonly { item_id?: string | undefined; station?: string | null | undefined }[] | undefined;
}

/**
 * Returns the stations that make a line's dishes; null in the list: a dish without a station. A deal without its own
 * station is made at its dishes' stations.
 */
export function stationsOf({ station = null, options = [] }: StationedLine): (string | null)[] {
  const ofDishes = options.flatMap((option) => (option.item_id ? [option.station ?? null] : []));
  return station === null && ofDishes.length > 0 ? ofDishes : [station, ...ofDishes];
}

/**
 * Normalises a station's name for comparisons. People type the name in the menu and in the device's settings, so case
 * and outer spaces are ignored.
 */
export function stationKey(station: string | null | undefined): string {
  return (station ?? '').trim().toLowerCase();
}

type Tracked = Pick<
  GuestOrder,
  'status' | 'payment_status' | 'fulfilment_type' | TimeColumn | 'promised_at' | 'requested_for'
> &
  LeadTimeOrder;

export interface TrackerStep {
  status: OrderStatus;
  name: string;
  /** When the step was reached, ISO 8601; null for a future step. */
  at: string | null;
  state: 'done' | 'now' | 'ahead';
}

/**
 * The steps that the order's page shows, from placed to the handover. The last step has no state `now`: it is done once
 * it is reached.
 */
export function trackerSteps(order: Tracked, store: PreparationSettings, now: Date): TrackerStep[] {
  const steps = statusesUntilHandover(order.fulfilment_type).map((status): Omit<TrackerStep, 'state'> => {
    if (isInKitchen(status)) return kitchenStep(order, status, store, now);
    const { stamps } = orderStatusTable[status];
    return { status, name: stepWords(status, order), at: stamps && order[stamps] };
  });
  const reached = steps.findIndex(({ status }) => status === order.status);
  return steps.map(({ status, name, at }, index) => {
    if (index > reached) return { status, name, at: null, state: 'ahead' };
    return { status, name, at, state: index < reached || index === steps.length - 1 ? 'done' : 'now' };
  });
}

function kitchenStep(
  order: Tracked,
  status: OrderStatus,
  store: PreparationSettings,
  now: Date,
): Omit<TrackerStep, 'state'> {
  const { accepted_at: acceptedAt } = order;
  if (isForLater(order, store, now)) return { status, name: m.ordering_step_booked(), at: acceptedAt };
  const begins = cookingStartTime(store, order);
  const isSince = begins !== null && acceptedAt !== null && Date.parse(acceptedAt) < begins.getTime();
  // Whether the kitchen started before the planned time. An early start has no stored time, so the time of the
  // acceptance is shown.
  const isEarly =
    begins !== null && (now < begins || (order.packed_at !== null && Date.parse(order.packed_at) < begins.getTime()));
  return {
    status,
    name: stepWords(status, order),
    at: isSince && !isEarly ? begins.toISOString() : acceptedAt,
  };
}

function stepWords(status: OrderStatus, { fulfilment_type }: Tracked): string {
  const isDelivery = fulfilment_type === 'delivery';
  const words: Record<OrderStatus, () => string> = {
    pending_payment: m.ordering_head_pending_payment,
    placed: m.ordering_step_placed,
    accepted: m.ordering_step_accepted,
    packed: isDelivery ? m.ordering_step_packed : m.ordering_step_ready,
    out_for_delivery: m.ordering_step_out,
    delivered: m.ordering_step_delivered,
    collected: m.ordering_step_collected,
    rejected: m.ordering_head_rejected,
    cancelled: m.ordering_head_cancelled,
    expired: m.ordering_head_expired,
  };
  return words[status]();
}

/** Whether the shop has accepted an order that the kitchen has not started yet. */
function isForLater(order: Pick<Tracked, 'status'> & Scheduled, store: PreparationSettings, now: Date): boolean {
  const begins = cookingStartTime(store, order);
  return isInKitchen(order.status) && begins !== null && now < begins;
}

type Scheduled = Pick<Tracked, 'requested_for' | 'promised_at'> & LeadTimeOrder;

const promisedRangeMs = 10 * 60_000;
const promiseRoundingMs = 5 * 60_000;

/**
 * Returns the promised time as a range. If the promise is the chosen slot, the range is that slot, which is
 * `slotMinutes` long. Otherwise the range is ten minutes long, and begins at the promise, rounded down to five minutes.
 * Until the driver leaves, such a range of a delivery also includes the ten minutes before, because the drive may be
 * short.
 */
export function promisedTimeRange(
  promisedAt: string,
  order: Pick<GuestOrder, 'requested_for' | 'fulfilment_type' | 'status'>,
  slotMinutes: number,
): { from: Date; to: Date } {
  const promised = Date.parse(promisedAt);
  const requestedFor = order.requested_for;
  if (requestedFor !== null && Date.parse(requestedFor) === promised) {
    return { from: new Date(promised), to: new Date(promised + slotMinutes * 60_000) };
  }
  const from = Math.floor(promised / promiseRoundingMs) * promiseRoundingMs;
  const isWide = order.fulfilment_type === 'delivery' && nextStepCall(order) !== 'delivered-to-customer';
  return { from: new Date(isWide ? from - promisedRangeMs : from), to: new Date(from + promisedRangeMs) };
}

/**
 * Returns how many minutes an accepted order is late, counted from the end of its promised range. Returns 0 before that
 * end, and once the food is handed over or ready to collect.
 */
export function minutesLate(order: Tracked, now: Date, slotMinutes: number): number {
  if (order.promised_at === null || !isInHand(order.status)) return 0;
  if (isReadyToCollect(order)) return 0;
  const { to } = promisedTimeRange(order.promised_at, order, slotMinutes);
  return Math.max(0, Math.floor((now.getTime() - to.getTime()) / 60_000));
}

export function orderHeadline(
  order: Pick<GuestOrder, 'status' | 'payment_status' | 'payment_processing'> & Scheduled,
  store: PreparationSettings,
  now: Date,
): string {
  if (isAwaitingPayment(order.status) && order.payment_processing) return m.ordering_head_processing();
  return isForLater(order, store, now) ? m.ordering_head_booked() : orderStatusSentence(order);
}

export function orderStatusSentence(order: Pick<Tracked, 'status' | 'payment_status' | 'fulfilment_type'>): string {
  const isDelivery = order.fulfilment_type === 'delivery';
  const words: Record<OrderStatus, () => string> = {
    pending_payment: order.payment_status === 'failed' ? m.ordering_head_declined : m.ordering_head_pending_payment,
    placed: m.ordering_head_placed,
    accepted: m.ordering_head_accepted,
    packed: isDelivery ? m.ordering_head_packed : m.ordering_head_ready,
    out_for_delivery: m.ordering_head_out,
    delivered: m.ordering_head_delivered,
    collected: m.ordering_head_collected,
    rejected: m.ordering_head_rejected,
    cancelled: m.ordering_head_cancelled,
    expired: m.ordering_head_expired,
  };
  return words[order.status]();
}

export function rejectionWords(reason: RejectReason | null): string {
  const words: Record<RejectReason, () => string> = {
    too_busy: m.ordering_rejected_too_busy,
    closing_early: m.ordering_rejected_closing_early,
    item_unavailable: m.ordering_rejected_item_unavailable,
    cannot_deliver: m.ordering_rejected_cannot_deliver,
    bad_address: m.ordering_rejected_bad_address,
    not_answered: m.ordering_rejected_not_answered,
    other: m.ordering_rejected_other,
  };
  return words[reason ?? 'other']();
}
