import { createServer, type Server, type Socket } from 'node:net';
import { afterAll, afterEach, beforeEach, describe, expect, test } from 'vitest';
import { findPrinterProfile } from '#printing/paper/profiles.ts';
import { stopDrawingProcess } from '#printing/server/draw/drawing.ts';
import { encodeReceipt } from '#printing/server/encode/encode-receipt.ts';
import { createNetworkTransport } from '#printing/server/network/network-transport.ts';
import type { PrintJobOutcome } from '#printing/print-outcome.ts';
import type { EncodedJob, PrinterReport } from '#printing/server/transport.ts';
import { startEscPosPrinter } from '#simulators/printers/escpos-wire.ts';
import { startStarTcpPrinter } from '#simulators/printers/star-wire.ts';
import type { TcpOptions, TcpPrinter } from '#simulators/printers/tcp-printer.ts';

afterAll(stopDrawingProcess);

let reports: PrinterReport[];
let stopped: (() => Promise<unknown>)[];
beforeEach(() => {
  reports = [];
  stopped = [];
});
afterEach(async () => {
  for (const stop of stopped) await stop();
});
const transport = createNetworkTransport({
  allowsOwnMachine: true,
  onCondition: (_id, report) => void reports.push(report),
  timeouts: { answers: 600, asks: 200, silence: 1_500, settles: 200 },
});

async function jobFor(address: string, profile: string, text = 'Two pizzas'): Promise<EncodedJob> {
  const { bytes, mediaType } = await encodeReceipt(text, findPrinterProfile(profile, 80)!);
  const printer = { id: 'p', address, allows_private_address: true, profile, width_mm: 80 };
  // The parts that a transport reads.
  return { id: 'a', leaseId: 'b', printer, bytes, mediaType } as unknown as EncodedJob;
}
const send = async (job: EncodedJob, within = 20_000): Promise<PrintJobOutcome> =>
  transport.send(job, AbortSignal.timeout(within));
const keep = <T extends { stop(): Promise<void> }>(printer: T): T => {
  stopped.push(printer.stop);
  return printer;
};

const kinds: [string, string, (options?: Partial<TcpOptions>) => Promise<TcpPrinter>][] = [
  ['ESC/POS', 'epson-tm-m30', startEscPosPrinter],
  ['ESC/POS of others', 'xprinter-80', (options) => startEscPosPrinter({ brand: 'Xprinter', ...options })],
  ['ESC/POS of an old Epson', 'epson-tm-t88', (options) => startEscPosPrinter({ isOld: true, ...options })],
  ['StarPRNT', 'star-mc-print', startStarTcpPrinter],
  ['Star Line Mode', 'star-tsp650', (options) => startStarTcpPrinter({ ...options, format: 'star_line' })],
  ['Star raster', 'star-tsp100', (options) => startStarTcpPrinter({ ...options, format: 'star_raster' })],
];

