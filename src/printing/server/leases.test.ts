import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import type { PrintInstance } from '#printing/testing/print-bench.ts';
import { openPrintBench, type PrintBench } from '#printing/testing/print-bench.ts';
import type { PrintJob } from '#printing/server/transport.ts';

let bench: PrintBench;
let here: PrintInstance;
let there: PrintInstance;
let printer: string;
beforeAll(async () => {
  bench = await openPrintBench();
  here = bench.first;
  there = await bench.openInstance();
});
afterAll(() => bench.close());
beforeEach(async () => {
  await bench.db.deleteFrom('prints').execute();
  await bench.db.deleteFrom('printers').execute();
  printer = await bench.addPrinter();
});

const lease = async (by = 'printer', instance = here): Promise<PrintJob> => {
  const job = await instance.leases.lease(printer, by);
  if (!job) throw new Error('nothing was leased');
  return job;
};
const only = async () => {
  const [print, ...others] = await bench.prints();
  if (!print || others.length > 0) throw new Error(`${others.length + 1} prints`);
  return print;
};

describe('a lease', () => {
  test('gives a job with its paper to one holder', async () => {
    const order = await bench.accept();
    const job = await lease();
    expect(job).toMatchObject({ orderId: order, copy: 'kitchen', purpose: 'receipt', sentAt: null });
    expect(job.source).toContain('Margherita');
    expect(await there.leases.lease(printer, 'another')).toBeNull();
    expect(await only()).toMatchObject({ status: 'claimed', attempts: 1, claimed_at: bench.clock.now, ended_at: null });
  });

  test('is given again to a holder that has not heard the answer', async () => {
    await bench.accept();
    const job = await lease();
    bench.wait(15);
    const again = await lease('printer', there);
    expect([again.id, again.leaseId]).toEqual([job.id, job.leaseId]);
    expect(again.leaseUntil).toEqual(new Date(bench.clock.now.getTime() + 20_000));
  });

  test('that lapsed before anything was sent is queued again, and its holder may not send any more', async () => {
    await bench.accept();
    const lost = await lease('a');
    bench.wait(19);
    await here.tick();
    expect((await only()).status).toBe('claimed');
    bench.wait(1);
    await here.tick();
    expect((await only()).status).toBe('queued');
    expect(await here.leases.begin(lost)).toBe(false);
    const job = await lease('b');
    expect(job.source).not.toContain('POSSIBLE DUPLICATE');
    expect(await here.leases.begin(lost)).toBe(false);
    expect(await here.leases.begin(job)).toBe(true);
  });

  test('that lapsed is found also by the next one who asks, before anything looks for it', async () => {
    await bench.accept();
    const lost = await lease('a');
    bench.wait(20);
    const job = await lease('b');
    expect(job.id).toBe(lost.id);
    expect(job.leaseId).not.toBe(lost.leaseId);
  });

  test('gives one job of a printer after the other, the oldest first', async () => {
    const orders = [await bench.accept(), await bench.accept()];
    const job = await lease();
    await here.leases.begin(job);
    expect(await there.leases.lease(printer, 'printer')).toBeNull();
    await there.leases.result(job, { kind: 'printed' });
    const next = await lease();
    expect([job.orderId, next.orderId]).toEqual(orders);
  });

  test('goes to one of many who ask at once', async () => {
    await bench.accept();
    const asked = Array.from({ length: 8 }, (_, n) => (n % 2 ? here : there).leases.lease(printer, `device ${n}`));
    expect((await Promise.all(asked)).filter((job) => job !== null)).toHaveLength(1);
  });

  test('holds up nobody with a copy that cannot be drawn', async () => {
    const [broken, whole] = [await bench.accept(), await bench.accept()];
    await bench.db
      .updateTable('orders')
      .set({ lines: JSON.stringify([{ name: 7 }]) })
      .where('id', '=', broken)
      .execute();
    expect((await lease()).orderId).toBe(whole);
    expect((await bench.prints(broken))[0]).toMatchObject({
      status: 'failed',
      fault: 'unreadable',
      error: null,
      ended_at: bench.clock.now,
    });
  });
});

