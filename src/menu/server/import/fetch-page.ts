import { request as requestPlain, type IncomingMessage } from 'node:http';
import { request as requestSecure } from 'node:https';
import { isIP, type LookupFunction } from 'node:net';
import { pipeline } from 'node:stream/promises';
import { createBrotliDecompress, createGunzip } from 'node:zlib';
import { m } from '#messages';
import { invalidFieldError } from '#platform/errors.ts';
import { createPublicLookup, isPublicAddress, PrivateAddress } from '#platform/server/addresses.ts';

export interface FetchedPage {
  bytes: Buffer;
  type: 'html' | 'pdf' | 'table';
}

export interface PageLimits {
  /** Milliseconds for the whole fetch, redirects included. */
  timeout: number;
  /** Bytes after decompression. */
  bytes: number;
  lookup: LookupFunction;
  /** Whether an address in the URL itself may be connected to. */
  isAllowed: (address: string) => boolean;
  ports: readonly string[];
}

const usual: PageLimits = {
  timeout: 15_000,
  bytes: 5 * 1024 * 1024,
  lookup: createPublicLookup(),
  isAllowed: isPublicAddress,
  ports: ['', '80', '443'],
};
const mostRedirects = 5;

/** Fetches a page of the internet; each redirect is checked like the first address. Throws 422 with words. */
export async function fetchPage(typed: string, limits: Partial<PageLimits> = {}): Promise<FetchedPage> {
  const own = { ...usual, ...limits };
  const signal = AbortSignal.timeout(own.timeout);
  let url = readUrl(typed, own);
  try {
    for (let redirects = 0; redirects <= mostRedirects; redirects += 1) {
      const answer = await ask(url, own, signal);
      const { statusCode: status = 0, headers } = answer;
      if (status >= 300 && status < 400 && headers.location !== undefined) {
        answer.destroy();
        url = readUrl(URL.parse(headers.location, url)?.href ?? '', own);
        continue;
      }
      if (status !== 200) {
        answer.destroy();
        throw refused(m.menu_website_status({ status }));
      }
      const type = typeOf(headers['content-type'], url);
      if (!type) {
        answer.destroy();
        throw refused(m.menu_website_kind());
      }
      return { type, bytes: await readAnswer(answer, own.bytes, signal) };
    }
    throw refused(m.menu_website_redirects());
  } catch (error) {
    throw wordsOf(error, signal);
  }
}

function readUrl(typed: string, { isAllowed, ports }: PageLimits): URL {
  const text = typed.trim();
  const url = URL.parse(/^[a-z][a-z\d+.-]*:\/\//i.test(text) ? text : `https://${text}`);
  if (!url || !/^https?:$/.test(url.protocol) || url.username !== '' || !/[.:]/.test(url.hostname))
    throw refused(url?.hostname === 'localhost' ? m.menu_website_private() : m.menu_website_address());
  const host = url.hostname.replace(/^\[(.*)\]$/, '$1');
  if ((isIP(host) !== 0 && !isAllowed(host)) || !ports.includes(url.port)) throw refused(m.menu_website_private());
  return url;
}

function ask(url: URL, { lookup }: PageLimits, signal: AbortSignal): Promise<IncomingMessage> {
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

async function readAnswer(answer: IncomingMessage, most: number, signal: AbortSignal): Promise<Buffer> {
  const chunks: Buffer[] = [];
  let size = 0;
  const collect = async (source: AsyncIterable<Buffer>) => {
    for await (const chunk of source) {
      size += chunk.length;
      if (size > most) throw refused(m.menu_website_large());
      chunks.push(chunk);
    }
  };
  const encoding = answer.headers['content-encoding'];
  const unpacking = encoding === 'gzip' ? createGunzip() : encoding === 'br' ? createBrotliDecompress() : null;
  if (unpacking) await pipeline(answer, unpacking, collect, { signal });
  else await pipeline(answer, collect, { signal });
  return Buffer.concat(chunks);
}

function refused(words: string): Error {
  return invalidFieldError('url', words);
}

function wordsOf(error: unknown, signal: AbortSignal): unknown {
  if (signal.aborted) return refused(m.menu_website_slow());
  if (error instanceof PrivateAddress) return refused(m.menu_website_private());
  const isNetwork = error instanceof Error && 'code' in error && /^[A-Z_\d]+$/.test(String(error.code));
  return isNetwork ? refused(m.menu_website_unreachable()) : error;
}
