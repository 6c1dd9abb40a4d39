import type { PrintFault } from '#ordering/print.ts';
import type { ReportedOutcome } from '#printing/print-outcome.ts';
import { type ReportedCondition, conditionFromSignals, unknownCondition } from '#printing/protocols/dialogue.ts';

// This file parses Epson's ePOS-Print XML: the reports of printers that poll (Server Direct Print), and the answers to
// a document that a device sent.

/** A document that prints nothing and makes the printer answer with its status. */
export const emptyEposDocument =
  '<epos-print xmlns="http://www.epson-pos.com/schemas/2011/03/epos-print"></epos-print>';

export interface EpsonResponse {
  /** The job's name; null if the printer did not return it, as older firmware does not. */
  token: string | null;
  isPrinted: boolean;
  /** The code of an error, such as `EPTR_REC_EMPTY`; empty if nothing is wrong. */
  code: string;
  status: number;
}

const maxRead = 20_000;

/** Parses a `PrintResponseInfo` of any version; null if it contains no result. */
export function readEpsonResponse(xml: string): EpsonResponse | null {
  const read = xml.slice(0, maxRead);
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

/** Reads the refusal of an unreadable document as a response with the code `SchemaError`; null for any other answer. */
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
  EX_TIMEOUT: 'offline',
};
const unreadable: ReadonlySet<string> = new Set(['SchemaError', 'RequestEntityTooLarge']);
/** The error codes of a missing or busy printer, which never began the print. */
const neverBegan: ReadonlySet<string> = new Set(['DeviceNotFound', 'EX_SPOOLER', 'EX_DEVICE_BUSY', 'TooManyRequests']);

/** The outcome of a sent document; `unknown` if the printer may have printed part of it. */
export function epsonOutcome({ isPrinted, code }: EpsonResponse): ReportedOutcome {
  if (isPrinted) return { kind: 'printed' };
  if (unreadable.has(code)) return { kind: 'refused', fault: 'cannot_read', detail: code, isOfJob: true };
  const fault = faults[code] ?? 'other';
  const detail = fault === 'other' && code !== '' ? { detail: code } : {};
  return { kind: neverBegan.has(code) ? 'refused' : 'unknown', fault, ...detail };
}

/** The status bits of Epson's ePOS-Print XML reference. */
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

export function epsonCondition(status: number): ReportedCondition {
  // The printer sent no status bits.
  if (status === 0) return unknownCondition;
  const has = (bit: number) => (status & bit) !== 0;
  return conditionFromSignals({
    isCoverOpen: has(bits.coverOpen),
    isPaperOut: has(bits.paperOut),
    isPaperLow: has(bits.paperLow),
    cutter: has(bits.cutter),
    overheated: has(bits.autoRecovers),
    broken: has(bits.mechanical | bits.unrecoverable),
    isOffline: has(bits.noResponse | bits.offline),
  });
}

/** The printer's condition after a response. The error code is more exact than the status bits. */
export function epsonConditionAfter(response: EpsonResponse): ReportedCondition {
  const said = epsonCondition(response.status);
  const outcome = epsonOutcome(response);
  if (outcome.kind === 'printed') return said;
  const { fault, detail = null } = outcome;
  if (fault === 'other' && said.fault !== null) return said;
  return {
    fault,
    detail,
    paper: fault === 'paper_out' ? 'out' : said.paper,
    cover: fault === 'cover_open' ? 'open' : said.cover,
  };
}

/** Parses the status bits of a status notification; null if it has none. */
export function readEpsonStatus(xml: string): number | null {
  const [, hex] = /asbstatus\s*=\s*"0x([0-9a-f]{1,8})"/i.exec(xml.slice(0, maxRead)) ?? [];
  return hex === undefined ? null : Number.parseInt(hex, 16);
}
