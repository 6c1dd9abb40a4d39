import { m } from '#messages';
import {
  cancelledDishLines,
  changesSinceLastCopy,
  customerLines,
  otherStationsLines,
  hasChangedSinceLastCopy,
  kitchenLines,
  removedCustomerLines,
  removedKitchenLines,
} from '#printing/receipt/lines.ts';
import {
  customerTextSize,
  receiptDesignOf,
  type ReceiptOptions,
  type ReceiptOrder,
  type ReceiptStore,
} from '#printing/receipt/order.ts';
import {
  bannerRows,
  blankRow,
  type TableCell,
  centredRows,
  detailTable,
  leftAlignedRows,
  largestFittingSize,
  ruleRow,
  type CharacterSize,
  tableRows,
} from '#printing/receipt/layout.ts';
import {
  ageBanner,
  allergyBanner,
  firstNameOf,
  orderHeadingRows,
  letterhead,
  timeOnPaper,
  fulfilmentAndNumberRows,
  orderQrCode,
  orderNote,
  customTextRows,
  recipientLines,
  slipWarnings,
  receiptWarnings,
} from '#printing/receipt/head.ts';
import { cleanReceiptText, hasNoPrintableCharacter, localDateTime, localTime } from '#printing/receipt/text.ts';
import { isInKitchen, isUnanswered } from '#ordering/order-status.ts';
import type { OrderStatus } from '#ordering/order.ts';
import { feeWords } from '#ordering/fee-words.ts';
import { effectivePaymentMethod, paymentStatuses } from '#ordering/payment-status.ts';
import { formatMoney } from '#platform/money.ts';

/** The receiptline source of the kitchen receipt: no prices, readable at arm's length. */
export function kitchenReceipt(order: ReceiptOrder, store: ReceiptStore, options: ReceiptOptions): string {
  const columns = options.columns ?? 48;
  const { kitchen_size: size } = { ...receiptDesignOf(store), ...options.design };
  const count = order.lines.reduce((sum, line) => sum + line.quantity, 0);
  const changes = changesSinceLastCopy(order, options.since);
  return [
    ...receiptWarnings(order, options, columns, hasChangedSinceLastCopy(changes)),
    ...orderHeadingRows(order, store, options.printedAt, columns, changes.oldPromise),
    blankRow,
    ...allergyBanner(order, columns),
    ...ageBanner(order, columns),
    ...removedKitchenLines(changes, columns, size),
    ...(changes.removed.length > 0 ? [] : [ruleRow]),
    ...kitchenLines(order, changes, columns, size),
    ...orderNote(order, columns),
    ...centredRows(m.printing_receipt_item_count({ count }), columns, { size: 'double', bold: true }),
    ...otherStationsLines(order, columns),
    ruleRow,
    ...kitchenDetails(order, store, columns),
    ...foot(store, options, columns),
  ].join('\n');
}

/** The receiptline source of the customer receipt: prices, VAT, payment, address, allergens. */
export function customerReceipt(order: ReceiptOrder, store: ReceiptStore, options: ReceiptOptions): string {
  const columns = options.columns ?? 48;
  const design = { ...receiptDesignOf(store), ...options.design };
  const size = customerTextSize(design.customer_size);
  const placed =
    order.placed_at && m.printing_receipt_ordered({ time: localDateTime(order.placed_at, store.timezone) });
  return [
    ...receiptWarnings(order, options, columns),
    ...letterhead(store, columns, design.shows_logo),
    ruleRow,
    ...orderHeadingRows(order, store, options.printedAt, columns),
    ...centredRows(placed ?? '', columns),
    ruleRow,
    ...recipientLines(order, columns, design.shows_map_code),
    ...ageBanner(order, columns),
    ...customerLines(order, store.currency, columns, size),
    ...removedCustomerLines(order, columns, size),
    ruleRow,
    ...totals(order, store.currency, columns, size),
    ...(options.notAnOrder ? [] : payment(order, store.currency, columns)),
    ...vat(order, store, columns),
    ...orderNote(order, columns),
    ...allergyBanner(order, columns),
    ...allergyAdvice(store, columns),
    ruleRow,
    ...(design.shows_order_code ? orderQrCode(options.orderUrl, columns) : []),
    ...customTextRows(store.receipt_footer, columns),
    ...foot(store, options, columns),
  ].join('\n');
}

