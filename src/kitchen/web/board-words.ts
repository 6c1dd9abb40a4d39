import { m } from '#messages';
import { paymentStatuses } from '#ordering/payment-status.ts';
import type { AlarmKind } from '#kitchen/board-alarms.ts';
import { orderDueAt, minutesUntilDue, minutesSincePlaced } from '#kitchen/order-urgency.ts';
import type { QueuedAction } from '#kitchen/web/action-queue.ts';
import { orderStatusNames } from '#ordering/history-words.ts';
import type { FollowUp, Order, PaymentStatus, RejectReason } from '#ordering/order.ts';
import type { PrintCopy, PrintStatus } from '#ordering/print.ts';
import { isStaffChannel } from '#ordering/next-status.ts';
import { isInHand } from '#ordering/order-status.ts';
import type { StaffCall } from '#ordering/status-row.ts';
import { dayWords, timeWords } from '#platform/date-words.ts';
import { ApiError } from '#platform/web/api.ts';
import type { Store } from '#store/contract.ts';

export const boardStatusWords = orderStatusNames;

export const boardCallWords: Record<StaffCall, () => string> = {
  accept: m.kitchen_board_accept,
  reject: m.kitchen_board_reject,
  packed: m.kitchen_board_packed,
  'collected-by-driver': m.kitchen_board_collected_by_driver,
  'collected-by-customer': m.kitchen_board_collected_by_customer,
  'delivered-to-customer': m.kitchen_board_delivered,
  promise: m.kitchen_board_promise,
  'lines/remove': m.kitchen_take_off,
  'lines/done': m.kitchen_tick,
  undo: m.platform_undo,
  cancel: m.kitchen_board_cancel,
  'followed-up': m.kitchen_lost_followed_up,
};

export const followUpWords: Record<FollowUp, () => string> = {
  rung: m.kitchen_lost_rung,
  left: m.kitchen_lost_left,
};

export const rejectReasonWords: Record<RejectReason, () => string> = {
  too_busy: m.kitchen_board_reason_too_busy,
  closing_early: m.kitchen_board_reason_closing_early,
  item_unavailable: m.kitchen_board_reason_item_unavailable,
  cannot_deliver: m.kitchen_board_reason_cannot_deliver,
  bad_address: m.kitchen_board_reason_bad_address,
  not_answered: m.kitchen_board_reason_not_answered,
  other: m.kitchen_board_reason_other,
};

export const paymentWords: Record<PaymentStatus, () => string> = {
  unpaid: m.kitchen_board_payment_unpaid,
  authorised: m.kitchen_board_payment_authorised,
  paid: m.kitchen_board_payment_paid,
  partially_refunded: m.kitchen_board_payment_partially_refunded,
  refunded: m.kitchen_board_payment_refunded,
  voided: m.kitchen_board_payment_voided,
  failed: m.kitchen_board_payment_failed,
};

export const boardPrintStatusWords: Record<PrintStatus, () => string> = {
  queued: m.kitchen_board_print_queued,
  claimed: m.kitchen_board_print_claimed,
  sent: m.kitchen_board_print_sent,
  printed: m.kitchen_board_print_printed,
  failed: m.kitchen_board_print_failed,
  expired: m.kitchen_board_print_expired,
  unknown: m.kitchen_board_print_unknown,
};

export const printCopyWords: Record<PrintCopy, () => string> = {
  kitchen: m.kitchen_board_copy_kitchen,
  customer: m.kitchen_board_copy_customer,
};

export const alarmWords: Record<AlarmKind, (count: { count: number }) => string> = {
  new: m.kitchen_board_alarm_new,
  payment: m.kitchen_board_alarm_payment,
  stop: m.kitchen_board_alarm_stop,
  arrived: m.kitchen_board_alarm_arrived,
  complaint: m.kitchen_board_alarm_complaint,
  allergy: m.kitchen_board_alarm_allergy,
  print: m.kitchen_board_alarm_print,
  printer: m.kitchen_board_alarm_printer,
  line: m.kitchen_board_alarm_line,
};

export function rejectionMoneyWords({ payment_status: status, payment_method: method }: Order): string {
  if (status === 'authorised') return m.kitchen_board_money_held();
  if (!paymentStatuses[status].isRefundable) return m.kitchen_board_money_none();
  return method === 'cash' ? m.kitchen_board_money_cash() : m.kitchen_board_money_card();
}

/** The text about the refund after a removal; `amount` is formatted. */
export function removalMoneyWords(order: Order, amount: string): string {
  const { payment_status: status, payment_method: method, channel } = order;
  if (status === 'authorised') return m.kitchen_board_less_held({ amount });
  if (!paymentStatuses[status].isTaken) return m.kitchen_board_less_to_pay({ amount });
  return method === 'cash' || isStaffChannel(channel)
    ? m.kitchen_board_less_by_hand({ amount })
    : m.kitchen_board_less_to_card({ amount });
}

