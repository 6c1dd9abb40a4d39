import { request as requestPlain, type IncomingMessage } from 'node:http';
import { request as requestSecure } from 'node:https';
import { isIP, type LookupFunction } from 'node:net';
import { pipeline } from 'node:stream/promises';
import { createBrotliDecompress, createGunzip } from 'node:zlib';
import { m } from '#messages';
import { invalidFieldError } from '#platform/errors.ts';
import { createPublicDnsLookup, isPublicAddress, PrivateAddressError } from '#platform/server/addresses.ts';

export interface FetchedPage {
  bytes: Buffer;
  type: 'html' | 'pdf' | 'table';
}

export interface PageLimits {
  /** Milliseconds for the whole fetch, including redirects. */
  timeout: number;
  /** The maximum size of the page after decompression, in bytes. */
  bytes: number;
  lookup: LookupFunction;
  /** Whether the fetch may connect to an IP address that the URL contains; `lookup` checks host names. */
  isAllowed: (address: string) => boolean;
  ports: readonly string[];
}

const defaultLimits: PageLimits = {
  timeout: 15_000,
  bytes: 5 * 1024 * 1024,
  lookup: createPublicDnsLookup(),
  isAllowed: isPublicAddress,
  ports: ['', '80', '443'],
};
const maxRedirects = 5;

/**
 * Fetches a public web page. Each redirect passes the same checks as the first URL, because a public page may redirect
 * into the server's network. Throws 422 with a message.
 */
export async function fetchPage(typedUrl: string, limits: Partial<PageLimits> = {}): Promise<FetchedPage> {
  const own = { ...defaultLimits, ...limits };
  const signal = AbortSignal.timeout(own.timeout);
  let url = readUrl(typedUrl, own);
  try {
    for (let redirects = 0; redirects <= maxRedirects; redirects += 1) {
      const answer = await sendRequest(url, own, signal);
      const { statusCode: status = 0, headers } = answer;
      if (status >= 300 && status < 400 && headers.location !== undefined) {
        answer.destroy();
        url = readUrl(URL.parse(headers.location, url)?.href ?? '', own);
        continue;
      }
      if (status !== 200) {
        answer.destroy();
        throw refusal(m.menu_website_status({ status }));
      }
      const type = typeOf(headers['content-type'], url);
      if (!type) {
        answer.destroy();
        throw refusal(m.menu_website_kind());
      }
      return { type, bytes: await readAnswer(answer, own.bytes, signal) };
    }
    throw refusal(m.menu_website_redirects());
  } catch (error) {
    throw refusalOf(error, signal);
  }
}

function readUrl(typedUrl: string, { isAllowed, ports }: PageLimits): URL {
  const text = typedUrl.trim();
  const url = URL.parse(/^[a-z][a-z\d+.-]*:\/\//i.test(text) ? text : `https://${text}`);
  if (!url || !/^https?:$/.test(url.protocol) || url.username !== '' || !/[.:]/.test(url.hostname))
    throw refusal(url?.hostname === 'localhost' ? m.menu_website_private() : m.menu_website_address());
  const host = url.hostname.replace(/^\[(.*)\]$/, '$1');
  if ((isIP(host) !== 0 && !isAllowed(host)) || !ports.includes(url.port)) throw refusal(m.menu_website_private());
  return url;
}

function sendRequest(url: URL, { lookup }: PageLimits, signal: AbortSignal): Promise<IncomingMessage> {
  const request = url.protocol === 'https:' ? requestSecure : requestPlain;
  const headers = {
    accept: 'text/html,application/xhtml+xml,application/pdf;q=0.9,text/csv;q=0.8',
    'accept-encoding': 'gzip, br',
    'user-agent': 'Mozilla/5.0 (compatible; HatchMenuImport/1.0)',
  };
  return new Promise((resolve, reject) => {
    const asking = request(url, { agent: false, headers, lookup, signal }, resolve);
    asking.on('error', reject);
    asking.end();
  });
}

function typeOf(header: string | undefined, { pathname }: URL): FetchedPage['type'] | null {
  const type = header?.split(';')[0]?.trim().toLowerCase() ?? '';
  if (/^(?:text\/html|application\/xhtml\+xml|text\/plain|)$/.test(type)) return 'html';
  if (type === 'application/pdf' || /\.pdf$/i.test(pathname)) return 'pdf';
  return /csv|spreadsheetml/.test(type) ? 'table' : null;
}

async function readAnswer(answer: IncomingMessage, maxBytes: number, signal: AbortSignal): Promise<Buffer> {
  const chunks: Buffer[] = [];
  let size = 0;
  const collect = async (source: AsyncIterable<Buffer>) => {
    for await (const chunk of source) {
      size += chunk.length;
      if (size > maxBytes) throw refusal(m.menu_website_large());
      chunks.push(chunk);
    }
  };
  const encoding = answer.headers['content-encoding'];
  const decompression = encoding === 'gzip' ? createGunzip() : encoding === 'br' ? createBrotliDecompress() : null;
  if (decompression) await pipeline(answer, decompression, collect, { signal });
  else await pipeline(answer, collect, { signal });
  return Buffer.concat(chunks);
}

function refusal(words: string): Error {
  return invalidFieldError('url', words);
}

function refusalOf(error: unknown, signal: AbortSignal): unknown {
  if (signal.aborted) return refusal(m.menu_website_slow());
  if (error instanceof PrivateAddressError) return refusal(m.menu_website_private());
  const isNetwork = error instanceof Error && 'code' in error && /^[A-Z_\d]+$/.test(String(error.code));
  return isNetwork ? refusal(m.menu_website_unreachable()) : error;
}