/**
 * The details below the dishes of a kitchen receipt: the customer's first name, phone, a delivery's postcode, the time
 * of ordering, and the payment.
 */
function kitchenDetails(order: ReceiptOrder, store: ReceiptStore, columns: number): string[] {
  const placed = order.placed_at === null ? '' : localTime(order.placed_at, store.timezone);
  const rows: [string, string][] = [
    [m.printing_receipt_customer(), firstNameOf(order)],
    [m.printing_receipt_phone(), order.contact.phone],
    [
      m.printing_receipt_postcode(),
      order.fulfilment_type === 'delivery' ? cleanReceiptText(order.address?.postcode ?? '').toUpperCase() : '',
    ],
    [m.printing_receipt_placed(), placed && m.printing_receipt_placed_by({ time: placed, channel: order.channel })],
    [m.printing_receipt_payment(), order.placed_at === null ? '' : paymentWords(order, store.currency).short],
  ];
  return detailTable(rows, columns);
}

function allergyAdvice(store: ReceiptStore, columns: number): string[] {
  const phone = cleanReceiptText(store.phone);
  const words = phone === '' ? m.printing_receipt_allergy_advice() : m.printing_receipt_allergy_advice_phone({ phone });
  return leftAlignedRows(words, columns);
}

function foot(store: ReceiptStore, options: ReceiptOptions, columns: number): string[] {
  const { notAnOrder = false, onScreen = false, printedAt } = options;
  const time = localDateTime(printedAt, store.timezone);
  return [
    ...centredRows(onScreen ? m.printing_receipt_as_of({ time }) : m.printing_receipt_printed({ time }), columns),
    ...(notAnOrder ? [blankRow, ...bannerRows(m.printing_receipt_not_an_order(), columns, ['triple', 'double'])] : []),
  ];
}

export interface CancellationDetails {
  /** The status before the cancellation; null if it is not known. */
  from: OrderStatus | null;
  at: Date | string;
  /** The reason in words for staff; null if none was given. */
  reason: string | null;
}

export function cancellationSlip(
  order: ReceiptOrder,
  store: ReceiptStore,
  options: ReceiptOptions,
  { from, at, reason }: CancellationDetails,
): string {
  const { columns = 48, printedAt } = options;
  const { kitchen_size: size } = { ...receiptDesignOf(store), ...options.design };
  const words = [m.printing_slip_cancelled()];
  if (from === null || isUnanswered(from) || isInKitchen(from)) words.push(m.printing_slip_stop());
  const moment = (time: Date | string) => timeOnPaper(time, store.timezone, printedAt);
  return [
    ...slipWarnings(order, options, columns, words),
    ...fulfilmentAndNumberRows(order, columns),
    ruleRow,
    ...detailTable(
      [
        [m.printing_slip_reason(), reason ?? ''],
        [m.printing_slip_at(), moment(at)],
        [m.printing_slip_promised(), order.promised_at === null ? '' : moment(order.promised_at)],
        [m.printing_receipt_customer(), firstNameOf(order)],
      ],
      columns,
    ),
    ...cancelledDishLines(order, columns, size),
    ...otherStationsLines(order, columns),
    ruleRow,
    ...foot(store, options, columns),
  ].join('\n');
}

export function promiseSlip(order: ReceiptOrder, store: ReceiptStore, options: ReceiptOptions): string {
  const { columns = 48, printedAt, since } = options;
  const old = since?.promisedAt ?? null;
  const time = old && timeOnPaper(old, store.timezone, printedAt);
  return [
    ...slipWarnings(order, options, columns, [m.printing_slip_promise()]),
    ...orderHeadingRows(order, store, printedAt, columns),
    ...(time === null ? [] : centredRows(m.printing_slip_was({ time }), columns, { size: 'double', bold: true })),
    ...centredRows(firstNameOf(order), columns, { size: 'tall' }),
    ruleRow,
    ...foot(store, options, columns),
  ].join('\n');
}

