import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { openPrintBench, type PrintBench, type PrintInstance } from '#printing/testing/print-bench.ts';
import { printErrorWords } from '#printing/printer-rules.ts';
import type { PrintJob } from '#printing/server/transport.ts';

let bench: PrintBench;
let here: PrintInstance;
beforeAll(async () => {
  bench = await openPrintBench();
  here = bench.first;
});
afterAll(() => bench.close());
beforeEach(async () => {
  await bench.db.deleteFrom('prints').execute();
  await bench.db.deleteFrom('printers').execute();
});

const leaseOf = async (printer: string): Promise<PrintJob> => {
  await here.caughtUp();
  const job = await here.leases.lease(printer, 'printer');
  if (!job) throw new Error('nothing was leased');
  return job;
};
const spell = async () =>
  (await bench.prints()).map(({ status, fault, ended_at }) => `${status} ${fault ?? ''}${ended_at ? '.' : ''}`.trim());
const minutes = (count: number) => bench.wait(count * 60);
const hear = async (printer: string, report: Parameters<typeof here.printers.heard>[1] = {}) => {
  here.printers.heard(printer, report);
  await here.printers.flush();
};
const printerRow = (id: string) =>
  bench.db.selectFrom('printers').selectAll().where('id', '=', id).executeTakeFirstOrThrow();

describe('a kitchen receipt', () => {
  test('expires half an hour after it was due: what was printed last night is not printed in the morning', async () => {
    const printer = await bench.addPrinter();
    await bench.accept();
    minutes(29);
    await here.tick();
    expect(await spell()).toEqual(['queued']);
    minutes(1);
    // Also for a printer that asks before anything has looked.
    expect(await here.leases.lease(printer, 'printer')).toBeNull();
    expect(await spell()).toEqual(['expired .']);
  });

  test('of a scheduled order waits for its time, and its half hour begins then', async () => {
    const printer = await bench.addPrinter();
    const promised = new Date(bench.clock.now.getTime() + 2 * 60 * 60_000);
    await bench.accept({ requested_for: promised, promised_at: promised });
    expect(await here.leases.lease(printer, 'printer')).toBeNull();
    const [waiting] = await bench.prints();
    expect(waiting?.due_at.getTime()).toBeGreaterThan(bench.clock.now.getTime() + 60 * 60_000);
    minutes(((waiting?.due_at.getTime() ?? 0) - bench.clock.now.getTime()) / 60_000 + 29);
    await here.tick();
    expect(await spell()).toEqual(['queued']);
    expect(await leaseOf(printer)).toMatchObject({ copy: 'kitchen' });
  });

  test.each(['cancel', 'collected-by-customer'] as const)('expires when its order ends: %s', async (call) => {
    await bench.addPrinter();
    const order = await bench.accept();
    await bench.move(order, call, { reason: 'Nobody came' });
    expect(await spell()).toEqual(['expired .']);
  });

  test('that is being printed while its order ends is not tried again', async () => {
    const printer = await bench.addPrinter();
    const order = await bench.accept();
    const job = await leaseOf(printer);
    await here.leases.begin(job);
    await bench.move(order, 'cancel', { reason: 'Nobody came' });
    // Behind it is the slip that says so.
    expect(await spell()).toEqual(['sent', 'queued']);
    await here.leases.result(job, { kind: 'refused', fault: 'paper_out' });
    expect(await spell()).toEqual(['expired paper_out.', 'queued']);
  });

  test('whose paper may be out stays unknown when it is of no use any more', async () => {
    const printer = await bench.addPrinter();
    const order = await bench.accept();
    const job = await leaseOf(printer);
    await here.leases.begin(job);
    await here.leases.result(job, { kind: 'unknown', fault: 'offline' });
    await bench.move(order, 'cancel', { reason: 'Nobody came' });
    expect(await spell()).toEqual(['unknown offline.', 'queued']);
  });
});

test('a customer receipt stays when its order was handed over', async () => {
  await bench.addPrinter({ receipts: ['customer'] });
  const order = await bench.accept();
  await bench.move(order, 'collected-by-customer');
  expect(await spell()).toEqual(['queued']);
});

