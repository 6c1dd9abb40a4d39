import { m } from '#messages';
import { notify } from '#ui/web/notify.ts';
import { refusalWords } from '#ui/web/office/refusal-words.ts';
import type { Order } from '#ordering/order.ts';
import { api } from '#platform/web/api.ts';

export type ReceiptChoice = 'kitchen' | 'customer' | 'both';

/**
 * Requests prints of an order's receipts. For both receipts, the call sends `kitchen` as `printType`, and sets `both`.
 */
export async function printReceipts(order: Order, choice: ReceiptChoice): Promise<void> {
  const input =
    choice === 'both' ? ({ printType: 'kitchen', both: true } as const) : ({ printType: choice, both: false } as const);
  const notice = `print ${order.id}`;
  try {
    await api('POST /v1/orders/{id}/print-receipt', { id: order.id, ...input }, { timeout: 15_000 });
    notify({ id: notice, text: m.kitchen_board_print_asked({ number: order.number }) });
  } catch (error) {
    notify({ id: notice, text: refusalWords(error), tone: 'bad' });
  }
}
