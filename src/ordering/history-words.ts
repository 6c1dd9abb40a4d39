import { m } from '#messages';
import type {
  CancelReason,
  HistoryEntry,
  HistoryNote,
  OrderStatus,
  ProblemDetails,
  RemovalReason,
} from '#ordering/order.ts';
import { formatMoney } from '#platform/money.ts';
import { timeRefusalWords } from '#store/time-refusal.ts';

/**
 * Returns the text of a step's reason; null if there is none. A code is translated; a person's text is returned
 * unchanged.
 */
export function historyReasonWords({ note, reason }: Pick<HistoryEntry, 'note' | 'reason'>): string | null {
  return note ? historyNoteWords(note) : reason && givenReasonWords(reason);
}

/**
 * Returns the text of the reason for a removal or a cancellation. A code is translated; a person's text is returned
 * unchanged.
 */
export function givenReasonWords(reason: string): string {
  const known = Object.entries({ ...removalReasonWords, ...cancelReasonWords }).find(([code]) => code === reason);
  return known ? known[1]() : reason;
}

export const removalReasonWords: Record<RemovalReason, () => string> = {
  sold_out: m.ordering_removed_sold_out,
  customer_asked: m.ordering_removed_customer_asked,
};

export const cancelReasonWords: Record<CancelReason, () => string> = {
  customer_asked: m.ordering_removed_customer_asked,
  item_unavailable: m.ordering_cancelled_item_unavailable,
  cannot_deliver: m.ordering_cancelled_cannot_deliver,
  too_late: m.ordering_cancelled_too_late,
  payment: m.ordering_cancelled_payment,
};

export const orderStatusNames: Record<OrderStatus, () => string> = {
  pending_payment: m.ordering_status_pending_payment,
  placed: m.ordering_status_placed,
  accepted: m.ordering_status_accepted,
  packed: m.ordering_status_packed,
  out_for_delivery: m.ordering_status_out_for_delivery,
  delivered: m.ordering_status_delivered,
  collected: m.ordering_status_collected,
  rejected: m.ordering_status_rejected,
  cancelled: m.ordering_status_cancelled,
  expired: m.ordering_status_expired,
};

export function removedPiecesWords(lines: readonly { name: string; quantity: number }[]): string {
  return lines.map(({ name, quantity }) => m.ordering_removed_pieces({ quantity, name })).join(', ');
}

export function historyNoteWords(note: HistoryNote): string {
  switch (note.kind) {
    case 'marked_paid':
      return m.ordering_history_marked_paid();
    case 'arrived':
      return m.ordering_history_arrived();
    case 'cash_instead':
      return m.ordering_history_cash_instead();
    case 'refund':
      // The reason was erased together with the customer's details.
      return note.reason === ''
        ? m.ordering_history_refund_plain({ amount: amountOf(note) })
        : m.ordering_history_refund({ amount: amountOf(note), reason: note.reason });
    case 'lines_removed':
      return m.ordering_history_lines_removed({
        lines: removedPiecesWords(note.lines),
        amount: amountOf(note),
        reason: givenReasonWords(note.reason),
      });
    case 'overridden':
      return m.ordering_overridden({ problems: note.problems.map(problemWords).join(' ') });
    default:
      return moneyNotes[note.kind]({ amount: amountOf(note) });
  }
}

const moneyNotes = {
  refund_failed: m.ordering_history_refund_failed,
  refund_by_hand: m.ordering_history_refund_by_hand,
  refund_waits: m.ordering_history_refund_waits,
  inquiry: m.ordering_history_inquiry,
  inquiry_closed: m.ordering_history_inquiry_closed,
  disputed: m.ordering_history_disputed,
  dispute_won: m.ordering_history_dispute_won,
  dispute_lost: m.ordering_history_dispute_lost,
};

function problemWords(details: ProblemDetails): string {
  return details.kind === 'cash_limit'
    ? m.ordering_cash_limit({ amount: amountOf(details) })
    : timeRefusalWords(details);
}

function amountOf({ amount, currency }: { amount: number; currency: string }): string {
  return formatMoney(amount, currency);
}
