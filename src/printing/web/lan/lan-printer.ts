import { nativeShell, type NativeShell } from '#platform/web/native/native-shell.ts';
import { findPrinterProfile } from '#printing/paper/profiles.ts';
import { supportedPrintJobFormats } from '#printing/printer-formats.ts';
import type { Printer } from '#printing/printer.ts';
import {
  epsonConditionAfter,
  emptyEposDocument,
  epsonOutcome,
  readEpsonResponse,
} from '#printing/protocols/epson-answer.ts';
import type {
  LanRequestSender,
  LanResult,
  LanAnswer,
  LanRequest,
  UnreachedReason,
} from '#printing/web/lan/lan-answer.ts';
import { readLocalNetworkAccess, findLocalNetworkPermission } from '#printing/web/lan/local-network.ts';
import { lanOrigin } from '#printing/lan-origin.ts';
import { createEscPosDialogue, jobNameReplyLength, newJobName } from '#printing/protocols/escpos-dialogue.ts';
import { type ReportedCondition, conditionFromSignals, unknownCondition } from '#printing/protocols/dialogue.ts';
import { api } from '#platform/web/api.ts';

/** A request that prints nothing and makes the printer answer with its status. */
const emptyWebPrnt = '<root></root>';

function webPrntRequest(address: string, document: string): LanRequest {
  return {
    url: `${lanOrigin(address)}/StarWebPRNT/SendMessage`,
    headers: { 'content-type': 'text/xml; charset=utf-8' },
    body: `<StarWebPrint xmlns="http://www.star-m.jp" xmlns:i="http://www.w3.org/2001/XMLSchema-instance"><Request>${escaped(document)}</Request></StarWebPrint>`,
  };
}

/** Parses the response of a Star printer's WebPRNT service; null for any other response. */
function readWebPrnt(xml: string): LanAnswer | null {
  const [, inner] = /<Response>([\s\S]*?)<\/Response>/.exec(xml) ?? [];
  if (inner === undefined) return null;
  const text = unescaped(inner);
  const condition = conditionOfStatus(bytesOf(contentOf(text, 'status')));
  if (contentOf(text, 'success') === 'true') return { outcome: { kind: 'printed' }, condition };
  const code = contentOf(text, 'code').slice(0, 60);
  const fault = condition.fault ?? 'other';
  const trouble = { fault, ...(fault === 'other' && code !== '' && { detail: code }) };
  // A printer that stopped while printing may have printed part of the job.
  return { outcome: { kind: 'unknown', ...trouble }, condition: { ...condition, detail: null, ...trouble } };
}

/** The condition in Star's automatic status; the bits are those of Star's own script. */
function conditionOfStatus(status: readonly number[]): ReportedCondition {
  if (status.length === 0) return unknownCondition;
  const has = (index: number, bit: number) => ((status[index] ?? 0) & bit) !== 0;
  return conditionFromSignals({
    isCoverOpen: has(2, 0x20),
    isPaperOut: has(5, 0x08),
    isPaperLow: has(5, 0x04),
    cutter: has(3, 0x08),
    overheated: has(3, 0x40),
    broken: has(3, 0x20),
    isOffline: has(2, 0x08),
  });
}

function bytesOf(hex: string): number[] {
  return (hex.replaceAll(/\s/g, '').match(/[\da-f]{2}/gi) ?? []).map((byte) => Number.parseInt(byte, 16));
}

function contentOf(xml: string, name: string): string {
  return new RegExp(`<${name}>([^<]*)</${name}>`).exec(xml)?.[1]?.trim() ?? '';
}

function escaped(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');
}

function unescaped(text: string): string {
  return text
    .replaceAll(/<!\[CDATA\[|\]\]>/g, '')
    .replaceAll('&lt;', '<')
    .replaceAll('&gt;', '>')
    .replaceAll('&amp;', '&');
}

const protocols = {
  epos_xml: { request: eposRequest, read: readEpos, empty: emptyEposDocument },
  webprnt_xml: { request: webPrntRequest, read: readWebPrnt, empty: emptyWebPrnt },
} as const;

/** The timeout of a job (ms). The printer itself gives up after ten seconds. */
const printsWithin = 15_000;
/** The timeout of a status request (ms). */
const answersWithin = 5_000;

/** The ports for raw commands. If such a port received an HTTP request, the printer would print the request as text. */
const commandPort = /:910[0-3]$/;

/** Whether this device can reach a printer. A port for raw commands needs the app. */
export function isReachableFromDevice({ address }: Pick<Printer, 'address'>): boolean {
  return nativeShell().print !== null || !commandPort.test(address);
}

