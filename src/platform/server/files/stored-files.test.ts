import { createHash } from 'node:crypto';
import { mkdtemp, readdir, readFile, rm, utimes, writeFile } from 'node:fs/promises';
import { createServer, request } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { AppError } from '#platform/errors.ts';
import { receiveFile, removeAbandonedPartFiles } from '#platform/server/files/stored-files.ts';

const folder = await mkdtemp(join(tmpdir(), 'hatch-receive-'));
const seen: { size: number; sha256: string; bytes: Buffer }[] = [];
const failures: unknown[] = [];
const server = createServer((asked, answer) => {
  receiveFile(asked, { folder, limit: 1000 }, async ({ path, size, sha256 }) => {
    seen.push({ size, sha256, bytes: await readFile(path) });
  }).then(
    () => answer.writeHead(201).end(),
    (error: unknown) => {
      failures.push(error);
      const isKnown = error instanceof AppError;
      answer.writeHead(isKnown ? 413 : 500, isKnown ? error.detail.headers : {}).end();
    },
  );
});
await new Promise<void>((done) => void server.listen(0, '127.0.0.1', done));
const { port } = server.address() as AddressInfo;
afterAll(async () => {
  server.closeAllConnections();
  server.close();
  await rm(folder, { recursive: true });
});

const send = (bytes: Buffer) =>
  fetch(`http://127.0.0.1:${port}`, { method: 'POST', body: new Uint8Array(bytes) }).then(({ status }) => status);
const left = async () => (await readdir(folder)).length;

test('a body is written as it arrives, and removed when the work with it is over', async () => {
  const bytes = Buffer.alloc(1000, 3);
  expect(await send(bytes)).toBe(201);
  expect(seen).toEqual([{ size: 1000, sha256: createHash('sha256').update(bytes).digest('hex'), bytes }]);
  expect(await left()).toBe(0);
});

test('a longer one is refused, also while its sender goes on, and nothing of it stays', async () => {
  expect(await send(Buffer.alloc(1001))).toBe(413);
  const status = await new Promise((resolve, reject) => {
    const asked = request({ port, host: '127.0.0.1', method: 'POST' });
    asked.on('response', (answer) => resolve(answer.statusCode)).on('error', reject);
    // Never ended.
    asked.write(Buffer.alloc(5000));
  });
  expect(status).toBe(413);
  expect(await left()).toBe(0);
});

test('one that breaks off is no file', async () => {
  const before = [seen.length, failures.length];
  const asked = request({ port, host: '127.0.0.1', method: 'POST', headers: { 'content-length': '900' } });
  asked.on('error', () => undefined).write(Buffer.alloc(100));
  await expect.poll(left).toBe(1);
  asked.destroy();
  await expect.poll(left).toBe(0);
  expect([seen.length, failures.length]).toEqual([before[0], (before[1] ?? 0) + 1]);
  expect(failures.at(-1)).toMatchObject({ code: 'malformed_request' });
});

test('what a process left behind is removed a day later', async () => {
  const [old, recent, other] = ['1', '2', '3'].map((digit) => `.${digit.repeat(8)}-1111-4111-8111-111111111111.part`);
  for (const name of [old, recent, 'kept.webp', `${other}x`]) await writeFile(join(folder, name ?? ''), 'x');
  const before = new Date(Date.now() - 25 * 60 * 60_000);
  for (const name of [old, 'kept.webp']) await utimes(join(folder, name ?? ''), before, before);
  await removeAbandonedPartFiles(folder);
  expect((await readdir(folder)).toSorted()).toEqual([recent, `${other}x`, 'kept.webp'].toSorted());
});
