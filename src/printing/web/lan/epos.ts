import type { PrintFault } from '#ordering/print.ts';
import { lanOrigin } from '#printing/lan-origin.ts';
import type { LanAnswer, LanRequest } from '#printing/web/lan/lan-answer.ts';

/** A document that prints nothing: the printer answers with its state. */
export const emptyEpos = '<epos-print xmlns="http://www.epson-pos.com/schemas/2011/03/epos-print"></epos-print>';

/** A document for the ePOS-Print service of an Epson printer. */
export function eposRequest(address: string, document: string): LanRequest {
  return {
    url: `${lanOrigin(address)}/cgi-bin/epos/service.cgi?devid=local_printer&timeout=10000`,
    headers: { 'content-type': 'text/xml; charset=utf-8', soapaction: '""' },
    body: `<?xml version="1.0" encoding="utf-8"?><s:Envelope xmlns:s="http://schemas.xmlsoap.org/soap/envelope/"><s:Body>${document}</s:Body></s:Envelope>`,
  };
}

/** Bits of `status`, of Epson's ePOS-Print XML reference. */
const bits = {
  noResponse: 0x1,
  offline: 0x8,
  coverOpen: 0x20,
  mechanical: 0x400,
  cutter: 0x800,
  unrecoverable: 0x2000,
  autoRecovers: 0x4000,
  paperLow: 0x20000,
  paperOut: 0x80000,
} as const;

const faults: Record<string, PrintFault> = {
  EPTR_REC_EMPTY: 'paper_out',
  EPTR_COVER_OPEN: 'cover_open',
  EPTR_CUTTER: 'cutter',
  EPTR_AUTOMATICAL: 'overheated',
  SchemaError: 'unreadable',
  RequestEntityTooLarge: 'unreadable',
  DeviceNotFound: 'wrong_address',
  TooManyRequests: 'busy',
  JobSpooling: 'busy',
  Printing: 'busy',
  EX_TIMEOUT: 'offline',
};
/** The printer got the document, and did not say whether it is on paper. */
const doubtful: ReadonlySet<string> = new Set(['EX_TIMEOUT', 'PrintSystemError', 'ERROR_TIMEOUT']);

/** null: it is no answer of this service. */
export function readEpos(xml: string): LanAnswer | null {
  const [, attributes] = /<response\b([^>]*)>/.exec(xml) ?? [];
  if (attributes === undefined) return null;
  const code = valueOf(attributes, 'code');
  const isDone = /^(true|1)$/.test(valueOf(attributes, 'success'));
  const status = Number(valueOf(attributes, 'status'));
  const has = (bit: number) => (status & bit) !== 0;
  const said = isDone ? null : (faults[code] ?? 'other');
  const fault = said === 'other' || said === null ? (faultOf(has) ?? said) : said;
  return {
    isDone,
    isDoubtful: doubtful.has(code),
    condition: {
      fault: isDone ? faultOf(has) : fault,
      ...(!isDone && fault === 'other' && code !== '' && { detail: code }),
      paper: has(bits.paperOut) || said === 'paper_out' ? 'out' : has(bits.paperLow) ? 'low' : 'ok',
      cover: has(bits.coverOpen) || said === 'cover_open' ? 'open' : 'closed',
    },
  };
}

function faultOf(has: (bit: number) => boolean): PrintFault | null {
  if (has(bits.coverOpen)) return 'cover_open';
  if (has(bits.paperOut)) return 'paper_out';
  if (has(bits.cutter)) return 'cutter';
  if (has(bits.autoRecovers)) return 'overheated';
  if (has(bits.mechanical) || has(bits.unrecoverable)) return 'other';
  return has(bits.noResponse) || has(bits.offline) ? 'offline' : null;
}

function valueOf(attributes: string, name: string): string {
  return new RegExp(String.raw`\b${name}\s*=\s*["']([^"']*)["']`).exec(attributes)?.[1] ?? '';
}
