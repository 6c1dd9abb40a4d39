import { pino } from 'pino';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { createPrinterStateChecks } from '#printing/server/send-prints.ts';
import type { PrinterReport } from '#printing/server/transport.ts';
import { openPrintBench, type PrintBench, type PrintInstance } from '#printing/testing/print-bench.ts';

let bench: PrintBench;
let [here, there]: PrintInstance[] = [];
let asked: string[];
let answer: PrinterReport;
beforeAll(async () => {
  bench = await openPrintBench();
  here = bench.first;
  there = await bench.openInstance();
});
afterAll(() => bench.close());
beforeEach(async () => {
  await bench.db.deleteFrom('prints').execute();
  await bench.db.deleteFrom('printers').execute();
  asked = [];
  answer = { fault: null, paper: 'ok' };
});

const askFrom = (instance: PrintInstance, isSending = () => false) => {
  const { printers } = instance;
  const probe = async ({ id }: { id: string }) => {
    asked.push(id);
    return answer;
  };
  const transports = { network: { probe, send: () => Promise.reject(new Error('nothing is sent')) } };
  const log = pino({ level: 'silent' });
  const { look } = createPrinterStateChecks(
    { db: bench.db, log, now: () => bench.clock.now, printers, transports },
    isSending,
  );
  return async () => {
    await look();
    await printers.flush();
    for (const each of [here, there]) await each?.caughtUp();
  };
};
const addNetwork = (change = {}) =>
  bench.addPrinter({ kind: 'network', address: '192.168.1.9:9100', profile: 'epson-tm-m30', ...change });
const rowOf = (id: string) =>
  bench.db.selectFrom('printers').selectAll().where('id', '=', id).executeTakeFirstOrThrow();

test('an idle printer is asked every half minute: an empty roll is known before an order comes', async () => {
  const spare = await addNetwork({ receipts: [] });
  const kitchen = await addNetwork({ backup_printer_id: spare });
  const look = askFrom(here!);
  await look();
  expect(asked.toSorted()).toEqual([spare, kitchen].toSorted());
  expect(await rowOf(kitchen)).toMatchObject({ fault: null, paper: 'ok', last_seen_at: bench.clock.now });
  bench.wait(25);
  await look();
  expect(asked).toHaveLength(2);
  bench.wait(5);
  answer = { fault: 'paper_out', paper: 'out' };
  await look();
  expect(await rowOf(kitchen)).toMatchObject({ fault: 'paper_out', paper: 'out' });
  // In trouble it is asked more often, and found well again.
  bench.wait(5);
  answer = { fault: null, paper: 'ok' };
  await look();
  expect(await rowOf(kitchen)).toMatchObject({ fault: null, paper: 'ok' });
});

test('the backup has the order at once', async () => {
  const spare = await addNetwork({ receipts: [] });
  const kitchen = await addNetwork({ backup_printer_id: spare });
  await here!.caughtUp();
  here!.printers.found(kitchen, { fault: 'paper_out' });
  await here!.printers.flush();
  await bench.accept();
  await here!.tick();
  expect((await bench.prints()).map(({ printer_id: id, status, attempts }) => [id, status, attempts])).toEqual([
    [kitchen, 'failed', 0],
    [spare, 'queued', 0],
  ]);
});

test('of two instances one asks', async () => {
  await addNetwork();
  const looks = [askFrom(here!), askFrom(there!)];
  for (let round = 1; round <= 3; round += 1) {
    await Promise.all(looks.map((look) => look()));
    expect(asked).toHaveLength(round);
    bench.wait(30);
  }
});

test('nobody asks a printer that has a job in its hands, here or elsewhere', async () => {
  const kitchen = await addNetwork();
  await bench.accept();
  const job = await there!.leases.lease(kitchen, 'server there');
  await askFrom(here!)();
  await askFrom(here!, () => true)();
  expect(asked).toEqual([]);
  await there!.leases.result(job!, { kind: 'printed' });
  bench.wait(60);
  await askFrom(here!)();
  expect(asked).toEqual([kitchen]);
});

test.each(['offline', 'wrong_address'] as const)('%s counts when it was so three times in turn', async (fault) => {
  const kitchen = await addNetwork();
  const look = askFrom(here!);
  const lookLater = async () => {
    bench.wait(5);
    await look();
    return (await rowOf(kitchen)).fault;
  };
  await look();
  answer = { fault, detail: null };
  bench.wait(25);
  expect([await lookLater(), await lookLater()]).toEqual([null, null]);
  answer = { fault: null };
  expect(await lookLater()).toBeNull();
  answer = { fault, detail: null };
  bench.wait(25);
  expect([await lookLater(), await lookLater(), await lookLater()]).toEqual([null, null, fault]);
  answer = { fault: null };
  expect(await lookLater()).toBeNull();
});

test('a printer in trouble stays as it was while it does not answer for a moment', async () => {
  const kitchen = await addNetwork();
  const look = askFrom(here!);
  const lookLater = async (report: PrinterReport) => {
    answer = report;
    bench.wait(5);
    await look();
    return (await rowOf(kitchen)).fault;
  };
  const silent: PrinterReport = { fault: 'offline', detail: null };
  expect(await lookLater({ fault: 'paper_out' })).toBe('paper_out');
  expect([await lookLater(silent), await lookLater(silent)]).toEqual(['paper_out', 'paper_out']);
  expect(await lookLater(silent)).toBe('offline');
  expect(await lookLater({ fault: null })).toBeNull();
});

test('printers that poll, and those of boards, are not connected to', async () => {
  await bench.addPrinter();
  await bench.addPrinter({ kind: 'browser', address: '192.168.1.9:80' });
  await askFrom(here!)();
  expect(asked).toEqual([]);
});
