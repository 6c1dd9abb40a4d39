import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { findPrinterProfile } from '#printing/paper/profiles.ts';
import type { ReceiptOptions, ReceiptOrder } from '#printing/receipt/order.ts';
import { cancellationSlip, customerReceipt, kitchenReceipt, promiseSlip } from '#printing/receipt/receipt.ts';
import { stopDrawingProcess } from '#printing/server/draw/drawing.ts';
import { encodeReceipt } from '#printing/server/encode/encode-receipt.ts';
import { decodeEscPos } from '#simulators/printers/decode/decode-escpos.ts';
import { drawSheet } from '#printing/testing/draw-sheet.ts';
import * as changes from '#printing/testing/sample-changes.ts';
import * as samples from '#printing/testing/sample-receipts.ts';
import * as scripts from '#printing/testing/sample-scripts.ts';

/**
 * Draws the receipts of docs/printing.md: `npm run make -- receipts`. The tests' decoder draws them from the bytes for
 * an Epson printer. The drawings look like that printer's paper, but have another font.
 */
const folder = 'docs/receipts';
const logo = await readFile('scripts/receipt-logo.svg');

interface Drawn {
  make: typeof kitchenReceipt;
  order: ReceiptOrder;
  options?: Partial<ReceiptOptions>;
}
const customer = { orderUrl: 'https://cliftonfryer.example/orders/01920000-0000-7000-8000-000000000107' };
const receipts: Record<string, Drawn> = {
  kitchen: { make: kitchenReceipt, order: samples.deliveryOrder },
  customer: { make: customerReceipt, order: samples.deliveryOrder, options: customer },
  changed: {
    make: kitchenReceipt,
    order: changes.changedOrder,
    options: { since: changes.firstCopy, copyNumber: 2, printedAt: new Date('2026-11-21T18:17:00Z') },
  },
  polish: { make: kitchenReceipt, order: scripts.polishOrder },
  arabic: { make: kitchenReceipt, order: scripts.arabicOrder },
  'arabic-customer': { make: customerReceipt, order: scripts.arabicOrder, options: customer },
  chinese: { make: kitchenReceipt, order: scripts.chineseOrder },
  cancelled: {
    make: (order, store, options) =>
      cancellationSlip(order, store, options, {
        from: 'accepted',
        at: '2026-11-21T18:16:00Z',
        reason: 'They rang: ordered twice by mistake',
      }),
    order: changes.stationOrder,
    options: { printedAt: new Date('2026-11-21T18:17:00Z') },
  },
  'new-time': {
    make: promiseSlip,
    order: changes.changedOrder,
    options: { since: changes.firstCopy, printedAt: new Date('2026-11-21T18:17:00Z') },
  },
  large: { make: kitchenReceipt, order: samples.collectionOrder, options: { design: { kitchen_size: 'large' } } },
};

// The timer keeps this process alive, because the drawing child process does not.
const alive = setInterval(() => {}, 60_000);
await mkdir(folder, { recursive: true });
let sum = 0;
for (const [name, { make, order, options }] of Object.entries(receipts)) {
  for (const width of [80, 58]) {
    const profile = findPrinterProfile('epson-tm-m30', width);
    if (!profile) throw new Error(`no profile for ${width} mm`);
    const store = { ...samples.sampleStore, logo: 'logo' };
    const source = make(order, store, { printedAt: samples.printedAt, columns: profile.columns, ...options });
    const { bytes, missing } = await encodeReceipt(source, profile, { pictures: { logo } });
    if (missing.length > 0) throw new Error(`${name} has boxes for ${missing.join(' ')}`);
    const png = await drawSheet(decodeEscPos(bytes, profile.dots), profile.dots);
    await writeFile(`${folder}/${name}-${width}.png`, png);
    sum += png.length;
  }
}
await stopDrawingProcess();
clearInterval(alive);
console.log(`${folder}: ${Math.round(sum / 1024)} kB`);
