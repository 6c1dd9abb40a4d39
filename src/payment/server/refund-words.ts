import { m } from '#messages';
import { givenReasonWords } from '#ordering/history-words.ts';
import type { Refund } from '#payment/refund.ts';

/** The reason of a refund, in the words of the person who made it, or else in the reader's language. */
export function refundReason({ kind, reason }: Pick<Refund, 'kind' | 'reason'>): string {
  switch (kind) {
    case 'asked':
      return reason;
    case 'line_removed':
      return m.payment_refund_of_lines({ reason: givenReasonWords(reason) });
    case 'order_ended':
      return m.payment_refund_of_closed();
    case 'late_payment':
      return m.payment_refund_of_late();
    case 'at_provider':
      return m.payment_refund_at_provider();
  }
}
