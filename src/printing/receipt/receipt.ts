import { m } from '#messages';
import {
  calledOffLines,
  changesSince,
  customerLines,
  dishesElsewhere,
  hasChanged,
  kitchenLines,
  removedFromCustomer,
  removedFromKitchen,
} from '#printing/receipt/lines.ts';
import {
  customerSize,
  designOf,
  type ReceiptOptions,
  type ReceiptOrder,
  type ReceiptStore,
} from '#printing/receipt/order.ts';
import { banner, blank, centred, details, fromLeft, rule } from '#printing/receipt/layout.ts';
import {
  ageBanner,
  allergyBanner,
  firstNameOf,
  head,
  letterhead,
  momentWords,
  name,
  orderCode,
  orderNote,
  ownersLines,
  recipient,
  slipWarnings,
  warnings,
} from '#printing/receipt/head.ts';
import { payment, paymentWords, totals, vat } from '#printing/receipt/money.ts';
import { cleanReceiptText } from '#printing/receipt/text.ts';
import { localDateTime, localTime } from '#printing/receipt/time.ts';
import { isInKitchen, isUnanswered } from '#ordering/order-status.ts';
import type { OrderStatus } from '#ordering/order.ts';

/** The receiptline source of the cook's copy: no prices, everything readable at arm's length. */
export function kitchenReceipt(order: ReceiptOrder, store: ReceiptStore, options: ReceiptOptions): string {
  const columns = options.columns ?? 48;
  const { kitchen_size: size } = { ...designOf(store), ...options.design };
  const count = order.lines.reduce((sum, line) => sum + line.quantity, 0);
  const changes = changesSince(order, options.since);
  return [
    ...warnings(order, options, columns, hasChanged(changes)),
    ...head(order, store, options.printedAt, columns, changes.oldPromise),
    blank,
    ...allergyBanner(order, columns),
    ...ageBanner(order, columns),
    ...removedFromKitchen(changes, columns, size),
    ...(changes.removed.length > 0 ? [] : [rule]),
    ...kitchenLines(order, changes, columns, size),
    ...orderNote(order, columns),
    ...centred(m.printing_receipt_item_count({ count }), columns, { size: 'double', bold: true }),
    ...dishesElsewhere(order, columns),
    rule,
    ...kitchenDetails(order, store, columns),
    ...foot(store, options, columns),
  ].join('\n');
}

/** The receiptline source of the copy that goes with the food: prices, VAT, payment, address, allergens in words. */
export function customerReceipt(order: ReceiptOrder, store: ReceiptStore, options: ReceiptOptions): string {
  const columns = options.columns ?? 48;
  const design = { ...designOf(store), ...options.design };
  const size = customerSize(design.customer_size);
  const placed =
    order.placed_at && m.printing_receipt_ordered({ time: localDateTime(order.placed_at, store.timezone) });
  return [
    ...warnings(order, options, columns),
    ...letterhead(store, columns, design.shows_logo),
    rule,
    ...head(order, store, options.printedAt, columns),
    ...centred(placed ?? '', columns),
    rule,
    ...recipient(order, columns, design.shows_map_code),
    ...ageBanner(order, columns),
    ...customerLines(order, store.currency, columns, size),
    ...removedFromCustomer(order, columns, size),
    rule,
    ...totals(order, store.currency, columns, size),
    ...(options.notAnOrder ? [] : payment(order, store.currency, columns)),
    ...vat(order, store, columns),
    ...orderNote(order, columns),
    ...allergyBanner(order, columns),
    ...allergyAdvice(store, columns),
    rule,
    ...(design.shows_order_code ? orderCode(options.orderUrl, columns) : []),
    ...ownersLines(store.receipt_footer, columns),
    ...foot(store, options, columns),
  ].join('\n');
}

/** The kitchen's facts beside the food: phone, destination, and whether money is still due. */
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
  return details(rows, columns);
}

function allergyAdvice(store: ReceiptStore, columns: number): string[] {
  const phone = cleanReceiptText(store.phone);
  const words = phone === '' ? m.printing_receipt_allergy_advice() : m.printing_receipt_allergy_advice_phone({ phone });
  return fromLeft(words, columns);
}

function foot(store: ReceiptStore, options: ReceiptOptions, columns: number): string[] {
  const { notAnOrder = false, onScreen = false, printedAt } = options;
  const time = localDateTime(printedAt, store.timezone);
  return [
    ...centred(onScreen ? m.printing_receipt_as_of({ time }) : m.printing_receipt_printed({ time }), columns),
    ...(notAnOrder ? [blank, ...banner(m.printing_receipt_not_an_order(), columns, ['triple', 'double'])] : []),
  ];
}

/** How an order came to its end. */
export interface CalledOff {
  /** The status in which it was called off; null: not known. */
  from: OrderStatus | null;
  at: Date | string;
  /** Words for staff; null: none was given. */
  reason: string | null;
}

/** The receiptline source of the slip for the holders of an order's paper, after it was called off. */
export function cancellationSlip(
  order: ReceiptOrder,
  store: ReceiptStore,
  options: ReceiptOptions,
  { from, at, reason }: CalledOff,
): string {
  const { columns = 48, printedAt } = options;
  const { kitchen_size: size } = { ...designOf(store), ...options.design };
  const words = [m.printing_slip_cancelled()];
  if (from === null || isUnanswered(from) || isInKitchen(from)) words.push(m.printing_slip_stop());
  const moment = (time: Date | string) => momentWords(time, store.timezone, printedAt);
  return [
    ...slipWarnings(order, options, columns, words),
    ...name(order, columns),
    rule,
    ...details(
      [
        [m.printing_slip_reason(), reason ?? ''],
        [m.printing_slip_at(), moment(at)],
        [m.printing_slip_promised(), order.promised_at === null ? '' : moment(order.promised_at)],
        [m.printing_receipt_customer(), firstNameOf(order)],
      ],
      columns,
    ),
    ...calledOffLines(order, columns, size),
    ...dishesElsewhere(order, columns),
    rule,
    ...foot(store, options, columns),
  ].join('\n');
}

/** The receiptline source of the slip for the holders of a paper with another time. */
export function promiseSlip(order: ReceiptOrder, store: ReceiptStore, options: ReceiptOptions): string {
  const { columns = 48, printedAt, since } = options;
  const old = since?.promisedAt ?? null;
  const time = old && momentWords(old, store.timezone, printedAt);
  return [
    ...slipWarnings(order, options, columns, [m.printing_slip_promise()]),
    ...head(order, store, printedAt, columns),
    ...(time === null ? [] : centred(m.printing_slip_was({ time }), columns, { size: 'double', bold: true })),
    ...centred(firstNameOf(order), columns, { size: 'tall' }),
    rule,
    ...foot(store, options, columns),
  ].join('\n');
}
