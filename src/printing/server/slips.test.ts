import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import type { PrintJob } from '#printing/server/transport.ts';
import { openPrintBench, type PrintBench, type PrintInstance } from '#printing/testing/print-bench.ts';

let bench: PrintBench;
let here: PrintInstance;
let made = 0;
beforeAll(async () => {
  bench = await openPrintBench();
  here = bench.first;
});
afterAll(() => bench.close());
beforeEach(async () => {
  await bench.db.deleteFrom('prints').execute();
  await bench.db.deleteFrom('printers').execute();
});

/** The papers that come out of a printer now, each with the printer's word. */
async function print(printer: string): Promise<PrintJob[]> {
  const jobs: PrintJob[] = [];
  for (;;) {
    await here.caughtUp();
    const job = await here.leases.lease(printer, 'printer');
    if (!job) return jobs;
    await here.leases.begin(job);
    await here.leases.result(job, { kind: 'printed' });
    jobs.push(job);
    bench.wait(1);
  }
}
const sourcesOf = async (printer: string) => (await print(printer)).map(({ source }) => source ?? '');
const cancel = (order: string) => bench.move(order, 'cancel', { reason: 'The fryer broke' });
const kinds = async () =>
  (await bench.prints()).map(({ purpose, printer_id: id, status }) => `${purpose} ${id} ${status}`);
const lineAt = (station: string | null, name: string, quantity = 1) => ({
  id: `019a0000-0000-7000-8000-${String((made += 1)).padStart(12, '0')}`,
  item_id: '019a0000-0000-7000-8000-0000000000c2',
  name,
  kitchen_name: null,
  station,
  quantity,
  unit_price: 100,
  options: [],
  note: '',
  vat_rate: 2000,
  allergens: null,
  total: 100 * quantity,
});