describe('the word of a printer', () => {
  const sent = async () => {
    await bench.accept();
    const job = await lease();
    await here.leases.begin(job);
    return job;
  };

  /** No word comes in time, and the next attempt is due. */
  const fallSilent = async () => {
    bench.wait(60);
    await here.tick();
    bench.wait(5);
    await here.tick();
  };

  test('makes a print printed; before it, nothing does', async () => {
    const job = await sent();
    expect(await only()).toMatchObject({ status: 'sent', sent_at: bench.clock.now, printed_at: null, ended_at: null });
    bench.wait(3);
    await there.leases.result(job, { kind: 'printed' });
    const printed = { status: 'printed', printed_at: bench.clock.now, ended_at: bench.clock.now };
    expect(await only()).toMatchObject(printed);
    bench.wait(3);
    await there.leases.result(job, { kind: 'unknown', fault: 'offline' });
    expect(await only()).toMatchObject(printed);
  });

  test('that never comes leaves it sent, which is the end', async () => {
    await here.leases.result(await sent(), { kind: 'sent' });
    expect(await only()).toMatchObject({ status: 'sent', printed_at: null, ended_at: bench.clock.now });
    bench.wait(3600);
    await here.tick();
    expect((await only()).status).toBe('sent');
  });

  test('that it refused is followed by the next attempt after a pause, unmarked', async () => {
    const job = await sent();
    await here.leases.result(job, { kind: 'refused', fault: 'paper_out' });
    expect(await only()).toMatchObject({
      status: 'failed',
      fault: 'paper_out',
      error: null,
      ended_at: null,
      retry_at: new Date(bench.clock.now.getTime() + 5_000),
    });
    bench.wait(5);
    await here.tick();
    await here.caughtUp();
    expect((await lease()).source).not.toContain('POSSIBLE DUPLICATE');
  });

  test('that does not come in three polls makes it unknown; it is printed again, marked', async () => {
    const job = await sent();
    bench.wait(14);
    await here.tick();
    expect((await only()).status).toBe('sent');
    bench.wait(1);
    await here.tick();
    expect(await only()).toMatchObject({
      status: 'unknown',
      unsure: 1,
      fault: 'unanswered',
      error: null,
    });
    bench.wait(5);
    await here.tick();
    await here.caughtUp();
    const again = await lease();
    expect(again.leaseId).not.toBe(job.leaseId);
    expect(again.source).toContain('POSSIBLE DUPLICATE');
  });

  test('may take longer while the printer still works on it', async () => {
    const job = await sent();
    bench.wait(14);
    await there.leases.extend(job);
    bench.wait(14);
    await here.tick();
    expect((await only()).status).toBe('sent');
  });

  test('counts also when it comes late, as long as nobody else has the job', async () => {
    const job = await sent();
    await fallSilent();
    expect((await only()).status).toBe('queued');
    await here.leases.result(job, { kind: 'printed' });
    expect((await only()).status).toBe('printed');
  });

  test('about an older attempt changes nothing', async () => {
    const job = await sent();
    await fallSilent();
    await here.caughtUp();
    const again = await lease();
    await here.leases.result(job, { kind: 'refused', fault: 'other' });
    expect(await only()).toMatchObject({ status: 'claimed', lease_id: again.leaseId });
  });

  test('is believed when it says late that it did not print', async () => {
    const job = await sent();
    bench.wait(60);
    await here.tick();
    await here.leases.result(job, { kind: 'refused', fault: 'cover_open' });
    expect(await only()).toMatchObject({ status: 'failed', unsure: 0 });
  });

  test('that is missing three times ends it: staff must look', async () => {
    await bench.accept();
    for (let attempt = 1; attempt <= 3; attempt += 1) {
      await here.caughtUp();
      const job = await lease();
      await here.leases.begin(job);
      await here.leases.result(job, { kind: 'unknown', fault: 'offline' });
      bench.wait(60);
      await here.tick();
    }
    expect(await only()).toMatchObject({ status: 'unknown', unsure: 3, ended_at: expect.any(Date) });
  });
});

test('what a printer holds can be asked for, whoever asks, until it ends', async () => {
  expect(await here.leases.held(printer)).toBeNull();
  await bench.accept();
  const job = await lease();
  expect(await there.leases.held(printer)).toMatchObject({ id: job.id, leaseId: job.leaseId, sentAt: null });
  await here.leases.begin(job);
  expect(await here.leases.begin(job), 'all of it may be sent again').toBe(true);
  expect(await there.leases.held(printer)).toMatchObject({ sentAt: bench.clock.now, source: job.source });
  await here.leases.result(job, { kind: 'printed' });
  expect(await there.leases.held(printer)).toBeNull();
  expect(await here.leases.begin(job)).toBe(false);
});
