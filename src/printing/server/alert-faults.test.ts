import { sql } from 'kysely';
import { afterAll, beforeAll, beforeEach, expect, test, vi } from 'vitest';
import { printerFaultAlerts } from '#printing/server/alert-faults.ts';
import { openPrintBench, type PrintBench } from '#printing/testing/print-bench.ts';

let bench: PrintBench;
let watch: ReturnType<typeof printerFaultAlerts>;
let printer: string;
/** The messages to the webhook. */
const told = vi.fn<(alert: object) => void>();
const mailed = vi.fn<() => void>();
beforeAll(async () => {
  bench = await openPrintBench();
  watch = printerFaultAlerts(servicesWith('https://alerts.example'));
});
beforeEach(async () => {
  vi.clearAllMocks();
  await bench.db.deleteFrom('printers').execute();
  printer = await bench.addPrinter({ name: 'Kitchen' });
});
afterAll(() => bench.close());

/** Services for the watch, with a webhook that records. */
function servicesWith(ALERT_WEBHOOK_URL?: string) {
  return {
    db: bench.db,
    now: () => bench.clock.now,
    config: { ALERT_WEBHOOK_URL, publicUrl: 'https://shop.example' },
    admins: async () => [{ email: 'owner@example.com', locale: 'en' }],
    menus: { store: async () => ({ store: { id: bench.storeId, name: 'The Kiln' } }) },
    mail: { send: mailed },
    jobs: { send: async (_tx: unknown, _queue: string, alert: object) => told(alert) },
  } as unknown as Parameters<typeof printerFaultAlerts>[0];
}

const fails = async (fault: 'paper_out' | 'cover_open' | 'busy' | null, secondsAgo: number) => {
  const fault_since = fault === null ? null : new Date(bench.clock.now.getTime() - secondsAgo * 1000);
  await bench.changePrinter(printer, { fault, fault_since });
};
const look = async (one = watch) => {
  const { rows } = await sql<{ due: string[] }>`select ${one.due(bench.clock.now)} as due`.execute(bench.db);
  if (rows[0] && rows[0].due.length > 0) await one.work(rows[0].due);
};

test('a fault that lasts a minute is told to the webhook once, and to nobody by mail', async () => {
  await fails('paper_out', 61);
  await Promise.all([look(), look()]);
  await look();
  expect(told).toHaveBeenCalledExactlyOnceWith(
    expect.objectContaining({
      kind: 'printer_fault',
      store_id: bench.storeId,
      subject: 'The printer Kitchen does not print at The Kiln',
      text: 'The printer is out of paper. Put in a new roll.\n\nSee the printers:\nhttps://shop.example/admin/printers',
    }),
  );
  expect(mailed).not.toHaveBeenCalled();
  // The next fault is another one.
  await fails(null, 0);
  await look();
  await fails('cover_open', 90);
  await look();
  expect(told).toHaveBeenCalledTimes(2);
});

test.each([
  ['a new roll that is being put in', 'cover_open', 30],
  ['a printer that is busy', 'busy', 600],
] as const)('%s is not told', async (_name, fault, seconds) => {
  await fails(fault, seconds);
  await look();
  expect(told).not.toHaveBeenCalled();
});

test('without a webhook nothing is looked for', async () => {
  await fails('paper_out', 61);
  await look(printerFaultAlerts(servicesWith()));
  expect(told).not.toHaveBeenCalled();
});
