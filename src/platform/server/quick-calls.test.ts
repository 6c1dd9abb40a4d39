import { connect } from 'node:net';
import { afterEach, expect, test } from 'vitest';
import { createQuickCalls, type QuickCall } from '#platform/server/quick-calls.ts';
import { bareHttpApp } from '#platform/testing/bare-http-app.ts';

let stop: () => Promise<unknown> = async () => {};
afterEach(() => stop());

/** Answers `known` itself; the framework repeats every other body. */
async function serve(change: Partial<QuickCall> = {}): Promise<string> {
  const quickCalls = createQuickCalls();
  quickCalls.serve({
    isFor: ({ method, url }) => method === 'POST' && url === '/poll',
    mostBytes: 100,
    answer: (_request, body) => (body === '"known"' ? { headers: { 'x-by': 'quick' }, text: 'quick ✓' } : null),
    ...change,
  });
  const app = bareHttpApp({ quickCalls });
  app.post('/poll', ({ body }) => ({ framework: body ?? null }));
  stop = () => app.close();
  return app.listen({ port: 0, host: '127.0.0.1' });
}
const post = async (url: string, body?: string, path = '/poll') => {
  const init = { method: 'POST', headers: { 'content-type': 'application/json' } };
  const answer = await fetch(url + path, { ...init, ...(body !== undefined && { body }) });
  return `${answer.status} ${answer.headers.get('x-by') ?? 'framework'} ${await answer.text()}`;
};

test('what is known is answered at once, again and again on one connection', async () => {
  const url = await serve();
  for (let time = 0; time < 3; time += 1) expect(await post(url, '"known"')).toBe('200 quick quick ✓');
});

test.each([
  ['another body', '"other"', '200 framework {"framework":"other"}'],
  ['letters of several bytes', '"łódź"', '200 framework {"framework":"łódź"}'],
  ['no JSON', '{', /^400 framework /],
  ['no body', undefined, '200 framework {"framework":null}'],
  ['more than it reads', `"${'x'.repeat(100)}"`, /^200 framework {"framework":"x{100}"}/],
])('the framework gets %s, whole', async (_what, body, answer) => {
  const url = await serve();
  expect(await post(url, body)).toMatch(typeof answer === 'string' ? new RegExp(`^${escaped(answer)}$`) : answer);
  expect(await post(url, '"known"')).toBe('200 quick quick ✓');
});

test('a call that throws is the framework’s', async () => {
  const url = await serve({
    answer() {
      throw new Error('broken');
    },
  });
  expect(await post(url, '"known"')).toBe('200 framework {"framework":"known"}');
});

test.each([
  ['known', 'quick ✓'],
  ['other', '{"framework":"other"}'],
])('a body that comes byte by byte: %s', async (word, answer) => {
  const { port, hostname } = new URL(await serve());
  const socket = connect({ port: Number(port), host: hostname });
  const heard: Buffer[] = [];
  socket.on('data', (part) => void heard.push(part as Buffer));
  const body = `"${word}"`;
  const head = `POST /poll HTTP/1.1\r\nhost: shop\r\nconnection: close\r\ncontent-type: application/json\r\ncontent-length: ${body.length}\r\n\r\n`;
  for (const byte of head + body) {
    socket.write(byte);
    await new Promise(setImmediate);
  }
  await new Promise((resolve) => socket.on('close', resolve));
  expect(Buffer.concat(heard).toString()).toContain(`\r\n\r\n${answer}`);
});

test('a caller who leaves in the middle of a body harms nobody', async () => {
  const url = await serve();
  const socket = connect({ port: Number(new URL(url).port), host: '127.0.0.1' });
  const head = 'POST /poll HTTP/1.1\r\nhost: shop\r\ncontent-type: application/json\r\ncontent-length: 7\r\n\r\n"kn';
  await new Promise<void>((resolve) => socket.write(head, () => resolve()));
  socket.resetAndDestroy();
  expect(await post(url, '"known"')).toBe('200 quick quick ✓');
});

function escaped(text: string): string {
  return text.replaceAll(/[{}()[\].?*+^$|\\]/g, String.raw`\$&`);
}
