import { once } from 'node:events';
import { connect, type AddressInfo, type Socket } from 'node:net';
import { Readable } from 'node:stream';
import { setTimeout as sleep } from 'node:timers/promises';
import type { FastifyInstance } from 'fastify';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { bareHttpApp } from '#platform/testing/bare-http-app.ts';

// More than both kernels' buffers hold, so that the rest waits in the server.
const piece = Buffer.alloc(1024 * 1024, 'x');
const pieces = 64;
/** Milliseconds; long enough for a client on a busy machine that does read. */
const unread = 1_500;

vi.setConfig({ testTimeout: 90_000 });

let app: FastifyInstance;
/** Files whose stream was ended before its last piece. */
let cutShort = 0;
let answered = 0;
beforeAll(async () => {
  app = bareHttpApp({ limits: { head: 5_000, whole: 5_000, fileBytesPerSecond: 1, checkEvery: 100, unread } });
  app.get('/bytes', (_request, reply) => {
    answered += 1;
    return reply.send(Buffer.concat(Array.from({ length: pieces }, () => piece)));
  });
  app.get('/file', (_request, reply) => {
    const file = Readable.from(Array.from({ length: pieces }, () => piece));
    file.on('close', () => (cutShort += file.readableEnded ? 0 : 1));
    return reply.send(file);
  });
  app.get('/slow', async () => {
    await sleep(2 * unread);
    return 'here it is';
  });
  app.get('/short', async () => 'ok');
  await app.listen({ port: 0, host: '127.0.0.1' });
});
afterAll(() => app.close());

const get = (path: string) => `GET ${path} HTTP/1.1\r\nhost: shop\r\n\r\n`;

/** A client that reads nothing until it is told to. */
async function ask(...paths: string[]): Promise<Socket> {
  const socket = connect((app.server.address() as AddressInfo).port, '127.0.0.1').on('error', () => {});
  await once(socket, 'connect');
  socket.pause().write(paths.map(get).join(''));
  return socket;
}

const connections = () =>
  new Promise<number>((resolve, reject) => {
    app.server.getConnections((error, count) => (error ? reject(error) : resolve(count)));
  });
const untilNoneIsLeft = () =>
  vi.waitFor(async () => expect(await connections()).toBe(0), { timeout: 60_000, interval: 50 });

test.each(['/bytes', '/file'])(
  'a client that reads nothing of %s is cut, and what it asked for is let go',
  async (path) => {
    const before = cutShort;
    const socket = await ask(path);
    await untilNoneIsLeft();
    await expect.poll(() => cutShort - before).toBe(path === '/file' ? 1 : 0);
    socket.destroy();
  },
);

test.each(['/bytes', '/file'])('a client that keeps reading %s gets all of it, however long it takes', async (path) => {
  const socket = await ask(path);
  const started = performance.now();
  let bytes = 0;
  socket.on('data', (part: Buffer) => {
    bytes += part.length;
    if (performance.now() - started > 3 * unread) return;
    socket.pause();
    setTimeout(() => socket.resume(), 5);
  });
  socket.resume();
  await vi.waitFor(() => expect(bytes).toBeGreaterThan(pieces * piece.length), { timeout: 60_000 });
  expect(performance.now() - started).toBeGreaterThan(3 * unread);
  socket.destroy();
  await untilNoneIsLeft();
});

test('a client that waits for an answer which takes the shop long is not cut, nor one that asks again later', async () => {
  const socket = await ask('/slow');
  let said = '';
  socket
    .setEncoding('utf8')
    .on('data', (text: string) => (said += text))
    .resume();
  await vi.waitFor(() => expect(said).toContain('here it is'), { timeout: 60_000 });
  await sleep(2 * unread);
  socket.write(get('/short'));
  await expect.poll(() => said).toMatch(/ok$/);
  socket.destroy();
  await untilNoneIsLeft();
});

test('a client that asks for many answers before it reads the first gets none of the rest made', async () => {
  const before = answered;
  const socket = await ask(...Array.from({ length: 20 }, () => '/bytes'));
  await untilNoneIsLeft();
  expect(answered - before).toBeLessThanOrEqual(4);
  socket.destroy();
});
