import { createServer, type IncomingMessage, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { PrintJobFormat } from './decode/decode.ts';
import { createRoll, type PaperRoll } from './paper-roll.ts';

/** A printer in the shop's network that browsers send to. */
export interface LanPrinter extends PaperRoll {
  /** `host:port` */
  address: string;
  /** Documents that it got, also those that print nothing. */
  asked: number;
  /** Prints its next job, and is gone before it answers. */
  loseNextAnswer(): void;
  /** Its paper ends in the middle of its next job. */
  endPaperAmid(): void;
  close(): Promise<void>;
}

interface Reply {
  status: number;
  body: string;
}

/** `epos`: after Epson's "ePOS-Print XML User's Manual". `webprnt`: after Star's "webPRNT SDK" and its script. */
export async function startLanPrinter(
  service: 'epos' | 'webprnt',
  host = '127.0.0.1',
  { port: wanted = 0, dots = 576 }: { port?: number; dots?: number } = {},
): Promise<LanPrinter> {
  const roll = createRoll({ brand: service === 'epos' ? 'Epson' : 'Star', dots });
  const answer = service === 'epos' ? eposAnswer : webPrntAnswer;
  let losesAnswer = false;
  let endsAmid = false;
  const printed = async (document: string, format: PrintJobFormat): Promise<boolean> => {
    const isWhole = !endsAmid;
    endsAmid = false;
    await roll.print(Buffer.from(document), format, isWhole);
    if (!isWhole) roll.runOutOfPaper();
    return isWhole;
  };
  const server = createServer((request, response) => {
    response.setHeader('access-control-allow-origin', '*');
    if (request.method === 'OPTIONS') {
      response.setHeader('access-control-allow-methods', 'POST, OPTIONS');
      response.setHeader('access-control-allow-headers', 'Content-Type, If-Modified-Since, SOAPAction');
      response.writeHead(200).end();
      return;
    }
    void (async () => {
      const body = await textOf(request);
      printer.asked += 1;
      const papers = roll.papers.length;
      const { status, body: text } = await answer(roll, printed, request.url ?? '', body);
      if (losesAnswer && roll.papers.length > papers) {
        losesAnswer = false;
        request.socket.destroy();
        return;
      }
      response.writeHead(status, { 'content-type': 'text/xml; charset=utf-8' }).end(text);
    })();
  });
  await listen(server, host, wanted);
  // A server that listens on a port has such an address.
  const { port } = server.address() as AddressInfo;
  const printer: LanPrinter = Object.assign(roll, {
    address: `${host}:${port}`,
    asked: 0,
    loseNextAnswer: () => {
      losesAnswer = true;
    },
    endPaperAmid: () => {
      endsAmid = true;
    },
    close: () =>
      new Promise<void>((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  });
  return printer;
}

const ASB = {
  printed: 0x2,
  offline: 0x8,
  cover: 0x20,
  cutter: 0x800,
  nearEnd: 0x20000,
  end: 0x80000,
  always: 0xf000014,
};

type Printed = (document: string, format: PrintJobFormat) => Promise<boolean>;

async function eposAnswer(roll: PaperRoll, printed: Printed, url: string, body: string): Promise<Reply> {
  const { pathname, searchParams } = new URL(url, 'http://printer');
  if (pathname !== '/cgi-bin/epos/service.cgi') return { status: 404, body: 'Not Found' };
  const state = () =>
    ASB.always |
    (roll.cover === 'open' ? ASB.cover | ASB.offline : 0) |
    (roll.paper === 'out' ? ASB.end | ASB.offline : 0) |
    (roll.paper === 'low' ? ASB.nearEnd : 0) |
    (roll.cutter === 'jammed' ? ASB.cutter | ASB.offline : 0);
  const reply = (success: boolean, code: string, status = state()): Reply => ({
    status: 200,
    body:
      '<?xml version="1.0" encoding="UTF-8"?><s:Envelope xmlns:s="http://schemas.xmlsoap.org/soap/envelope/"><s:Body>' +
      `<response success="${success}" code="${code}" status="${status}" battery="0" ` +
      'xmlns="http://www.epson-pos.com/schemas/2011/03/epos-print"></response></s:Body></s:Envelope>',
  });
  if (searchParams.get('devid') !== 'local_printer') return reply(false, 'DeviceNotFound', 0);
  const [document] = /<epos-print\b[\s\S]*<\/epos-print>/.exec(body) ?? [];
  if (!document || !/<s:Envelope\b[\s\S]*<s:Body>/.test(body)) return reply(false, 'SchemaError', 0);
  if (roll.cover === 'open') return reply(false, 'EPTR_COVER_OPEN');
  if (roll.paper === 'out') return reply(false, 'EPTR_REC_EMPTY');
  if (roll.cutter === 'jammed') return reply(false, 'EPTR_CUTTER');
  if (/<epos-print\b[^>]*>\s*<\/epos-print>/.test(document)) return reply(true, '');
  if (!(await printed(document, 'epos_xml'))) return reply(false, 'EPTR_REC_EMPTY');
  return reply(true, '', state() | ASB.printed);
}

async function webPrntAnswer(roll: PaperRoll, printed: Printed, url: string, body: string): Promise<Reply> {
  if (new URL(url, 'http://printer').pathname !== '/StarWebPRNT/SendMessage') return { status: 404, body: 'Not Found' };
  const state = (): string => {
    const bytes = [0x23, 0x86, 0, 0, 0, 0, 0, 0, 0];
    if (roll.cover === 'open') bytes[2] = 0x28;
    if (roll.paper === 'out') bytes[2] = (bytes[2] ?? 0) | 0x08;
    if (roll.cutter === 'jammed') bytes[3] = 0x08;
    if (roll.paper !== 'ok') bytes[5] = roll.paper === 'out' ? 0x0c : 0x04;
    return bytes.map((byte) => byte.toString(16).padStart(2, '0')).join('');
  };
  const reply = (success: boolean, code: number): Reply => {
    const root = `<root><success>${success}</success><code>${code}</code><status>${state()}</status></root>`;
    const inner = root.replaceAll('<', '&lt;').replaceAll('>', '&gt;');
    return {
      status: 200,
      body: `<StarWebPrint xmlns="http://www.star-m.jp" xmlns:i="http://www.w3.org/2001/XMLSchema-instance"><Response>${inner}</Response></StarWebPrint>`,
    };
  };
  const [, request] = /<Request>([\s\S]*)<\/Request>/.exec(body) ?? [];
  if (request === undefined) return reply(false, 2001);
  const document = request.replaceAll('&lt;', '<').replaceAll('&gt;', '>').replaceAll('&amp;', '&');
  if (!roll.canPrint) return reply(false, 1002);
  if (document === '<root></root>') return reply(true, 0);
  return (await printed(document, 'webprnt_xml')) ? reply(true, 0) : reply(false, 1002);
}

async function textOf(request: IncomingMessage): Promise<string> {
  const parts: Buffer[] = [];
  for await (const part of request) parts.push(part as Buffer);
  return Buffer.concat(parts).toString();
}

function listen(server: Server, host: string, port: number): Promise<void> {
  return new Promise((resolve, reject) => {
    server.once('error', reject);
    server.listen(port, host, resolve);
  });
}
