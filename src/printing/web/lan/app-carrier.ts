import type { NativeShell } from '#platform/web/native/native-shell.ts';
import { bytesFrom, toBase64 } from '#printing/web/lan/base64.ts';
import type { Carrier, LanRequest } from '#printing/web/lan/lan-answer.ts';

/** Bytes of an answer that the app waits for: it has a few hundred, and the printer closes the line behind it. */
const mostRead = 16_384;

/** From a page in the app, which has no way but TCP: HTTP/1.1 over it. */
export function throughApp(print: NonNullable<NativeShell['print']>): Carrier {
  return async (request) => {
    const { protocol, hostname, port } = new URL(request.url);
    if (protocol !== 'http:') return { unreached: 'unreached', isUnsent: true };
    const to = { host: hostname.replaceAll(/^\[|\]$/g, ''), port: Number(port || 80) };
    const outcome = await print({ ...to, content: toBase64(httpRequest(request)), reply: mostRead });
    const { status, detail, said } = outcome;
    // A line that ended without a word.
    if (status !== 'sent' || said === '') {
      const isUnsent = status === 'failed' && { isUnsent: true as const };
      return { unreached: 'unreached', ...(detail !== '' && { detail }), ...isUnsent };
    }
    return { text: bodyOf(new TextDecoder().decode(bytesFrom(said))) };
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

/** The body of an HTTP answer, also in pieces; its first line if it is no success. */
function bodyOf(answer: string): string {
  const [head = '', ...rest] = answer.split('\r\n\r\n');
  const [first = ''] = head.split('\r\n', 1);
  if (!/^HTTP\/1\.[01] 200\b/.test(first)) return first;
  const body = rest.join('\r\n\r\n');
  return /^transfer-encoding:\s*chunked/im.test(head) ? joined(body) : body;
}

function joined(chunks: string): string {
  let text = '';
  for (let rest = chunks; ;) {
    const [line, size = ''] = /^([0-9a-f]+)[^\r\n]*\r\n/i.exec(rest) ?? [];
    const length = Number.parseInt(size, 16);
    if (line === undefined || !(length > 0)) return text;
    text += rest.slice(line.length, line.length + length);
    rest = rest.slice(line.length + length + 2);
  }
}
