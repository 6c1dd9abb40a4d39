import { profileOf } from '#printing/paper/profiles.ts';
import { formatsFor } from '#printing/printer-formats.ts';
import type { Printer } from '#printing/printer.ts';
import { emptyEpos, eposRequest, readEpos } from '#printing/web/lan/epos.ts';
import type { LanAnswer, LanRequest } from '#printing/web/lan/lan-answer.ts';
import { localAccess } from '#printing/web/lan/local-network.ts';
import { emptyWebPrnt, readWebPrnt, webPrntRequest } from '#printing/web/lan/webprnt.ts';

/** Why nothing was heard from a printer. `refused`: the browser lets nothing out to it. */
export type Unreached = 'refused' | 'lacking' | 'unreached' | 'not_understood';

export type Heard = { answer: LanAnswer } | { unreached: Unreached; detail?: string };

const protocols = {
  epos_xml: { request: eposRequest, read: readEpos, empty: emptyEpos },
  webprnt_xml: { request: webPrntRequest, read: readWebPrnt, empty: emptyWebPrnt },
} as const;

/** Milliseconds: the printer itself gives up after ten seconds. */
const printsWithin = 15_000;
const answersWithin = 5_000;

/** Asks a printer how it is. The browser may ask its user first: then the answer takes as long as they do. */
export async function askPrinter(printer: Printer): Promise<Heard> {
  const { request, empty } = protocolOf(printer);
  const isAsking = (await localAccess()) === 'prompt';
  return exchange(printer, request(printer.address, empty), isAsking ? null : answersWithin);
}

/** Sends a job. Without an answer nobody knows whether it is on paper. */
export function sendToPrinter(printer: Printer, document: string): Promise<Heard> {
  return exchange(printer, protocolOf(printer).request(printer.address, document), printsWithin);
}

function protocolOf({ kind, profile, width_mm: width }: Printer) {
  const known = profileOf(profile, width);
  const [format] = known ? formatsFor(kind, known) : [];
  return protocols[format === 'webprnt_xml' ? 'webprnt_xml' : 'epos_xml'];
}

async function exchange(printer: Printer, { url, headers, body }: LanRequest, within: number | null): Promise<Heard> {
  let text: string;
  try {
    const response = await fetch(url, {
      method: 'POST',
      headers,
      body,
      cache: 'no-store',
      credentials: 'omit',
      ...(within !== null && { signal: AbortSignal.timeout(within) }),
      ...inAddressSpace(printer.address),
    });
    text = (await response.text()).slice(0, mostRead);
  } catch {
    return { unreached: await whyUnreached() };
  }
  const answer = protocolOf(printer).read(text);
  return answer ? { answer } : { unreached: 'not_understood', detail: text.slice(0, 80) };
}

/** Characters: an answer has a few hundred. */
const mostRead = 10_000;

/**
 * A secured page may send to a device without encryption if it says beforehand in which network the device is, and its user
 * allowed it.
 */
function inAddressSpace(address: string): RequestInit & { targetAddressSpace?: string } {
  if (location.protocol !== 'https:') return {};
  return { targetAddressSpace: /^(127\.|localhost\b|\[::1\])/.test(address) ? 'loopback' : 'local' };
}

async function whyUnreached(): Promise<Unreached> {
  const access = await localAccess();
  if (access === 'denied') return 'refused';
  return access === 'lacking' ? 'lacking' : 'unreached';
}
