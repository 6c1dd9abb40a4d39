import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import type { DeviceJob } from '#printing/contract.ts';
import { browserShell, setNativeShell } from '#platform/web/native/native-shell.ts';
import type { Printer } from '#printing/printer.ts';
import { appPrintLine } from '#printing/testing/app-print-line.ts';
import { type LanPrinter, startLanPrinter } from '#simulators/printers/lan-printer.ts';
import { startEscPosPrinter } from '#simulators/printers/escpos-wire.ts';
import type { TcpPrinter } from '#simulators/printers/tcp-printer.ts';
import { askPrinterState, isReachableFromDevice, sendPrintJob } from '#printing/web/lan/lan-printer.ts';
import { runPrintRound, type PrintJobReport, type LanPrintingCalls } from '#printing/web/lan/use-lan-printing.ts';

const kinds = [
  { service: 'epos', profile: 'epson-tm-m30', from: 'a browser' },
  { service: 'webprnt', profile: 'star-mc-print', from: 'a browser' },
  { service: 'epos', profile: 'epson-tm-m30', from: 'the app' },
  { service: 'webprnt', profile: 'star-mc-print', from: 'the app' },
] as const;

describe.each(kinds)('a printer of $profile, from $from', ({ service, profile, from }) => {
  let device: LanPrinter;
  let printer: Printer;
  beforeEach(async () => {
    vi.stubGlobal('location', { protocol: 'http:' });
    if (from === 'the app') setNativeShell({ ...browserShell, print: appPrintLine });
    device = await startLanPrinter(service);
    // Only these fields matter here.
    printer = { id: 'p1', kind: 'browser', address: device.address, profile, width_mm: 80, status: {} } as Printer;
  });
  afterEach(async () => {
    vi.unstubAllGlobals();
    setNativeShell(browserShell);
    await device.close();
  });

  const condition = async () => {
    const heard = await askPrinterState(printer);
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
    const heard = await sendPrintJob(printer, job('Two forks & a <b>note</b>'));
    expect(heard).toMatchObject({ answer: { outcome: { kind: 'printed' }, condition: { fault: null } } });
    expect(device.papers.map(({ text }) => text).join()).toContain('Two forks & a <b>note</b>');
  });

  test('is not reached where there is none, and not understood where something else answers', async () => {
    const other = { ...printer, profile: service === 'epos' ? 'star-mc-print' : 'epson-tm-m30' };
    expect(await askPrinterState(other)).toMatchObject({ unreached: 'not_understood' });
    await device.close();
    expect(await askPrinterState(printer)).toMatchObject({ unreached: 'unreached' });
  });

  describe('in a round of a board', () => {
    let jobs: DeviceJob[];
    let reports: (PrintJobReport & { id: string })[];
    let told: (string | null)[];
    let ports: LanPrintingCalls;
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
        ask: askPrinterState,
        send: sendPrintJob,
      };
    });

    test('all that waits is printed, and each job is called sent before its first byte', async () => {
      await runPrintRound(ports, [printer], new Set());
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
      await runPrintRound(takenBack, [printer], new Set());
      expect(device.papers).toEqual([]);
    });

    test('a lost answer is unknown, never failed, and what waits behind it stays', async () => {
      device.loseNextAnswer();
      await runPrintRound(ports, [printer], new Set());
      expect(reports.at(-1)).toMatchObject({ id: 'a', status: 'unknown', fault: 'offline' });
      expect([device.papers.length, jobs.length]).toEqual([1, 1]);
    });

    test('paper that ends in the middle may be a ticket all the same', async () => {
      device.endPaperAmid();
      await runPrintRound(ports, [printer], new Set());
      expect(reports.at(-1)).toMatchObject({ id: 'a', status: 'unknown', fault: 'paper_out' });
      expect(jobs).toHaveLength(1);
    });

    test('nothing is claimed for a printer with a fault, and the shop is told of it', async () => {
      device.runOutOfPaper();
      await runPrintRound(ports, [printer], new Set());
      expect([jobs.length, told]).toEqual([2, ['paper_out']]);
    });

    test('a printer that was never reached is nobody else’s business, until nobody reaches it', async () => {
      await device.close();
      await runPrintRound(ports, [printer], new Set());
      expect(told).toEqual([]);
      const missed = { ...printer, status: { fault: 'no_device' } } as Printer;
      await runPrintRound(ports, [missed], new Set());
      await runPrintRound(ports, [printer], new Set([printer.id]));
      expect([told, jobs.length]).toEqual([['offline', 'offline'], 2]);
    });
  });
});

describe('a printer of Epson at the port for commands', () => {
  let device: TcpPrinter;
  let printer: Printer;
  const document = `<epos-print xmlns="http://www.epson-pos.com/schemas/2011/03/epos-print"><command>${Buffer.from('\x1b@Chips\n\x1dV\x00', 'latin1').toString('hex')}</command></epos-print>`;
  beforeEach(async () => {
    vi.stubGlobal('location', { protocol: 'http:' });
    // The port is fixed, so that each run has an address of its own.
    const host = ['127', ...Array.from({ length: 3 }, () => 2 + Math.floor(Math.random() * 248))].join('.');
    device = await startEscPosPrinter({ host, port: 9100 });
    const known = { id: 'p1', kind: 'browser', profile: 'epson-tm-m30', width_mm: 80, status: {} };
    // Only these fields matter here.
    printer = { ...known, address: `${host}:9100` } as Printer;
  });
  afterEach(async () => {
    vi.unstubAllGlobals();
    setNativeShell(browserShell);
    await device.stop();
  });

  test('is sent nothing by a browser, whose requests it would print', async () => {
    expect(isReachableFromDevice(printer)).toBe(false);
    expect(await askPrinterState(printer)).toEqual({ unreached: 'needs_app' });
    expect(await sendPrintJob(printer, document)).toEqual({ unreached: 'needs_app', isUnsent: true });
    expect(device.papers).toEqual([]);
  });

  test('says how it is to the app, prints, and says so', async () => {
    setNativeShell({ ...browserShell, print: appPrintLine });
    expect(isReachableFromDevice(printer)).toBe(true);
    device.openCover();
    expect(await askPrinterState(printer)).toMatchObject({
      answer: { condition: { fault: 'cover_open', cover: 'open' } },
    });
    device.closeCover();
    device.runLow();
    expect(await askPrinterState(printer)).toMatchObject({ answer: { condition: { fault: null, paper: 'low' } } });
    expect(await sendPrintJob(printer, document)).toMatchObject({ answer: { outcome: { kind: 'printed' } } });
    expect(device.papers.map(({ text }) => text)).toEqual(['Chips']);
  });

  test('may have printed what it gives no word about', async () => {
    setNativeShell({ ...browserShell, print: appPrintLine });
    device.failNext('breaks_after');
    const heard = await sendPrintJob(printer, document);
    expect('answer' in heard ? heard.answer.outcome.kind : heard).not.toBe('printed');
    expect(heard).not.toHaveProperty('isUnsent');
  });

  test('is certainly without a job that never left', async () => {
    setNativeShell({ ...browserShell, print: appPrintLine });
    await device.stop();
    expect(await sendPrintJob(printer, document)).toMatchObject({ unreached: 'unreached', isUnsent: true });
  });
});
