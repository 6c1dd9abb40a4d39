import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { createInterface } from 'node:readline';
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import { startTestApp, type TestApp } from '#testing/test-app.ts';

let app: TestApp;
const children: ChildProcess[] = [];
beforeAll(async () => {
  app = await startTestApp({}, { PUSHER_APP_KEY: 'echo-key' });
});
afterEach(() => {
  for (const child of children.splice(0)) child.kill();
});
afterAll(() => app.close());

function run(...args: string[]) {
  const child = spawn(process.execPath, ['scripts/listen-with-echo.ts', ...args], {
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  children.push(child);
  return child;
}

test('laravel-echo from npm receives the change of a store', async () => {
  const lines = createInterface({ input: run(app.url, 'echo-key').stdout })[Symbol.asyncIterator]();
  expect((await lines.next()).value).toBe(`listening to ${app.url}`);
  const token = await app.signIn('admin');
  await app.request('PATCH', `/v1/stores/${app.shop.storeId}`, { token, body: { name: 'The Echo' } });
  expect((await lines.next()).value).toMatch(/^\.store\.updated \{"name":"The Echo","version":\d+\}$/);
});

test("without a key it uses the key in the shop's page", async () => {
  const shop = createServer((_request, response) => response.end('{"realtime":{"key":"page-key","host":""}}'));
  const asked = once(shop, 'upgrade').then(([request, socket]) => {
    socket.destroy();
    return request.url as string;
  });
  await once(shop.listen(0, '127.0.0.1'), 'listening');
  run(`http://127.0.0.1:${(shop.address() as AddressInfo).port}`);
  expect(await asked).toMatch(/^\/app\/page-key\?/);
  shop.close();
});

test('without any key it says what to do', async () => {
  const child = run(app.url);
  let said = '';
  child.stderr.on('data', (chunk: Buffer) => (said += chunk.toString()));
  const [code] = await once(child, 'close');
  expect(code).not.toBe(0);
  expect(said).toContain('PUSHER_APP_KEY');
});
