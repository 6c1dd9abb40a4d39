import { once } from 'node:events';
import { connect, type AddressInfo, type Socket } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import type { FastifyInstance } from 'fastify';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { AppError } from '#platform/errors.ts';
import { extendBodyDeadline } from '#platform/server/slow-requests.ts';
import { bareHttpApp } from '#platform/testing/bare-http-app.ts';

let app: FastifyInstance;
beforeAll(async () => {
  app = bareHttpApp({ limits: { head: 300, whole: 300, fileBytesPerSecond: 1_000, checkEvery: 50, unread: 60_000 } });
  app.post('/things', (request, reply) => reply.send(request.body ?? null));
  app.post('/pictures', { onRequest: async ({ raw }) => extendBodyDeadline(raw) }, (request, reply) =>
    reply.send({ bytes: (request.body as Buffer).length }),
  );
  await app.listen({ port: 0, host: '127.0.0.1' });
});
afterAll(() => app.close());

const head = (path: string, type: string, length: number) =>
  `POST ${path} HTTP/1.1\r\nhost: shop\r\ncontent-type: ${type}\r\ncontent-length: ${length}\r\n\r\n`;

/** Sends the parts with 50 ms between them, until the server ends the request; returns its answer. */
async function drip(parts: string[]): Promise<string> {
  const socket: Socket = connect((app.server.address() as AddressInfo).port, '127.0.0.1');
  let said = '';
  socket.setEncoding('utf8').on('data', (text: string) => (said += text));
  // Sending to a server that has closed resets the connection.
  socket.on('error', () => {});
  await once(socket, 'connect');
  const closed = once(socket, 'close');
  for (const part of parts) {
    if (socket.destroyed || said !== '') break;
    socket.write(part);
    await sleep(50);
  }
  if (!said.includes('connection: close')) socket.end();
  await closed;
  return said;
}

test('a body that comes byte by byte is answered 408, and its connection closed', async () => {
  const said = await drip([head('/things', 'application/json', 100), ...Array.from({ length: 60 }, () => ' ')]);
  expect(said).toMatch(/^HTTP\/1.1 408 Request Timeout\r\n/);
  expect(said).toContain('"code":"request_timeout"');
});

test('a request whose head does not end is answered 408', async () => {
  const said = await drip(['POST /things HTTP/1.1\r\n', ...Array.from({ length: 60 }, (_, n) => `x-${n}: y\r\n`)]);
  expect(said).toMatch(/^HTTP\/1.1 408 /);
});

test('the rest of a body that was refused unread is taken in for a moment, and then its connection closed', async () => {
  const other = bareHttpApp({
    limits: { head: 60_000, whole: 60_000, fileBytesPerSecond: 1, checkEvery: 50, unread: 60_000 },
  });
  const refuse = async () => Promise.reject(new AppError('unauthenticated', 'Unauthenticated.'));
  other.post('/unread', { onRequest: refuse }, () => 'read');
  await other.listen({ port: 0, host: '127.0.0.1' });
  const socket: Socket = connect((other.server.address() as AddressInfo).port, '127.0.0.1');
  let said = '';
  socket.setEncoding('utf8').on('data', (text: string) => (said += text));
  // What is sent after the end may be answered by a reset, at which `once` would give up.
  socket.on('error', () => {});
  const closed = new Promise((resolve) => void socket.on('close', resolve));
  socket.write(head('/unread', 'image/png', 1_000_000));
  const sending = setInterval(() => socket.write('x'.repeat(100)), 20);
  await closed;
  clearInterval(sending);
  await other.close();
  expect(said).toMatch(/^HTTP\/1.1 401 [\s\S]*"unauthenticated"/);
});

test('a file may take its time while it keeps coming, and no longer', async () => {
  // 100 bytes in 50 ms are twice the least speed: six tenths of a second in all, of which 0.3 s are granted.
  const steady = Array.from({ length: 12 }, () => 'x'.repeat(100));
  expect(await drip([head('/pictures', 'image/png', 1_200), ...steady])).toContain('{"bytes":1200}');
  const faint = Array.from({ length: 60 }, () => 'x'.repeat(5));
  expect(await drip([head('/pictures', 'image/png', 1_200), ...faint])).toMatch(/^HTTP\/1.1 408 /);
});

test('a request in time is answered, and its connection kept', async () => {
  const url = `http://127.0.0.1:${(app.server.address() as AddressInfo).port}/things`;
  const send = () =>
    fetch(url, { method: 'POST', headers: { 'content-type': 'application/json' }, body: '{"a":1}' }).then((answer) =>
      answer.json(),
    );
  expect(await send()).toEqual({ a: 1 });
  await sleep(600);
  expect(await send()).toEqual({ a: 1 });
});
