import type { PrintFault } from '#ordering/print.ts';
import type { Outcome, PrinterReport } from '#printing/server/transport.ts';

/** What an Epson printer says of a job. */
export interface EpsonResponse {
  /** null: it did not repeat the name of the job, as older firmware. */
  token: string | null;
  isPrinted: boolean;
  /** e.g. `EPTR_REC_EMPTY`; empty if nothing is wrong. */
  code: string;
  /** The printer's state as bits. */
  status: number;
}

const mostRead = 20_000;

/** Reads a `PrintResponseInfo` of any version; null: there is no result in it. */
export function readEpsonResponse(xml: string): EpsonResponse | null {
  const read = xml.slice(0, mostRead);
  const [, attributes] = /<response\s([^<>]*)>/i.exec(read) ?? [];
  if (attributes === undefined) return readRefusal(read);
  const success = attributeOf(attributes, 'success');
  if (success === null) return null;
  return {
    token: tokenOf(read),
    isPrinted: success === 'true' || success === '1',
    code: (attributeOf(attributes, 'code') ?? '').replaceAll(/\W/g, '').slice(0, 60),
    status: Number(attributeOf(attributes, 'status') ?? 0) || 0,
  };
}

/** Version 3 says so when it could not read what it was sent. */
function readRefusal(xml: string): EpsonResponse | null {
  const isRefused = /<Response\s[^<>]*Success\s*=\s*"false"/.test(xml);
  return isRefused ? { token: tokenOf(xml), isPrinted: false, code: 'SchemaError', status: 0 } : null;
}

function tokenOf(xml: string): string | null {
  return /<printjobid>\s*([\w-]{1,40})\s*<\/printjobid>/.exec(xml)?.[1] ?? null;
}

function attributeOf(attributes: string, name: string): string | null {
  return new RegExp(`(?:^|\\s)${name}\\s*=\\s*"([^"]*)"`, 'i').exec(attributes)?.[1] ?? null;
}

const faults: Record<string, PrintFault> = {
  EPTR_REC_EMPTY: 'paper_out',
  EPTR_COVER_OPEN: 'cover_open',
  EPTR_CUTTER: 'cutter',
  EPTR_AUTOMATICAL: 'overheated',
  EX_SPOOLER: 'busy',
  EX_DEVICE_BUSY: 'busy',
  TooManyRequests: 'busy',
};
/** Codes of a printer that never began: what it was sent is of no use to it, or it has no printer at all. */
const unreadable: ReadonlySet<string> = new Set(['SchemaError', 'RequestEntityTooLarge']);
const neverBegan: ReadonlySet<string> = new Set(['DeviceNotFound', 'EX_SPOOLER', 'EX_DEVICE_BUSY', 'TooManyRequests']);

/** What became of a job. A printer that stopped in the middle left a part on paper, so that is not a certain failure. */
export function outcomeOf({ isPrinted, code }: EpsonResponse): Outcome {
  if (isPrinted) return { kind: 'printed' };
  if (unreadable.has(code)) return { kind: 'refused', fault: 'unreadable', detail: code, isOfJob: true };
  const fault = faults[code] ?? 'other';
  const detail = fault === 'other' && code !== '' ? { detail: code } : {};
  return { kind: neverBegan.has(code) ? 'refused' : 'unknown', fault, ...detail };
}

/** What the bits of the status say about paper and cover, and with `fault` whether it can print. */
export function reportOfStatus(status: number): PrinterReport & { fault: PrintFault | null } {
  const isOut = (status & 0x0008_0000) !== 0;
  const isOpen = (status & 0x20) !== 0;
  return {
    paper: isOut ? 'out' : status & 0x0002_0000 ? 'low' : 'ok',
    cover: isOpen ? 'open' : 'closed',
    fault: isOpen
      ? 'cover_open'
      : isOut
        ? 'paper_out'
        : status & 0x0800
          ? 'cutter'
          : status & 0x4000
            ? 'overheated'
            : status & 0x2408 || status & 1
              ? 'other'
              : null,
  };
}

/** The status in a status notification; null: there is none. */
export function readEpsonStatus(xml: string): number | null {
  const [, hex] = /asbstatus\s*=\s*"0x([0-9a-f]{1,8})"/i.exec(xml.slice(0, mostRead)) ?? [];
  return hex === undefined ? null : Number.parseInt(hex, 16);
}
