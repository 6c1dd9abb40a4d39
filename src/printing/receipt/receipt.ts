import { m } from '#messages';
import { changesSince, hasChanged } from '#printing/receipt/changes.ts';
import { customerSize, designOf } from '#printing/receipt/design.ts';
import { banner, blank, centred, details, fromLeft, rule } from '#printing/receipt/layout.ts';
import {
  ageBanner,
  allergyBanner,
  firstNameOf,
  head,
  letterhead,
  orderCode,
  orderNote,
  ownersLines,
  recipient,
  warnings,
} from '#printing/receipt/head.ts';
import {
  customerLines,
  dishesElsewhere,
  kitchenLines,
  removedFromCustomer,
  removedFromKitchen,
} from '#printing/receipt/lines.ts';
import { payment, paymentWords, totals, vat } from '#printing/receipt/money.ts';
import type { ReceiptOptions, ReceiptOrder, ReceiptStore } from '#printing/receipt/order.ts';
import { cleanReceiptText } from '#printing/receipt/text.ts';
import { localDateTime, localTime } from '#printing/receipt/time.ts';

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

export function foot(store: ReceiptStore, options: ReceiptOptions, columns: number): string[] {
  const { notAnOrder = false, onScreen = false, printedAt } = options;
  const time = localDateTime(printedAt, store.timezone);
  return [
    ...centred(onScreen ? m.printing_receipt_as_of({ time }) : m.printing_receipt_printed({ time }), columns),
    ...(notAnOrder ? [blank, ...banner(m.printing_receipt_not_an_order(), columns, ['triple', 'double'])] : []),
  ];
}