/**
 * The label of an order's payment at the handover: `PAID`, `CARD APPROVED` or `TO PAY`. An order with a test payment
 * has nothing to pay.
 */
export function handoverPaymentWords(order: Pick<Order, 'payment_status' | 'payment'>): string {
  if (order.payment.is_test && !paymentStatuses[order.payment_status].isTaken) return m.kitchen_board_to_pay_nothing();
  if (order.payment_status === 'unpaid') return m.kitchen_board_to_pay();
  if (order.payment_status === 'authorised') return m.kitchen_board_card_held();
  return paymentWords[order.payment_status]();
}

/**
 * The remaining time as text: `12 min left`, `Out in 12 min` or `3 min late`. Without a promise, or for a finished
 * order, the order's age.
 */
export function timeLeftWords(order: Order, store: Store, now: number): string {
  const left = minutesUntilDue(order, store, now);
  if (!isInHand(order.status) || left === null) return m.kitchen_board_age({ minutes: minutesSincePlaced(order, now) });
  if (left < 0) return m.kitchen_board_late({ minutes: -left });
  // A delivery is due before its promised time, because the drive takes time.
  const hasWay = orderDueAt(order, store) !== Date.parse(order.promised_at ?? '');
  if (left === 0) return hasWay ? m.kitchen_board_leaves_now() : m.kitchen_board_due_now();
  return hasWay ? m.kitchen_board_leaves_in({ minutes: left }) : m.kitchen_board_due_in({ minutes: left });
}

/** Formats a time: `18:30` if it is today, otherwise with the day: `tomorrow 18:30`. */
export function boardMomentWords(instant: string, now: number, timeZone: string): string {
  const time = timeWords(instant, timeZone);
  const day = dayWords(instant, new Date(now), timeZone);
  return day === dayWords(new Date(now), new Date(now), timeZone) ? time : m.kitchen_board_day_time({ day, time });
}

export function actionDoneWords({ number, call, input }: QueuedAction, timeZone: string): string {
  const time = input.readyAt === undefined ? '' : timeWords(new Date(input.readyAt), timeZone);
  return call === 'accept' && !time ? m.kitchen_board_done_accept_later({ number }) : doneCalls[call]({ number, time });
}

const doneCalls: Record<StaffCall, (values: { number: string; time: string }) => string> = {
  accept: m.kitchen_board_done_accept,
  promise: m.kitchen_board_done_promise,
  reject: m.kitchen_board_done_reject,
  cancel: m.kitchen_board_done_cancel,
  'lines/remove': m.kitchen_take_off_notice,
  'lines/done': m.kitchen_tick,
  'followed-up': m.kitchen_lost_done,
  packed: m.kitchen_board_done_packed,
  'collected-by-driver': m.kitchen_board_done_driver,
  'collected-by-customer': m.kitchen_board_done_customer,
  'delivered-to-customer': m.kitchen_board_done_delivered,
  undo: m.kitchen_board_done_undo,
};

/** Explains a refused action by the order's new status, or else by the server's message. */
export function actionRefusedWords(action: QueuedAction, error: unknown, order: Order | null): string {
  const { number } = action;
  const call = boardCallWords[action.call]();
  if (error instanceof ApiError && error.code === 'illegal_transition' && order) {
    const actor = order.history.at(-1)?.actor;
    const status = boardStatusWords[order.status]();
    return actor
      ? m.kitchen_board_lost_to({ number, call, status, actor: actorWords(actor) })
      : m.kitchen_board_lost({ number, call, status });
  }
  const reason = error instanceof ApiError && error.message ? error.message : m.platform_internal();
  return m.kitchen_board_refused({ number, call, reason });
}

export function actorWords(actor: string): string {
  if (actor === 'customer' || actor === 'guest') return m.kitchen_board_actor_customer();
  return actor === 'system' || actor === '' ? m.kitchen_board_actor_system() : actor;
}

/** The text for a `RejectReason` or `FollowUp` code of the contract. Free text is returned unchanged. */
export function orderReasonWords(reason: string): string {
  const known = Object.entries({ ...rejectReasonWords, ...followUpWords }).find(([code]) => code === reason);
  return known ? known[1]() : reason;
}

/** The text for the time since the shop's last message, in whole `seconds`. */
export function lastMessageAgeWords(seconds: number): string {
  if (seconds < 2) return m.kitchen_board_heard_now();
  return seconds < 120
    ? m.kitchen_board_heard({ seconds })
    : m.kitchen_board_heard_minutes({ minutes: Math.floor(seconds / 60) });
}
