import { afterAll, beforeAll, expect, test } from 'vitest';
import { startTestApp, type TestApp } from '#testing/test-app.ts';

let app: TestApp;
beforeAll(async () => {
  app = await startTestApp({}, { STORE_NAME: 'main', PUSHER_APP_KEY: 'the-key' });
});
afterAll(() => app.close());

test("an app's page is told what a page of the shop finds in its HTML", async () => {
  const { status, body } = await app.request('GET', '/v1/page-config');
  expect(status).toBe(200);
  expect(body.data).toEqual({
    apiUrl: '',
    publicUrl: null,
    storeName: expect.any(String),
    map: null,
    sendsMail: false,
    signIn: [],
    realtime: { key: 'the-key', host: '', port: 0, cluster: 'mt1' },
  });
});

test('pages know that a shop with a mail server can send mail', async () => {
  const other = await startTestApp({}, { SMTP_URL: 'smtp://localhost:1', MAIL_FROM: 'shop@shop.example' });
  const { body } = await other.request('GET', '/v1/page-config');
  await other.close();
  expect(body.data).toMatchObject({ sendsMail: true });
});

test("the app's own origin may ask, and no other", async () => {
  const ask = (origin: string) => fetch(`${app.url}/v1/page-config`, { headers: { origin } });
  const own = 'https://appassets.androidplatform.net';
  expect((await ask(own)).headers.get('access-control-allow-origin')).toBe(own);
  expect((await ask('https://evil.example')).headers.get('access-control-allow-origin')).toBeNull();
});
