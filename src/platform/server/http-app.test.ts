import { connect } from 'node:net';
import type { FastifyInstance } from 'fastify';
import { pino } from 'pino';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createClientAddressReader, parseNetworks } from '#platform/server/client-address.ts';
import { DatabaseUnavailable } from '#platform/server/database-unavailable.ts';
import { bareHttpApp } from '#platform/testing/bare-http-app.ts';

let app: FastifyInstance;
let isAway = false;

beforeAll(() => {
  app = bareHttpApp();
  app.get('/*', (request, reply) => {
    if (isAway) throw new DatabaseUnavailable(new Error('gone'));
    return reply.send(`page ${request.url}`);
  });
});
afterAll(() => app.close());

test.each([
  ['/', 'text/html', 'text/html; charset=utf-8', 'Try again'],
  ['/', 'application/json', 'application/json; charset=utf-8', '"code":"unavailable"'],
])('a database that is away: %s, asked for as %s', async (url, accept, type, words) => {
  isAway = true;
  const { statusCode, headers, body } = await app.inject({ url, headers: { accept } });
  isAway = false;
  expect([statusCode, headers['content-type'], headers['retry-after']]).toEqual([503, type, '2']);
  expect(body).toContain(words);
});

test.each([
  ['/%E0%A4%A', 'page /%25E0%25A4%25A'],
  ['/caf%C3%A9', 'page /caf%C3%A9'],
  ['/a%20b/%ZZ?q=%ZZ', 'page /a%2520b/%25ZZ?q=%ZZ'],
  ['/menu?q=%ZZ', 'page /menu?q=%ZZ'],
])('a browser that follows %s gets to the pages', async (url, answer) => {
  const { statusCode, body } = await app.inject({ url, headers: { accept: 'text/html,*/*;q=0.8' } });
  expect([statusCode, body]).toEqual([200, answer]);
});

test.each([
  ['/%E0%A4%A', 'application/json'],
  ['/v1/%E0%A4%A', 'text/html'],
])('%s, asked for as %s, is refused as malformed', async (url, accept) => {
  const { statusCode, headers, body } = await app.inject({ url, headers: { accept } });
  expect([statusCode, headers['content-type']]).toEqual([400, 'application/json; charset=utf-8']);
  expect(body).toContain('malformed_request');
});

test.each(['DELETE', 'POST'])('a %s that names a type and has no body is answered', async (method) => {
  const own = bareHttpApp();
  own.route({ method: ['DELETE', 'POST'], url: '/thing', handler: async ({ body }) => ({ body: body ?? null }) });
  const origin = await own.listen({ port: 0, host: '127.0.0.1' });
  const answer = await new Promise<string>((resolve, reject) => {
    const socket = connect(Number(new URL(origin).port), '127.0.0.1', () => {
      socket.write(
        `${method} /thing HTTP/1.1\r\nhost: shop\r\ncontent-type: application/json\r\nconnection: close\r\n\r\n`,
      );
    });
    let received = '';
    socket.on('data', (bytes) => (received += bytes.toString()));
    socket.on('end', () => resolve(received));
    socket.on('error', reject);
  });
  expect(answer).toMatch(/^HTTP\/1\.1 200 /);
  expect(answer).toContain('{"body":null}');
  await own.close();
});

test.each(['/', '/v1/orders'])('TRACE %s is refused, and says nothing of what was sent', async (path) => {
  const own = bareHttpApp();
  own.get('/*', () => 'page');
  const { port } = new URL(await own.listen({ port: 0, host: '127.0.0.1' }));
  const answer = await new Promise<string>((resolve, reject) => {
    const sent = `TRACE ${path} HTTP/1.1\r\nHost: shop\r\nAuthorization: Bearer secret\r\nConnection: close\r\n\r\n`;
    const socket = connect(Number(port), '127.0.0.1', () => socket.write(sent));
    let received = '';
    socket.on('data', (bytes) => (received += bytes.toString()));
    socket.on('end', () => resolve(received));
    socket.on('error', reject);
  });
  expect(answer).toMatch(/^HTTP\/1\.1 (404|405|501) /);
  expect(answer).not.toContain('secret');
  await own.close();
});

test('a request that names two hosts is refused, and the connection with it', async () => {
  const own = bareHttpApp({
    // As the pages that are kept as bytes.
    fastPath: ({ url }, response) => url === '/kept' && Boolean(response.end('kept')),
  });
  own.get('/', (request) => request.host);
  const { port } = new URL(await own.listen({ port: 0, host: '127.0.0.1' }));
  const answerTo = (hosts: string, path = '/') =>
    new Promise<string>((resolve, reject) => {
      const socket = connect(Number(port), '127.0.0.1', () => {
        socket.write(`GET ${path} HTTP/1.1\r\n${hosts}Connection: close\r\n\r\n`);
      });
      let received = '';
      socket.on('data', (bytes) => (received += bytes.toString()));
      socket.on('end', () => resolve(received));
      socket.on('error', reject);
    });
  expect(await answerTo('Host: shop.example\r\n')).toMatch(/^HTTP\/1\.1 200 [\s\S]*shop\.example$/);
  expect(await answerTo('Host: shop.example\r\n', '/kept')).toMatch(/^HTTP\/1\.1 200 [\s\S]*kept/);
  for (const path of ['/', '/kept']) {
    const refused = await answerTo('Host: shop.example\r\nhOst: evil.example\r\n', path);
    expect(refused).toMatch(/^HTTP\/1\.1 400 [\s\S]*"malformed_request"/);
    expect(refused).toContain("\r\ncontent-security-policy: default-src 'none'; frame-ancestors 'none'\r\n");
    expect(refused).toContain('\r\nreferrer-policy: strict-origin-when-cross-origin\r\n');
    expect(refused).toContain('\r\ncache-control: no-store\r\n');
  }
  await own.close();
});

test('a peer that is not trusted and names its clients is logged once', async () => {
  const lines: string[] = [];
  const log = pino({ level: 'warn' }, { write: (line: string) => void lines.push(line) });
  const other = bareHttpApp({ log, clients: createClientAddressReader(parseNetworks('10.0.0.0/8')) });
  other.get('/', (request) => request.ip);
  const ask = async (remoteAddress: string) =>
    (await other.inject({ url: '/', remoteAddress, headers: { 'x-forwarded-for': '203.0.113.9' } })).body;
  expect([await ask('192.0.2.1'), await ask('192.0.2.1')]).toEqual(['192.0.2.1', '192.0.2.1']);
  expect([await ask('10.0.0.7'), await ask('127.0.0.1')]).toEqual(['203.0.113.9', '203.0.113.9']);
  expect(lines.map((line) => JSON.parse(line))).toMatchObject([{ peer: '192.0.2.1' }]);
  await other.close();
});
