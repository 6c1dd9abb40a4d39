import { nativeShell } from '#platform/web/native/native-shell.ts';
import { profileOf } from '#printing/paper/profiles.ts';
import { formatsFor } from '#printing/printer-formats.ts';
import type { Printer } from '#printing/printer.ts';
import { emptyEposDocument } from '#printing/protocols/epson-answer.ts';
import { askCommands, sendCommands } from '#printing/web/lan/app-commands.ts';
import { throughApp } from '#printing/web/lan/app-carrier.ts';
import { throughBrowser } from '#printing/web/lan/browser-carrier.ts';
import { eposRequest, readEpos } from '#printing/web/lan/epos.ts';
import type { Heard, LanRequest } from '#printing/web/lan/lan-answer.ts';
import { localPermission } from '#printing/web/lan/local-network.ts';
import { emptyWebPrnt, readWebPrnt, webPrntRequest } from '#printing/web/lan/webprnt.ts';

const protocols = {
  epos_xml: { request: eposRequest, read: readEpos, empty: emptyEposDocument },
  webprnt_xml: { request: webPrntRequest, read: readWebPrnt, empty: emptyWebPrnt },
} as const;

/** Milliseconds: the printer itself gives up after ten seconds. */
const printsWithin = 15_000;
const answersWithin = 5_000;

/** Ports at which printers take commands as they are: a request of HTTP would be printed as text. */
const commandPort = /:910[0-3]$/;

/** Whether this device may reach a printer of its network: only the app speaks to one at such a port. */
export function isReachable({ address }: Pick<Printer, 'address'>): boolean {
  return nativeShell().print !== null || !commandPort.test(address);
}

/** Asks a printer how it is. The browser may ask its user first: then the answer takes as long as they do. */
export async function askPrinter(printer: Printer): Promise<Heard> {
  const { print } = nativeShell();
  if (commandPort.test(printer.address)) return print ? askCommands(print, printer) : { unreached: 'needs_app' };
  const { request, empty } = protocolOf(printer);
  const question = request(printer.address, empty);
  // Only a secure page can ask.
  const permission = print === null && globalThis.isSecureContext ? await localPermission() : null;
  if (permission?.state === 'prompt') {
    const answered = new AbortController();
    permission.addEventListener('change', () => answered.abort(), { once: true });
    const heard = await exchange(printer, question, answered.signal);
    // The answer may have been given in the browser's settings, and not to this request.
    if (!answered.signal.aborted) return heard;
  }
  return exchange(printer, question, AbortSignal.timeout(answersWithin));
}

/** Sends a job. Without an answer nobody knows whether it is on paper. */
export async function sendToPrinter(printer: Printer, document: string): Promise<Heard> {
  const { print } = nativeShell();
  if (commandPort.test(printer.address)) {
    return print ? sendCommands(print, printer, document) : { unreached: 'needs_app', isUnsent: true };
  }
  return exchange(printer, protocolOf(printer).request(printer.address, document), AbortSignal.timeout(printsWithin));
}

function protocolOf({ kind, profile, width_mm: width }: Printer) {
  const known = profileOf(profile, width);
  const [format] = known ? formatsFor(kind, known) : [];
  return protocols[format === 'webprnt_xml' ? 'webprnt_xml' : 'epos_xml'];
}

async function exchange(printer: Printer, request: LanRequest, signal: AbortSignal): Promise<Heard> {
  const { print } = nativeShell();
  const carried = await (print ? throughApp(print) : throughBrowser)(request, signal);
  if ('unreached' in carried) return carried;
  const answer = protocolOf(printer).read(carried.text);
  return answer ? { answer } : { unreached: 'not_understood', detail: carried.text.slice(0, 80) };
}
