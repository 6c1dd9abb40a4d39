import type { PrintOutcome } from '#platform/web/native/native-shell.ts';

// What a tablet's TCP connection says to a printer: a document over HTTP, or the commands themselves.

export type Protocol = 'epos' | 'webprnt' | 'raw';

export interface JobBytes {
  protocol: Protocol;
  /** Base64. */
  content: string;
  reply: number;
}

/** Ports at which printers take commands as they are; at others Epson's and Star's take documents. */
const rawPorts: ReadonlySet<number> = new Set([9100, 9101, 9102, 9103]);
const wholeReply = 16_384;
/** ESC/POS `GS r 1`: the printer answers one byte about its paper when everything before it has been done. */
const askPaper = [0x1d, 0x72, 0x01];
const paperEnd = 0x0c;

/** Null for a form that cannot go this way. */
export function jobBytes(mediaType: string, content: string, to: { host: string; port: number }): JobBytes | null {
  if (!mediaType.startsWith('text/xml') || to.host === '') return null;
  const document = new TextDecoder().decode(fromBase64(content));
  if (document.startsWith('<epos-print')) return rawPorts.has(to.port) ? raw(document) : epos(document, to);
  return document.startsWith('<root>') && !rawPorts.has(to.port) ? webprnt(document, to) : null;
}

/** What the printer's answer means for the ledger. */
export function outcomeOf(
  { status, detail, said }: PrintOutcome,
  protocol: Protocol,
): {
  status: 'printed' | 'failed' | 'unknown';
  fault?: 'paper_out' | 'cover_open' | 'offline' | 'other';
  detail?: string;
} {
  const why = detail === '' ? {} : { detail };
  if (status === 'failed') return { status: 'failed', fault: 'offline', ...why };
  if (status === 'unknown') return { status: 'unknown', ...why };
  const bytes = fromBase64(said);
  if (protocol === 'raw') {
    const [paper] = bytes;
    if (paper === undefined) return { status: 'unknown', detail: 'The printer did not answer.' };
    return (paper & paperEnd) === 0 ? { status: 'printed' } : { status: 'unknown', fault: 'paper_out' };
  }
  const text = new TextDecoder().decode(bytes).replaceAll('&lt;', '<').replaceAll('&gt;', '>');
  if (!/^HTTP\/1\.[01] 200/.test(text)) {
    return { status: 'failed', fault: 'other', detail: (text.split('\r\n', 1)[0] ?? '').slice(0, 200) };
  }
  const isPrinted =
    protocol === 'epos' ? /<response[^>]* success="(true|1)"/.test(text) : /<success>true<\/success>/.test(text);
  if (isPrinted) return { status: 'printed' };
  const code = (protocol === 'epos' ? / code="(\w*)"/ : /<code>(\w*)<\/code>/).exec(text)?.[1] ?? '';
  const fault = faults[code] ?? 'other';
  return { status: 'failed', fault, ...(code !== '' && { detail: code }) };
}

const faults: Record<string, 'paper_out' | 'cover_open' | 'offline'> = {
  EPTR_REC_EMPTY: 'paper_out',
  EPTR_COVER_OPEN: 'cover_open',
  EX_TIMEOUT: 'offline',
  DeviceNotFound: 'offline',
};

function epos(document: string, to: { host: string; port: number }): JobBytes {
  const body = `<?xml version="1.0" encoding="utf-8"?><s:Envelope xmlns:s="http://schemas.xmlsoap.org/soap/envelope/"><s:Body>${document}</s:Body></s:Envelope>`;
  const path = '/cgi-bin/epos/service.cgi?devid=local_printer&timeout=10000';
  return { protocol: 'epos', content: http(path, body, to), reply: wholeReply };
}

function webprnt(document: string, to: { host: string; port: number }): JobBytes {
  const escaped = document.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');
  const body = `<StarWebPrint xmlns="http://www.star-m.jp" xmlns:i="http://www.w3.org/2001/XMLSchema-instance"><Request>${escaped}</Request></StarWebPrint>`;
  return { protocol: 'webprnt', content: http('/StarWebPRNT/SendMessage', body, to), reply: wholeReply };
}

/** Epson's document carries the commands as they are. */
function raw(document: string): JobBytes | null {
  const hex = /<command>([0-9a-f]*)<\/command>/i.exec(document)?.[1];
  if (hex === undefined) return null;
  const bytes = (hex.match(/../g) ?? []).map((pair) => Number.parseInt(pair, 16));
  return { protocol: 'raw', content: toBase64([...bytes, ...askPaper]), reply: 1 };
}

function http(path: string, body: string, { host, port }: { host: string; port: number }): string {
  const bytes = new TextEncoder().encode(body);
  const head = [
    `POST ${path} HTTP/1.1`,
    `Host: ${host}:${port}`,
    'Content-Type: text/xml; charset=utf-8',
    `Content-Length: ${bytes.length}`,
    'SOAPAction: ""',
    'Connection: close',
  ];
  return toBase64([...new TextEncoder().encode(`${head.join('\r\n')}\r\n\r\n`), ...bytes]);
}

function fromBase64(text: string): Uint8Array {
  return Uint8Array.from(atob(text), (each) => each.charCodeAt(0));
}

function toBase64(bytes: readonly number[]): string {
  let text = '';
  for (const byte of bytes) text += String.fromCharCode(byte);
  return btoa(text);
}