describe('an order that is called off', () => {
  test('prints a slip where its papers came out, each once, and nowhere else', async () => {
    const kitchen = await bench.addPrinter({ copies: 2 });
    const counter = await bench.addPrinter({ receipts: ['customer'] });
    const away = await bench.addPrinter();
    const order = await bench.accept();
    await print(kitchen);
    await print(counter);
    await cancel(order);
    // The last printer never got that far: its receipt is of no use any more.
    const slips = (await kinds()).filter((kind) => kind.startsWith('cancellation'));
    expect(slips.toSorted()).toEqual([`cancellation ${kitchen} queued`, `cancellation ${counter} queued`].toSorted());
    expect(await print(away)).toEqual([]);
    const [slip] = await sourcesOf(kitchen);
    expect(slip).toMatch(/CANCELLED[^]*DO NOT COOK[^]*#\d[^]*The fryer broke[^]*Margherita/);
    expect(await print(counter)).toHaveLength(1);
  });

  test('prints no slip if the order was a test', async () => {
    const kitchen = await bench.addPrinter();
    const order = await bench.accept({ channel: 'test' });
    await print(kitchen);
    await cancel(order);
    expect(await print(kitchen)).toEqual([]);
  });

  test('its slip goes before the papers that wait, and a receipt that still waits is not printed', async () => {
    const both = await bench.addPrinter({ receipts: ['kitchen', 'customer'] });
    const order = await bench.accept();
    await here.caughtUp();
    const job = await here.leases.lease(both, 'printer');
    await here.leases.begin(job!);
    await here.leases.result(job!, { kind: 'printed' });
    bench.wait(1);
    await bench.accept();
    await cancel(order);
    expect((await kinds()).slice(0, 2)).toEqual([`receipt ${both} printed`, `receipt ${both} expired`]);
    const jobs = await print(both);
    expect(jobs.map(({ purpose }) => purpose)).toEqual(['cancellation', 'receipt', 'receipt']);
    expect(jobs.filter(({ orderId }) => orderId === order)).toHaveLength(1);
  });

  test('prints nothing when none of its papers is out', async () => {
    await bench.addPrinter();
    const later = new Date(bench.clock.now.getTime() + 3 * 60 * 60_000);
    await cancel(await bench.accept());
    await cancel(await bench.accept({ requested_for: later, promised_at: later }));
    expect((await bench.prints()).map(({ purpose, status }) => `${purpose} ${status}`)).toEqual([
      'receipt expired',
      'receipt expired',
    ]);
  });

  test('prints its slip where the backup printed, and of what the first printer may have printed too', async () => {
    const bar = await bench.addPrinter({ receipts: [], stations: ['bar'] });
    const grill = await bench.addPrinter({ stations: ['grill'], backup_printer_id: bar });
    await bench.addPrinter();
    const order = await bench.accept({ lines: [lineAt('grill', 'Burger'), lineAt('fryer', 'Chips')] });
    await here.caughtUp();
    const job = await here.leases.lease(grill, 'printer');
    await here.leases.begin(job!);
    await here.leases.result(job!, { kind: 'unknown', fault: 'paper_out' });
    await here.printers.flush();
    await here.tick();
    await print(bar);
    await cancel(order);
    const slips = (await bench.prints()).filter(({ purpose }) => purpose === 'cancellation');
    expect(slips.map(({ printer_id: id }) => id).toSorted()).toEqual([grill, bar].toSorted());
    expect((await sourcesOf(bar)).join()).toContain('Burger');
  });

  test('has the dishes of a station on its slip, and says how many others have', async () => {
    const grill = await bench.addPrinter({ stations: ['grill'] });
    await bench.addPrinter();
    const order = await bench.accept({ lines: [lineAt('grill', 'Burger'), lineAt('fryer', 'Chips', 3)] });
    await print(grill);
    await cancel(order);
    const [slip = ''] = await sourcesOf(grill);
    expect(slip).toContain('Burger');
    expect(slip).not.toContain('Chips');
    expect(slip).toContain('and 3 more dishes (fryer)');
  });

  test('after it was packed: nobody is told not to cook', async () => {
    const kitchen = await bench.addPrinter();
    const order = await bench.accept();
    await print(kitchen);
    await bench.move(order, 'packed');
    await cancel(order);
    const [slip] = await sourcesOf(kitchen);
    expect(slip).toContain('CANCELLED');
    expect(slip).not.toContain('DO NOT COOK');
  });

  test('goes to the backup of a printer that does not print, sounds, and is marked if it may be there twice', async () => {
    const bar = await bench.addPrinter({ receipts: [], sounds_buzzer: true });
    const kitchen = await bench.addPrinter({ backup_printer_id: bar, sounds_buzzer: true });
    const order = await bench.accept();
    await print(kitchen);
    await cancel(order);
    await here.caughtUp();
    const job = await here.leases.lease(kitchen, 'printer');
    expect(job?.soundsBuzzer).toBe(true);
    await here.leases.begin(job!);
    await here.leases.result(job!, { kind: 'unknown', fault: 'cover_open' });
    await here.printers.flush();
    await here.tick();
    const [moved] = await print(bar);
    expect(moved?.source).toMatch(/POSSIBLE DUPLICATE[^]*CANCELLED/);
  });
});

describe('another promise', () => {
  const promise = (order: string, minutes: number) => bench.move(order, 'promise', { minutes });

  test('prints a slip where the owner wants it, with the time before', async () => {
    const kitchen = await bench.addPrinter({ prints_promises: true });
    const counter = await bench.addPrinter({ receipts: ['customer'] });
    const order = await bench.accept();
    await print(kitchen);
    await print(counter);
    await promise(order, 70);
    await promise(order, 80);
    expect(await print(counter)).toEqual([]);
    const slips = await sourcesOf(kitchen);
    expect(slips, 'one that waits says the newest time').toHaveLength(1);
    expect(slips[0]).toMatch(/NEW TIME[^]*#\d[^]*was \d\d:\d\d/);
    await promise(order, 80);
    expect(await print(kitchen), 'it is on paper').toEqual([]);
    await promise(order, 95);
    expect(await print(kitchen)).toHaveLength(1);
  });

  test('prints none before the receipt is out, none of an order that ended, and by default none at all', async () => {
    const kitchen = await bench.addPrinter({ prints_promises: true });
    const order = await bench.accept();
    await promise(order, 70);
    expect((await print(kitchen)).map(({ purpose }) => purpose)).toEqual(['receipt']);
    await promise(order, 80);
    await bench.move(order, 'collected-by-customer');
    expect(await print(kitchen)).toEqual([]);
    await bench.changePrinter(kitchen, { prints_promises: false });
    const next = await bench.accept();
    await print(kitchen);
    await promise(next, 70);
    expect(await print(kitchen)).toEqual([]);
  });

  test('prints none in the kitchen for an order that it has packed', async () => {
    const kitchen = await bench.addPrinter({ prints_promises: true });
    const counter = await bench.addPrinter({ receipts: ['customer'], prints_promises: true });
    const order = await bench.accept();
    await print(kitchen);
    await print(counter);
    await bench.move(order, 'packed');
    await promise(order, 70);
    expect([await print(kitchen), (await print(counter)).length]).toEqual([[], 1]);
  });
});
