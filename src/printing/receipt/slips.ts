import { m } from '#messages';
import { isInKitchen, isUnanswered } from '#ordering/order-status.ts';
import type { OrderStatus } from '#ordering/order.ts';
import { designOf } from '#printing/receipt/design.ts';
import { firstNameOf, head, momentWords, name, slipWarnings } from '#printing/receipt/head.ts';
import { centred, details, rule } from '#printing/receipt/layout.ts';
import { calledOffLines, dishesElsewhere } from '#printing/receipt/lines.ts';
import type { ReceiptOptions, ReceiptOrder, ReceiptStore } from '#printing/receipt/order.ts';
import { foot } from '#printing/receipt/receipt.ts';

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
