import { m } from '#messages';
import { banner, type Cell, centred, largestThatFits, rule, type Size, table } from '#printing/receipt/layout.ts';
import type { ReceiptOrder, ReceiptStore } from '#printing/receipt/order.ts';
import { isBlank } from '#printing/receipt/text.ts';
import { feeName } from '#ordering/fee-words.ts';
import { paidMethod } from '#ordering/payment-status.ts';
import { formatMoney } from '#platform/money.ts';

/** From the subtotal to the total, all from the order's own fields. */
export function totals(order: ReceiptOrder, currency: string, columns: number, textSize: Size = 'normal'): string[] {
  const total = formatMoney(order.total, currency);
  const rows: [string, string][] = [
    [m.printing_receipt_subtotal(), formatMoney(order.subtotal, currency)],
    ...order.discounts.map(({ name, amount }): [string, string] => [
      name,
      m.printing_receipt_discount_amount({ amount: formatMoney(amount, currency) }),
    ]),
    ...order.fees.map((fee): [string, string] => [feeName(fee), formatMoney(fee.amount, currency)]),
  ];
  if (order.tip > 0) rows.push([m.printing_receipt_tip(), formatMoney(order.tip, currency)]);
  const size = largestThatFits(`${m.printing_receipt_total()}  ${total}`, columns, ['double', 'tall']);
  const totalRow: Cell[] = [
    { text: m.printing_receipt_total(), size, bold: true },
    { text: total, size, bold: true, align: 'right' },
  ];
  return [
    ...table(
      rows.map(([text, amount]) => [
        { text, size: textSize },
        { text: amount, size: textSize, align: 'right' },
      ]),
      [0, widest(rows.map(([, amount]) => amount))],
      columns,
    ),
    ...table([totalRow], [0, total.length * (size === 'double' ? 2 : 1)], columns),
    rule,
  ];
}

/** PAID, or white on black TO PAY, readable across a counter; and how. */
export function payment(order: ReceiptOrder, currency: string, columns: number): string[] {
  const { short, long, isDue } = paymentWords(order, currency);
  const large = isDue
    ? banner(short, columns, ['double', 'tall'])
    : centred(short, columns, { size: largestThatFits(short, columns, ['double', 'tall']), bold: true });
  return [...large, ...centred(long, columns), rule];
}

/** Net and VAT a rate; nothing for a shop that is not registered for VAT. */
export function vat(order: ReceiptOrder, store: ReceiptStore, columns: number): string[] {
  if (isBlank(store.vat_number ?? '') || order.vat.length === 0) return [];
  const amounts = order.vat.map((row) => [formatMoney(row.net, store.currency), formatMoney(row.vat, store.currency)]);
  const heading = [m.printing_receipt_vat_heading(), m.printing_receipt_vat_net(), m.printing_receipt_vat()];
  const rows = order.vat.map((row, index) => [
    m.printing_receipt_vat_rate({ rate: percent(row.rate) }),
    ...(amounts[index] ?? []),
  ]);
  const width = widest(amounts.flat());
  return [
    ...table(
      [heading, ...rows].map((cells) => cells.map((text, index) => ({ text, align: index === 0 ? 'left' : 'right' }))),
      [0, width, width],
      columns,
    ),
    rule,
  ];
}

export interface PaymentWords {
  /** Readable across the counter: PAID, TO PAY £18.40. */
  short: string;
  /** How it is paid, in a sentence. Empty if the short form is enough. */
  long: string;
  isDue: boolean;
}

/** The payment, and the amount that the driver or the counter still has to collect. */
export function paymentWords(order: ReceiptOrder, currency: string): PaymentWords {
  const due = (long: string) => ({
    short: m.printing_receipt_to_pay({ amount: formatMoney(order.total, currency) }),
    long,
    isDue: true,
  });
  switch (order.payment_status) {
    case 'paid':
      return settled(m.printing_receipt_paid(), m.printing_receipt_paid_how({ method: paidMethod(order) }));
    case 'authorised':
      return settled(m.printing_receipt_paid(), m.printing_receipt_card_authorised());
    case 'refunded':
      return settled(m.printing_receipt_refunded());
    case 'partially_refunded':
      return settled(
        m.printing_receipt_partially_refunded(),
        order.refunded ? m.printing_receipt_refunded_amount({ amount: formatMoney(order.refunded, currency) }) : '',
      );
    case 'voided':
      return settled(m.printing_receipt_voided(), m.printing_receipt_voided_how());
    case 'failed':
      return due(m.printing_receipt_payment_failed());
    case 'unpaid':
      return due(order.payment_method === 'cash' ? m.printing_receipt_to_pay_cash() : m.printing_receipt_to_pay_card());
  }
}

/** Basis points as people write them: 2000 → `20%`, 1250 → `12.5%`. */
function percent(rate: number): string {
  return `${rate / 100}%`;
}

function widest(amounts: readonly string[]): number {
  return Math.max(6, ...amounts.map((amount) => amount.length));
}

function settled(short: string, long = ''): PaymentWords {
  return { short, long, isDue: false };
}
