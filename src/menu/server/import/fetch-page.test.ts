import { createServer, type RequestListener, type Server } from 'node:http';
import type { AddressInfo, LookupFunction } from 'node:net';
import { gzipSync } from 'node:zlib';
import { afterEach, expect, test } from 'vitest';
import { fetchPage, type PageLimits } from '#menu/server/import/fetch-page.ts';
import { AppError } from '#platform/errors.ts';
import { createPublicDnsLookup } from '#platform/server/addresses.ts';

let server: Server | null = null;
afterEach(() => {
  server?.closeAllConnections();
  server?.close();
});

/** A website at `menu.example`, which the limits let the fetch reach. */
async function website(listener: RequestListener): Promise<{ url: string; limits: Partial<PageLimits> }> {
  const own = createServer(listener).listen(0, '127.0.0.1');
  server = own;
  await new Promise((resolve) => own.once('listening', resolve));
  const port = String((own.address() as AddressInfo).port);
  const lookup: LookupFunction = (host, options, callback) => {
    if (host !== 'menu.example') return createPublicDnsLookup()(host, options, callback);
    if (options.all) callback(null, [{ address: '127.0.0.1', family: 4 }]);
    else callback(null, '127.0.0.1', 4);
  };
  return { url: `http://menu.example:${port}/`, limits: { lookup, ports: [port, ''] } };
}

/** The look-up of public addresses, with a resolver that answers these. */
function resolvesTo(...addresses: string[]): LookupFunction {
  const resolve = (_host: string, _options: unknown, callback: (error: null, found: unknown) => void) =>
    callback(
      null,
      addresses.map((address) => ({ address, family: 4 })),
    );
  return createPublicDnsLookup(resolve as never);
}

const wordsOf = async (fetching: Promise<unknown>) => {
  const error: unknown = await fetching.then(
    () => null,
    (one: unknown) => one,
  );
  return error instanceof AppError ? (error.detail.errors?.['url']?.[0] ?? '') : error;
};

test('a page is fetched over redirects, and unpacked', async () => {
  const { url, limits } = await website((request, answer) => {
    if (request.url === '/') answer.writeHead(302, { location: '/menu' }).end();
    else
      answer.writeHead(200, { 'content-type': 'text/html', 'content-encoding': 'gzip' }).end(gzipSync('<p>Tea £1.20'));
  });
  const { type, bytes } = await fetchPage(url, limits);
  expect([type, bytes.toString()]).toEqual(['html', '<p>Tea £1.20']);
});

test.each([
  'http://127.0.0.1/menu',
  'http://[::1]/',
  'http://[::ffff:10.0.0.1]/',
  'http://2130706433/',
  'http://0x7f.1/',
  'http://169.254.169.254/latest/meta-data',
  'http://192.168.1.1',
  'http://localhost/',
  'https://example.com:5432/',
])('%s is never connected to', async (url) => {
  expect(await wordsOf(fetchPage(url))).toContain('private network');
});

test('a redirect into the own network is refused, whether by address or by name', async () => {
  for (const location of ['http://127.0.0.1/', 'http://10.1.2.3/', '//[fd12::7]/']) {
    const { url, limits } = await website((_, answer) => answer.writeHead(301, { location }).end());
    expect(await wordsOf(fetchPage(url, limits))).toContain('private network');
    server?.close();
  }
  const inside = { lookup: resolvesTo('10.0.0.7') };
  expect(await wordsOf(fetchPage('http://inside.example/', inside))).toContain('private network');
});

test('a name that leads into the own network at the second look-up is refused there (DNS rebinding)', async () => {
  let asked = 0;
  const { url, limits } = await website((_, answer) => {
    asked += 1;
    answer.writeHead(302, { location: '/menu' }).end();
  });
  let lookups = 0;
  const rebinding: LookupFunction = (host, options, callback) => {
    lookups += 1;
    if (lookups === 1) limits.lookup?.(host, options, callback);
    else resolvesTo('93.184.215.14', '10.0.0.7')(host, options, callback);
  };
  expect(await wordsOf(fetchPage(url, { ...limits, lookup: rebinding }))).toContain('private network');
  expect([asked, lookups]).toEqual([1, 2]);
});

test.each<[string, RequestListener, string]>([
  [
    'answers hugely',
    (_, answer) => void answer.writeHead(200, { 'content-type': 'text/html' }).end('x'.repeat(2000)),
    'larger than',
  ],
  [
    'unpacks hugely',
    (_, answer) => void answer.writeHead(200, { 'content-encoding': 'gzip' }).end(gzipSync('x'.repeat(100_000))),
    'larger than',
  ],
  ['never answers', () => {}, 'too long'],
  ['never ends', (_, answer) => void answer.writeHead(200).write('<p>'), 'too long'],
  ['redirects without an end', (_, answer) => void answer.writeHead(302, { location: '/' }).end(), 'without an end'],
  ['refuses', (_, answer) => void answer.writeHead(403).end(), '403'],
  ['is a film', (_, answer) => void answer.writeHead(200, { 'content-type': 'video/mp4' }).end(), 'neither a page'],
])('a website that %s is refused in words', async (_, listener, words) => {
  const { url, limits } = await website(listener);
  expect(await wordsOf(fetchPage(url, { ...limits, bytes: 1000, timeout: 500 }))).toContain(words);
});

test.each(['mario', 'ftp://example.com/menu', 'https://user:word@example.com/', ''])(
  '%s is no address',
  async (url) => {
    expect(await wordsOf(fetchPage(url))).toContain('not the address of a website');
  },
);