describe.each(kinds)('%s', (_name, profile, start) => {
  let printer: TcpPrinter;
  const job = (text?: string) => jobFor(`127.0.0.1:${printer.port}`, profile, text);
  beforeEach(async () => {
    printer = keep(await start());
  });

  test('prints, and says so', async () => {
    expect(await send(await job())).toEqual({ kind: 'printed' });
    expect(printer.papers).toHaveLength(1);
    expect(reports.at(-1)).toEqual({ paper: 'ok', cover: 'closed' });
    printer.runLow();
    expect(await send(await job())).toEqual({ kind: 'printed' });
    expect(reports.at(-1)).toEqual({ paper: 'low', cover: 'closed' });
  });

  test.each([
    ['without paper', 'paper_out', () => printer.runOutOfPaper()],
    ['with its cover open', 'cover_open', () => printer.openCover()],
    ['with a jammed cutter', 'cutter', () => void (printer.cutter = 'jammed')],
  ])('%s is sent nothing', async (_what, fault, break_) => {
    break_();
    expect(await send(await job())).toEqual({ kind: 'refused', fault });
    expect((await transport.probe?.((await job()).printer, AbortSignal.timeout(9_000)))?.fault).toBe(fault);
    printer.refill();
    printer.closeCover();
    printer.cutter = 'ok';
    expect((await transport.probe?.((await job()).printer, AbortSignal.timeout(9_000)))?.fault).toBeNull();
    expect(printer.papers).toHaveLength(0);
  });

  test('whose paper ends in the middle may have printed', async () => {
    printer.failNext('paper_ends');
    expect(await send(await job())).toEqual({ kind: 'unknown', fault: 'paper_out' });
  });

  test('whose paper ends in the middle, and is refilled in the same moment, may have printed', async () => {
    printer.onChange(() => {
      if (printer.paper === 'out') printer.refill();
    });
    printer.failNext('paper_ends');
    expect(await send(await job())).toEqual({ kind: 'unknown', fault: 'paper_out' });
  });

  test.each(['breaks_amid', 'breaks_after'] as const)('a line that %s leaves it unknown', async (fault) => {
    printer.failNext(fault);
    expect(await send(await job())).toMatchObject({ kind: 'unknown', fault: 'offline' });
  });

  test('a line that breaks before the job is certainly no paper', async () => {
    printer.failNext('breaks_before');
    expect((await send(await job())).kind).toBe('refused');
  });

  test('that answers nothing does not answer, and that is found out before anything is sent', async () => {
    printer.failNext('silent');
    expect(await send(await job())).toEqual({ kind: 'refused', fault: 'offline', mayPass: true });
    expect(printer.papers).toHaveLength(0);
  });

  test('that falls silent once it has the job may have printed it', async () => {
    printer.failNext('goes_dark');
    expect(await send(await job())).toEqual({ kind: 'unknown', fault: 'offline', detail: 'ETIMEDOUT' });
  });

  test('that answers questions and never comes to the end of the job is unknown when its time is over', async () => {
    printer.failNext('fence_lost');
    expect(await send(await job(), 1_000)).toMatchObject({ kind: 'unknown' });
  });
});

test('two senders at one printer: each paper comes out once, whole, and the second waits its turn', async () => {
  const printer = keep(await startEscPosPrinter({ isSingle: true, printsFor: 300 }));
  const address = `127.0.0.1:${printer.port}`;
  const outcomes = await Promise.all([
    send(await jobFor(address, 'epson-tm-m30', 'First')),
    send(await jobFor(address, 'epson-tm-m30', 'Second')),
  ]);
  expect(outcomes).toEqual([{ kind: 'printed' }, { kind: 'printed' }]);
  expect(printer.papers.map(({ text }) => text.trim()).toSorted()).toEqual(['First', 'Second']);
});

test('while somebody else prints for long, nothing is sent, and it is no fault of the printer', async () => {
  const printer = keep(await startEscPosPrinter({ isSingle: true, printsFor: 1_500 }));
  const address = `127.0.0.1:${printer.port}`;
  const first = send(await jobFor(address, 'epson-tm-m30', 'First'));
  await new Promise((resolve) => setTimeout(resolve, 100));
  expect(await send(await jobFor(address, 'epson-tm-m30', 'Second'))).toEqual({
    kind: 'refused',
    fault: 'offline',
    mayPass: true,
  });
  expect(await first).toEqual({ kind: 'printed' });
});

test('a printer without status is sent everything, and that is all that is known', async () => {
  const printer = keep(await startEscPosPrinter({ brand: 'Other printer' }));
  expect(await send(await jobFor(`127.0.0.1:${printer.port}`, 'other'))).toEqual({ kind: 'sent' });
  expect(printer.papers[0]?.text).toContain('Two pizzas');
});

test('nobody at the address is said so', async () => {
  const printer = await startEscPosPrinter();
  await printer.stop();
  const job = await jobFor(`127.0.0.1:${printer.port}`, 'epson-tm-m30');
  expect(await send(job)).toEqual({ kind: 'refused', fault: 'wrong_address', detail: 'ECONNREFUSED' });
});

test('a name that nobody has is said so', async () => {
  const job = await jobFor('nobody.invalid:9100', 'epson-tm-m30');
  expect(await send(job)).toEqual({ kind: 'refused', fault: 'address_unknown' });
});

