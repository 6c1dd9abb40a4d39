import type { LastPrintedCopy, ReceiptOrder } from '#printing/receipt/order.ts';
import { deliveryOrder, printedAt } from '#printing/testing/sample-receipts.ts';

/** A third of an hour into cooking the delivery: a dish has gone, another is fewer, and it is promised later. */
export const changedOrder: ReceiptOrder = {
  ...deliveryOrder,
  promised_at: '2026-11-21T19:05:00.000Z',
  lines: deliveryOrder.lines
    .filter(({ name }) => name !== 'Chicken tikka masala')
    .map((line) => (line.name === 'Poppadom' ? { ...line, id: 'poppadom', quantity: 8, total: 640 } : line)),
  removed: [
    {
      line_id: 'tikka',
      quantity: 1,
      name: 'Chicken tikka masala',
      kitchen_name: null,
      options: [
        { name: 'Medium', quantity: 1 },
        { name: 'Plain rice', quantity: 1 },
      ],
      at: '2026-11-21T18:15:00.000Z',
    },
    {
      line_id: 'poppadom',
      quantity: 4,
      name: 'Poppadom',
      kitchen_name: null,
      options: [],
      at: '2026-11-21T18:16:00.000Z',
    },
  ],
};
/** The curry station's part of the delivery. */
export const stationOrder: ReceiptOrder = {
  ...deliveryOrder,
  lines: deliveryOrder.lines.slice(0, 2),
  elsewhere: [
    { station: 'fryer', quantity: 12 },
    { station: 'bar', quantity: 1 },
  ],
};
/** What the kitchen's first copy of the delivery said. */
export const firstCopy: LastPrintedCopy = {
  drawnAt: printedAt,
  promisedAt: new Date('2026-11-21T18:50:00.000Z'),
};
