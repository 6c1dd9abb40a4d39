import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import type { DeviceJob } from '#printing/contract-printers.ts';
import type { Printer } from '#printing/printer.ts';
import { type LanPrinter, startLanPrinter } from '#printing/testing/browser-printers/lan-printer.ts';
import { askPrinter, sendToPrinter } from '#printing/web/lan/lan-printer.ts';
import { goRound, type JobReport, type LanPorts } from '#printing/web/lan/print-jobs.ts';

const kinds = [
  { service: 'epos', profile: 'epson-tm-m30' },
  { service: 'webprnt', profile: 'star-mc-print' },
] as const;

describe.each(kinds)('a printer of $profile', ({ service, profile }) => {
  let device: LanPrinter;
  let printer: Printer;
  beforeEach(async () => {
    vi.stubGlobal('location', { protocol: 'http:' });
    device = await startLanPrinter(service);
    // Only these fields matter here.
    printer = { id: 'p1', kind: 'browser', address: device.address, profile, width_mm: 80, status: {} } as Printer;
  });
  afterEach(async () => {
    vi.unstubAllGlobals();
    await device.close();
  });

  const condition = async () => {
    const heard = await askPrinter(printer);
    return 'answer' in heard ? heard.answer.condition : heard;
  };
  const job = (text: string): string => {
    const commands = Buffer.from(`\x1b@${text}\n`, 'latin1');
    return service === 'epos'
      ? `<epos-print xmlns="http://www.epson-pos.com/schemas/2011/03/epos-print"><command>${commands.toString('hex')}</command></epos-print>`
      : `<root><rawdata>${commands.toString('base64')}</rawdata></root>`;
  };

  test('says how it is, and prints nothing when it is asked', async () => {
    expect(await condition()).toMatchObject({ fault: null, paper: 'ok', cover: 'closed' });
    device.runLow();
    expect(await condition()).toMatchObject({ fault: null, paper: 'low' });
    device.runOutOfPaper();
    expect(await condition()).toMatchObject({ fault: 'paper_out', paper: 'out' });
    device.refill();
    device.openCover();
    expect(await condition()).toMatchObject({ fault: 'cover_open', cover: 'open' });
    device.closeCover();
    device.cutter = 'jammed';
    expect(await condition()).toMatchObject({ fault: 'cutter' });
    expect(device.papers).toEqual([]);
  });

  test('prints a job and says so', async () => {
    const heard = await sendToPrinter(printer, job('Two forks & a <b>note</b>'));
    expect(heard).toMatchObject({ answer: { isDone: true, condition: { fault: null } } });
    expect(device.papers.map(({ text }) => text).join()).toContain('Two forks & a <b>note</b>');
  });

  test('is not reached where there is none, and not understood where something else answers', async () => {
    const other = { ...printer, profile: service === 'epos' ? 'star-mc-print' : 'epson-tm-m30' };
    expect(await askPrinter(other)).toMatchObject({ unreached: 'not_understood' });
    await device.close();
    expect(await askPrinter(printer)).toEqual({ unreached: 'unreached' });
  });

  describe('in a round of a board', () => {
    let jobs: DeviceJob[];
    let reports: (JobReport & { id: string })[];
    let told: (string | null)[];
    let ports: LanPorts;
    beforeEach(async () => {
      const content = Buffer.from(job('Chips')).toString('base64');
      jobs = ['a', 'b'].map((id) => ({ id, printer, content, lease_id: id }) as DeviceJob);
      reports = [];
      told = [];
      ports = {
        claim: async () => jobs.shift() ?? null,
        report: async ({ id }, report) => {
          reports.push({ id, ...report });
          return true;
        },
        tell: async (_, { fault }) => void told.push(fault),
        ask: askPrinter,
        send: sendToPrinter,
      };
    });

    test('all that waits is printed, and each job is called sent before its first byte', async () => {
      await goRound(ports, [printer], new Set());
      expect(reports).toEqual([
        { id: 'a', status: 'sent' },
        { id: 'a', status: 'printed' },
        { id: 'b', status: 'sent' },
        { id: 'b', status: 'printed' },
      ]);
      expect(device.papers).toHaveLength(2);
    });

    test('a job that was taken back is not sent', async () => {
      const takenBack = { ...ports, report: async () => false };
      await goRound(takenBack, [printer], new Set());
      expect(device.papers).toEqual([]);
    });

    test('a lost answer is unknown, never failed, and what waits behind it stays', async () => {
      device.loseNextAnswer();
      await goRound(ports, [printer], new Set());
      expect(reports.at(-1)).toMatchObject({ id: 'a', status: 'unknown', fault: 'offline' });
      expect([device.papers.length, jobs.length]).toEqual([1, 1]);
    });

    test('nothing is claimed for a printer with a fault, and the shop is told of it', async () => {
      device.runOutOfPaper();
      await goRound(ports, [printer], new Set());
      expect([jobs.length, told]).toEqual([2, ['paper_out']]);
    });

    test('a printer that was never reached is nobody else’s business, until nobody reaches it', async () => {
      await device.close();
      await goRound(ports, [printer], new Set());
      expect(told).toEqual([]);
      const missed = { ...printer, status: { fault: 'no_device' } } as Printer;
      await goRound(ports, [missed], new Set());
      await goRound(ports, [printer], new Set([printer.id]));
      expect([told, jobs.length]).toEqual([['offline', 'offline'], 2]);
    });
  });
});