/** Answers every question about its state as a printer that is well; `also` hears everything and may say more. */
async function serveLiar(also: (socket: Socket, heard: Buffer) => void): Promise<string> {
  const server = createServer((socket) => {
    socket.on('error', () => {});
    socket.on('data', (part) => {
      // No encoding is set.
      const heard = part as Buffer;
      for (let at = heard.indexOf('\x10\x04'); at >= 0; at = heard.indexOf('\x10\x04', at + 1)) socket.write('\x12');
      also(socket, heard);
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  stopped.push(() => new Promise((resolve) => server.close(resolve)));
  const address = server.address();
  return `127.0.0.1:${typeof address === 'object' && address ? address.port : 0}`;
}

describe.each(['epson-tm-m30', 'xprinter-80'])('a %s that says what means nothing', (profile) => {
  const begins = '\x1d\x61\x0e';
  test.each([
    ['zeros in the middle of the job', (socket: Socket) => socket.write(Buffer.alloc(8))],
    ['a state of the paper that nobody asked for, and then no more', (socket: Socket) => socket.write('\x00')],
    ['the answer to another name', (socket: Socket) => socket.write('\x37\x22WXYZ\x00')],
    ['half an automatic status', (socket: Socket) => socket.write('\x10\x00')],
  ])('such as %s has not said that it printed', async (_what, say) => {
    const address = await serveLiar((socket, heard) => {
      if (heard.includes(begins)) say(socket);
    });
    expect((await send(await jobFor(address, profile), 4_000)).kind).toBe('unknown');
  });

  test('such as a byte now and then has not said that it printed', async () => {
    const address = await serveLiar((socket, heard) => {
      if (!heard.includes(begins)) return;
      const timer = setInterval(() => socket.write('\x00'), 70);
      socket.on('close', () => clearInterval(timer));
    });
    expect((await send(await jobFor(address, profile), 4_000)).kind).toBe('unknown');
  });

  test('such as that it had no paper and has some again has not said that it printed', async () => {
    const [out, well] = ['\x18\x00\x0c\x00', '\x10\x00\x00\x00'];
    const address = await serveLiar((socket, heard) => {
      if (heard.includes(begins)) socket.write(out + well, 'latin1');
      for (let at = heard.indexOf('\x1dr\x01'); at >= 0; at = heard.indexOf('\x1dr\x01', at + 1)) socket.write('\x00');
    });
    const outcome = await send(await jobFor(address, profile), 6_000);
    expect(outcome).toEqual({ kind: 'unknown', fault: 'paper_out' });
  });

  test('such as one answer too many has not said that it printed', async () => {
    const address = await serveLiar((socket, heard) => {
      for (let at = heard.indexOf('\x1dr\x01'); at >= 0; at = heard.indexOf('\x1dr\x01', at + 1))
        socket.write('\x00\x00');
    });
    expect((await send(await jobFor(address, profile), 4_000)).kind).toBe('unknown');
  });
});

describe('a device that is no printer', () => {
  const serve = async (answer: (socket: Socket) => void): Promise<string> => {
    const server: Server = createServer((socket) => {
      socket.on('error', () => {});
      answer(socket);
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    stopped.push(() => new Promise((resolve) => server.close(resolve)));
    const address = server.address();
    return `127.0.0.1:${typeof address === 'object' && address ? address.port : 0}`;
  };

  test('and talks without end is cut off', async () => {
    let sent = 0;
    const address = await serve((socket) => {
      const more = () => {
        if (socket.destroyed || sent > 10_000_000) return;
        sent += 1000;
        socket.write(Buffer.alloc(1000, 0x80), more);
      };
      more();
    });
    expect((await send(await jobFor(address, 'epson-tm-m30'))).kind).toBe('refused');
    expect(sent).toBeLessThan(10_000_000);
  });

  test.each(['epson-tm-m30', 'star-mc-print'])(
    'and answers in words, as a web server, is no printer of %s',
    async (profile) => {
      const address = await serve((socket) => {
        socket.on('data', () => socket.end('HTTP/1.1 400 Bad Request\r\nconnection: close\r\n\r\n'));
      });
      const job = await jobFor(address, profile);
      expect(await send(job)).toEqual({ kind: 'refused', fault: 'wrong_address' });
      expect(await transport.probe?.(job.printer, AbortSignal.timeout(9_000))).toEqual({ fault: 'wrong_address' });
      expect(reports).toEqual([]);
    },
  );

  test('and answers with rubbish, or one byte at a time, prints nothing', async () => {
    const address = await serve((socket) => {
      const timer = setInterval(() => socket.write(Buffer.from([0x80])), 200);
      socket.on('close', () => clearInterval(timer));
    });
    for (const profile of ['epson-tm-m30', 'star-mc-print']) {
      expect((await send(await jobFor(address, profile))).kind).toBe('refused');
    }
  });
});