describe('a printer that does not print', () => {
  const withBackup = async () => {
    const backup = await bench.addPrinter({ receipts: [] });
    const kitchen = await bench.addPrinter({ backup_printer_id: backup });
    return { kitchen, backup };
  };

  test('and says why: its backup prints, unmarked, and the ledger tells it', async () => {
    const { kitchen, backup } = await withBackup();
    await bench.accept();
    await hear(kitchen, { paper: 'out', fault: 'paper_out' });
    await here.tick();
    const [first, second] = await bench.prints();
    expect(first).toMatchObject({
      printer_id: kitchen,
      status: 'failed',
      fault: 'paper_out',
      ended_at: bench.clock.now,
    });
    expect(second).toMatchObject({ printer_id: backup, moved_from_id: first?.id, status: 'queued', unsure: 0 });
    const job = await leaseOf(backup);
    expect(job.source).not.toContain('POSSIBLE DUPLICATE');
    await hear(kitchen, { paper: 'ok', fault: null });
    await here.caughtUp();
    expect(await here.leases.lease(kitchen, 'printer'), 'it must not come out twice').toBeNull();
  });

  test('and was sent it before: the backup’s paper is marked', async () => {
    const { kitchen, backup } = await withBackup();
    await bench.accept();
    const job = await leaseOf(kitchen);
    await here.leases.begin(job);
    await here.leases.result(job, { kind: 'unknown', fault: 'offline' });
    await here.printers.flush();
    await here.tick();
    expect(await spell()).toEqual(['unknown offline.', 'queued']);
    expect((await leaseOf(backup)).source).toContain('POSSIBLE DUPLICATE');
    // The first paper was there after all: the ledger says so, and that the other one was printed as well.
    await here.leases.result(job, { kind: 'printed' });
    expect(await spell()).toEqual(['printed .', 'claimed']);
  });

  test('and has a receipt in its hands: that is taken back too, and the backup prints it, marked', async () => {
    const { kitchen, backup } = await withBackup();
    await hear(kitchen);
    await bench.accept();
    await here.leases.begin(await leaseOf(kitchen));
    for (let seconds = 0; seconds < 21; seconds += 1) {
      bench.wait(1);
      await hear(backup);
      await here.tick();
    }
    expect((await printerRow(kitchen)).fault).toBe('offline');
    expect((await leaseOf(backup)).source).toContain('POSSIBLE DUPLICATE');
    expect(await spell()).toEqual(['unknown offline.', 'claimed']);
  });

  test('and polls seldom: its receipt is its own for three of its polls', async () => {
    const { kitchen } = await withBackup();
    await hear(kitchen, { pollSeconds: 40 });
    await bench.accept();
    await here.leases.begin(await leaseOf(kitchen));
    bench.wait(119);
    await here.tick();
    expect(await spell()).toEqual(['sent']);
    bench.wait(1);
    await here.tick();
    expect(await spell()).toEqual(['unknown unanswered']);
  });

  test('is silent for three polls: its backup prints', async () => {
    const { kitchen, backup } = await withBackup();
    await hear(kitchen);
    await hear(backup);
    await bench.accept();
    bench.wait(16);
    await here.tick();
    expect((await printerRow(kitchen)).fault).toBeNull();
    bench.wait(2);
    await hear(backup);
    await here.tick();
    expect(await printerRow(kitchen)).toMatchObject({ fault: 'offline', fault_since: bench.clock.now });
    await here.tick();
    expect(await spell()).toEqual(['failed offline.', 'queued']);
    await hear(kitchen);
    expect((await printerRow(kitchen)).fault).toBeNull();
  });

  test('polls seldom: it is silent after three of its own polls', async () => {
    const kitchen = await bench.addPrinter();
    await hear(kitchen, { pollSeconds: 60 });
    bench.wait(175);
    await here.tick();
    expect((await printerRow(kitchen)).fault).toBeNull();
    bench.wait(10);
    await here.tick();
    expect((await printerRow(kitchen)).fault).toBe('offline');
  });

  test('is new, and nobody knows how often it polls: it is not called silent before its second poll', async () => {
    const kitchen = await bench.addPrinter({ poll_seconds: null });
    for (let polls = 0; polls < 6; polls += 1) {
      await hear(kitchen);
      here.printers.polled(kitchen, true);
      await here.printers.flush();
      bench.wait(40);
      await here.tick();
      expect((await printerRow(kitchen)).fault, `after ${polls} polls`).toBeNull();
    }
    expect((await printerRow(kitchen)).poll_seconds).toBe(40);
    bench.wait(83);
    await here.tick();
    expect((await printerRow(kitchen)).fault).toBe('offline');
  });

  test('is offline also after it said what else is wrong with it', async () => {
    const kitchen = await bench.addPrinter();
    await hear(kitchen, { fault: 'cover_open', cover: 'open' });
    bench.wait(18);
    await here.tick();
    expect((await printerRow(kitchen)).fault).toBe('offline');
    await hear(kitchen, { fault: 'cover_open', cover: 'open' });
    expect((await printerRow(kitchen)).fault).toBe('cover_open');
  });

  test('does not count as silent because the server was away', async () => {
    const kitchen = await bench.addPrinter();
    await hear(kitchen);
    minutes(10);
    const restarted = await bench.openInstance();
    await restarted.tick();
    expect((await printerRow(kitchen)).fault).toBeNull();
    bench.wait(18);
    await restarted.tick();
    expect((await printerRow(kitchen)).fault).toBe('offline');
  });

  test('is reached by boards, and none takes its job', async () => {
    const counter = await bench.addPrinter({ kind: 'browser', address: '192.168.1.9:80', profile: 'epson-tm-m30' });
    minutes(5);
    await here.tick();
    expect((await printerRow(counter)).fault, 'nobody wanted anything of it').toBeNull();
    await bench.accept();
    bench.wait(18);
    await here.tick();
    expect((await printerRow(counter)).fault).toBe('no_device');
  });

  test('and whose backup does not print either: the next backup does, else it waits for the first that can', async () => {
    const last = await bench.addPrinter({ receipts: [] });
    const second = await bench.addPrinter({ receipts: [], backup_printer_id: last });
    const kitchen = await bench.addPrinter({ backup_printer_id: second });
    for (const id of [kitchen, second, last]) await hear(id, { fault: 'cover_open' });
    await bench.accept();
    await here.tick();
    expect(await spell()).toEqual(['queued']);
    await hear(last, { fault: null });
    await here.tick();
    const [, heir] = await bench.prints();
    expect(heir?.printer_id).toBe(last);
    // The last one fails now, and has no backup: what can print again is the kitchen's own.
    await hear(last, { fault: 'paper_out' });
    await hear(kitchen, { fault: null });
    await here.tick();
    expect((await bench.prints()).map(({ printer_id }) => printer_id)).toEqual([kitchen, last, kitchen]);
  });

  test('gives its next attempt at once when it is well again', async () => {
    const kitchen = await bench.addPrinter();
    await bench.accept();
    const job = await leaseOf(kitchen);
    await here.leases.begin(job);
    await here.leases.result(job, { kind: 'refused', fault: 'paper_out' });
    await here.printers.flush();
    expect((await printerRow(kitchen)).fault).toBe('paper_out');
    bench.wait(1);
    await hear(kitchen, { fault: null });
    await here.tick();
    expect(await spell()).toEqual(['queued paper_out']);
  });

  test('is not in trouble because it served another sender twice, or because one copy cannot be read', async () => {
    const kitchen = await bench.addPrinter();
    await bench.accept();
    for (const why of [{ fault: 'busy' }, { fault: 'offline', mayPass: true }, { fault: 'unreadable' }] as const) {
      const job = await leaseOf(kitchen);
      await here.leases.begin(job);
      await here.leases.result(job, { kind: 'refused', ...why });
      await here.printers.flush();
      expect((await printerRow(kitchen)).fault).toBeNull();
      bench.wait(10);
      await hear(kitchen);
      await here.tick();
    }
    expect(await spell()).toEqual(['failed unreadable.']);
  });

  test('does not answer, three times in turn: that is what is said of it', async () => {
    const kitchen = await bench.addPrinter({ kind: 'network', address: '192.168.1.9:9100', profile: 'epson-tm-m30' });
    await bench.accept();
    for (let attempt = 1; attempt <= 3; attempt += 1) {
      const job = await leaseOf(kitchen);
      await here.leases.begin(job);
      await here.leases.result(job, { kind: 'refused', fault: 'offline', mayPass: true });
      await here.printers.flush();
      expect((await printerRow(kitchen)).fault).toBe(attempt < 3 ? null : 'offline');
      bench.wait(20);
      await here.tick();
    }
    expect(printErrorWords({ fault: 'offline', fault_detail: null, error: null })).toContain('does not answer');
  });
});