/** Requests a printer's status. The browser may first ask the user for permission, which may take any time. */
export async function askPrinterState(printer: Printer): Promise<LanResult> {
  const { print } = nativeShell();
  if (commandPort.test(printer.address)) return print ? askCommands(print, printer) : { unreached: 'needs_app' };
  const { request, empty } = protocolOf(printer);
  const question = request(printer.address, empty);
  // The permission is read only on a secure page, because only there the browser may ask the user for it.
  const permission = print === null && globalThis.isSecureContext ? await findLocalNetworkPermission() : null;
  if (permission?.state === 'prompt') {
    const answered = new AbortController();
    permission.addEventListener('change', () => answered.abort(), { once: true });
    const heard = await exchange(printer, question, answered.signal);
    // The request is sent again, because it may have failed before the user gave the permission.
    if (!answered.signal.aborted) return heard;
  }
  return exchange(printer, question, AbortSignal.timeout(answersWithin));
}

/** Sends a job to a printer. Without a response the job may be on paper. */
export async function sendPrintJob(printer: Printer, document: string): Promise<LanResult> {
  const { print } = nativeShell();
  if (commandPort.test(printer.address)) {
    return print ? sendCommands(print, printer, document) : { unreached: 'needs_app', isUnsent: true };
  }
  return exchange(printer, protocolOf(printer).request(printer.address, document), AbortSignal.timeout(printsWithin));
}

function protocolOf({ kind, profile, width_mm: width }: Printer) {
  const known = findPrinterProfile(profile, width);
  const [format] = known ? supportedPrintJobFormats(kind, known) : [];
  return protocols[format === 'webprnt_xml' ? 'webprnt_xml' : 'epos_xml'];
}

async function exchange(printer: Printer, request: LanRequest, signal: AbortSignal): Promise<LanResult> {
  const { print } = nativeShell();
  const carried = await (print ? throughApp(print) : throughBrowser)(request, signal);
  if ('unreached' in carried) return carried;
  const answer = protocolOf(printer).read(carried.text);
  return answer ? { answer } : { unreached: 'not_understood', detail: carried.text.slice(0, 80) };
}

function eposRequest(address: string, document: string): LanRequest {
  return {
    url: `${lanOrigin(address)}/cgi-bin/epos/service.cgi?devid=local_printer&timeout=10000`,
    headers: { 'content-type': 'text/xml; charset=utf-8', soapaction: '""' },
    body: `<?xml version="1.0" encoding="utf-8"?><s:Envelope xmlns:s="http://schemas.xmlsoap.org/soap/envelope/"><s:Body>${document}</s:Body></s:Envelope>`,
  };
}

function readEpos(xml: string): LanAnswer | null {
  const response = readEpsonResponse(xml);
  return response && { outcome: epsonOutcome(response), condition: epsonConditionAfter(response) };
}

/** The maximum length of a response in characters; a usual one has a few hundred. */
const maxRead = 10_000;

/** Reads the start of a response, because an endless one would fill the board's memory. */
async function readStart({ body }: Response): Promise<string> {
  const reader = body?.pipeThrough(new TextDecoderStream()).getReader();
  let text = '';
  while (reader && text.length < maxRead) {
    const { done, value } = await reader.read();
    if (done) break;
    text += value;
  }
  await reader?.cancel();
  return text.slice(0, maxRead);
}

const throughBrowser: LanRequestSender = async ({ url, headers, body }, signal) => {
  try {
    const response = await fetch(url, {
      method: 'POST',
      headers,
      body,
      cache: 'no-store',
      credentials: 'omit',
      signal,
      ...inAddressSpace(new URL(url)),
    });
    return { text: await readStart(response) };
  } catch {
    return { unreached: await whyUnreached() };
  }
};

/**
 * The fetch option that names the printer's network. Without this option, browsers block a secure page's request to an
 * unencrypted device. With the option, they ask the user for permission.
 */
function inAddressSpace({ hostname }: URL): RequestInit & { targetAddressSpace?: string } {
  if (location.protocol !== 'https:') return {};
  return { targetAddressSpace: /^(127\.|localhost$|\[::1\])/.test(hostname) ? 'loopback' : 'local' };
}

async function whyUnreached(): Promise<UnreachedReason> {
  const access = await readLocalNetworkAccess();
  if (access === 'denied') return 'refused';
  return access === 'lacking' ? 'lacking' : 'unreached';
}

// The next functions send raw commands to an Epson printer's port, from a page in the app.

type Print = NonNullable<NativeShell['print']>;

async function askCommands(print: Print, printer: Printer): Promise<LanResult> {
  const dialogue = createEscPosDialogue();
  const { questions } = dialogue;
  const outcome = await print({ ...placeOf(printer), content: joined(...questions), reply: questions.length });
  const said = bytesFromBase64(outcome.said);
  if (outcome.status !== 'sent' || said.length < questions.length) return { unreached: 'unreached' };
  for (const index of questions.keys()) {
    dialogue.asks(index);
    dialogue.hear(said.subarray(index, index + 1));
  }
  return { answer: { outcome: { kind: 'printed' }, condition: dialogue.condition } };
}

/**
 * Sends the commands of an Epson document, and then a fence command. The printer's answer to the fence confirms that
 * all commands were printed.
 */