function totals(order: ReceiptOrder, currency: string, columns: number, textSize: CharacterSize = 'normal'): string[] {
  const total = formatMoney(order.total, currency);
  const rows: [string, string][] = [
    [m.printing_receipt_subtotal(), formatMoney(order.subtotal, currency)],
    ...order.discounts.map(({ name, amount }): [string, string] => [
      name,
      m.printing_receipt_discount_amount({ amount: formatMoney(amount, currency) }),
    ]),
    ...order.fees.map((fee): [string, string] => [feeWords(fee), formatMoney(fee.amount, currency)]),
  ];
  if (order.tip > 0) rows.push([m.printing_receipt_tip(), formatMoney(order.tip, currency)]);
  const size = largestFittingSize(`${m.printing_receipt_total()}  ${total}`, columns, ['double', 'tall']);
  const totalRow: TableCell[] = [
    { text: m.printing_receipt_total(), size, bold: true },
    { text: total, size, bold: true, align: 'right' },
  ];
  return [
    ...tableRows(
      rows.map(([text, amount]) => [
        { text, size: textSize },
        { text: amount, size: textSize, align: 'right' },
      ]),
      [0, widest(rows.map(([, amount]) => amount))],
      columns,
    ),
    ...tableRows([totalRow], [0, total.length * (size === 'double' ? 2 : 1)], columns),
    ruleRow,
  ];
}

/**
 * The rows about the payment. PAID or TO PAY is readable across a counter; TO PAY is white on black. A sentence below
 * names, for example, the payment method.
 */
function payment(order: ReceiptOrder, currency: string, columns: number): string[] {
  const { short, long, isDue } = paymentWords(order, currency);
  const large = isDue
    ? bannerRows(short, columns, ['double', 'tall'])
    : centredRows(short, columns, { size: largestFittingSize(short, columns, ['double', 'tall']), bold: true });
  return [...large, ...centredRows(long, columns), ruleRow];
}

/** The rows with net and VAT at each rate; empty for a shop that is not registered for VAT. */
function vat(order: ReceiptOrder, store: ReceiptStore, columns: number): string[] {
  if (hasNoPrintableCharacter(store.vat_number ?? '') || order.vat.length === 0) return [];
  const amounts = order.vat.map((row) => [formatMoney(row.net, store.currency), formatMoney(row.vat, store.currency)]);
  const heading = [m.printing_receipt_vat_heading(), m.printing_receipt_vat_net(), m.printing_receipt_vat()];
  const rows = order.vat.map((row, index) => [
    m.printing_receipt_vat_rate({ rate: percent(row.rate) }),
    ...(amounts[index] ?? []),
  ]);
  const width = widest(amounts.flat());
  return [
    ...tableRows(
      [heading, ...rows].map((cells) => cells.map((text, index) => ({ text, align: index === 0 ? 'left' : 'right' }))),
      [0, width, width],
      columns,
    ),
    ruleRow,
  ];
}

export interface ReceiptPaymentWords {
  /** The short form, readable across the counter: PAID, TO PAY £18.40. */
  short: string;
  /** The payment as a sentence; empty if the short form says everything. */
  long: string;
  isDue: boolean;
}

/** Describes the payment, and the amount that the driver or the counter still has to collect. */
function paymentWords(order: ReceiptOrder, currency: string): ReceiptPaymentWords {
  const due = (long: string) => ({
    short: m.printing_receipt_to_pay({ amount: formatMoney(order.total, currency) }),
    long,
    isDue: true,
  });
  if (order.payment?.is_test && !paymentStatuses[order.payment_status].isTaken)
    return settled(m.printing_receipt_nothing_to_pay(), m.printing_receipt_test());
  switch (order.payment_status) {
    case 'paid':
      return settled(m.printing_receipt_paid(), m.printing_receipt_paid_how({ method: effectivePaymentMethod(order) }));
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

/** Formats basis points: 2000 → `20%`, 1250 → `12.5%`. */
function percent(rate: number): string {
  return `${rate / 100}%`;
}

function widest(amounts: readonly string[]): number {
  return Math.max(6, ...amounts.map((amount) => amount.length));
}

function settled(short: string, long = ''): ReceiptPaymentWords {
  return { short, long, isDue: false };
}