async function sendCommands(print: Print, printer: Printer, document: string): Promise<LanResult> {
  const [, hex] = /<command>([0-9a-f]*)<\/command>/i.exec(document) ?? [];
  if (hex === undefined) return { unreached: 'not_understood', isUnsent: true };
  const commands = Uint8Array.from(hex.match(/../g) ?? [], (pair) => Number.parseInt(pair, 16));
  const dialogue = createEscPosDialogue(newJobName());
  const { status, detail, said } = await print({
    ...placeOf(printer),
    content: joined(commands, dialogue.fence),
    reply: jobNameReplyLength,
  });
  const words = detail !== '' && { detail };
  if (status !== 'sent') return { unreached: 'unreached', ...words, ...(status === 'failed' && { isUnsent: true }) };
  dialogue.begin();
  dialogue.written();
  dialogue.hear(bytesFromBase64(said));
  const { condition, isPrinted } = dialogue;
  const fault = condition.fault ?? 'unanswered';
  return { answer: { outcome: isPrinted ? { kind: 'printed' } : { kind: 'unknown', fault }, condition } };
}

function placeOf({ address }: Printer): { host: string; port: number } {
  const { hostname, port } = new URL(`tcp://${address}`);
  return { host: hostname.replaceAll(/^\[|\]$/g, ''), port: Number(port) };
}

function joined(...parts: readonly Uint8Array[]): string {
  return toBase64(Uint8Array.from(parts.flatMap((part) => [...part])));
}

/** The maximum bytes of a response in the app; a usual one has a few hundred. */
const maxFromApp = 16_384;

/** Sends HTTP/1.1 requests over the app's TCP connection, from a page in the app. */
function throughApp(print: NonNullable<NativeShell['print']>): LanRequestSender {
  return async (request) => {
    const { protocol, hostname, port } = new URL(request.url);
    if (protocol !== 'http:') return { unreached: 'unreached', isUnsent: true };
    const to = { host: hostname.replaceAll(/^\[|\]$/g, ''), port: Number(port || 80) };
    const outcome = await print({ ...to, content: toBase64(httpRequest(request)), reply: maxFromApp });
    const { status, detail, said } = outcome;
    if (status !== 'sent' || said === '') {
      const isUnsent = status === 'failed' && { isUnsent: true as const };
      return { unreached: 'unreached', ...(detail !== '' && { detail }), ...isUnsent };
    }
    return { text: bodyOf(new TextDecoder().decode(bytesFromBase64(said))) };
  };
}

function httpRequest({ url, headers, body }: LanRequest): Uint8Array {
  const { host, port, pathname, search } = new URL(url);
  const bytes = new TextEncoder().encode(body);
  const head = [
    `POST ${pathname}${search} HTTP/1.1`,
    `Host: ${port === '' ? `${host}:80` : host}`,
    ...Object.entries(headers).map(([name, value]) => `${name}: ${value}`),
    `Content-Length: ${bytes.length}`,
    'Connection: close',
  ];
  return Uint8Array.from([...new TextEncoder().encode(`${head.join('\r\n')}\r\n\r\n`), ...bytes]);
}

/** Returns the body of an HTTP answer, joined if it is chunked; the status line if the status is not 200. */
function bodyOf(answer: string): string {
  const [head = '', ...rest] = answer.split('\r\n\r\n');
  const [first = ''] = head.split('\r\n', 1);
  if (!/^HTTP\/1\.[01] 200\b/.test(first)) return first;
  const body = rest.join('\r\n\r\n');
  return /^transfer-encoding:\s*chunked/im.test(head) ? joinedFromApp(body) : body;
}

function joinedFromApp(chunks: string): string {
  let text = '';
  for (let rest = chunks; ;) {
    const [line, size = ''] = /^([0-9a-f]+)[^\r\n]*\r\n/i.exec(rest) ?? [];
    const length = Number.parseInt(size, 16);
    if (line === undefined || !(length > 0)) return text;
    text += rest.slice(line.length, line.length + length);
    rest = rest.slice(line.length + length + 2);
  }
}

export function bytesFromBase64(base64: string): Uint8Array {
  return Uint8Array.from(atob(base64), (letter) => letter.charCodeAt(0));
}

function toBase64(bytes: Uint8Array): string {
  let text = '';
  for (const byte of bytes) text += String.fromCharCode(byte);
  return btoa(text);
}

/** Reports a printer's condition to the server, unless the server knows it already. */
export async function reportPrinterCondition(printer: Printer, condition: ReportedCondition): Promise<void> {
  const { state, fault, paper, cover } = printer.status;
  const isKnown =
    state !== 'new' && fault === condition.fault && paper === condition.paper && cover === condition.cover;
  if (isKnown) return;
  // A failed report needs no retry, because the next status check repeats it.
  const { detail, ...rest } = condition;
  const body = { id: printer.id, ...rest, ...(detail !== null && { detail }) };
  await api('POST /v1/printers/{id}/report', body, { timeout: 15_000 }).catch(() => undefined);
}
