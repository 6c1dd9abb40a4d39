import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { WebSocket } from 'ws';
import { readConfig } from '#config.ts';
import { allowedOrigins } from '#platform/server/cors.ts';
import { startTestApp, type TestApp } from '#testing/test-app.ts';

let app: TestApp;
beforeAll(async () => {
  app = await startTestApp(
    {},
    {
      APP_URL: 'https://shop.example.com',
      ALLOWED_ORIGINS: 'https://kiosk.example.com, http://localhost:5173',
      PUSHER_APP_KEY: 'cors-key',
    },
  );
});
afterAll(() => app.close());

const allowed = [
  'https://appassets.androidplatform.net',
  'https://shop.example.com',
  'https://kiosk.example.com',
  'http://localhost:5173',
];
const ask = (path: string, origin: string, method = 'POST') =>
  app.request('OPTIONS', path, {
    headers: {
      origin,
      'access-control-request-method': method,
      'access-control-request-headers': 'authorization,content-type,x-order-session',
    },
  });

describe.each(allowed)('a page of %s', (origin) => {
  test('may ask for any call, without credentials', async () => {
    for (const path of ['/v1/orders', '/v1/broadcasting/auth', '/broadcasting/auth']) {
      const { status, headers } = await ask(path, origin);
      expect(status).toBe(204);
      expect(headers.get('access-control-allow-origin')).toBe(origin);
      expect(headers.get('access-control-allow-methods')).toBe('GET, POST, PATCH, DELETE');
      expect(headers.get('access-control-allow-headers')).toContain('authorization, content-type');
      expect(headers.get('access-control-allow-headers')).toContain('x-order-session');
      expect(headers.get('access-control-allow-credentials')).toBeNull();
    }
  });

  test('may read answers and refusals, also those that were made beforehand', async () => {
    const paths = ['/v1/stores', '/v1/nothing', `/v1/menus/store/${app.shop.storeId}?include=related`];
    for (const path of [...paths, ...paths, '/v1/openapi.json']) {
      const { headers } = await app.request('GET', path, { headers: { origin } });
      expect(headers.get('access-control-allow-origin')).toBe(origin);
      expect(headers.get('vary')).toContain('origin');
    }
  });
});

test.each([
  'https://evil.example.com',
  'https://shop.example.com.evil.example',
  'null',
  'https://kiosk.example.com:444',
])('a page of %s may not', async (origin) => {
  const asked = await ask('/v1/orders', origin);
  expect(asked.status).toBeGreaterThanOrEqual(400);
  const { headers } = await app.request('GET', '/v1/stores', { headers: { origin } });
  expect([asked.headers.get('access-control-allow-origin'), headers.get('access-control-allow-origin')]).toEqual([
    null,
    null,
  ]);
  expect(headers.get('vary')).toContain('origin');
});

test('the app’s pages may read the server’s time', async () => {
  const origin = 'https://appassets.androidplatform.net';
  const { headers } = await app.request('HEAD', '/live', { headers: { origin } });
  expect(headers.get('access-control-allow-origin')).toBe(origin);
  expect(headers.get('access-control-expose-headers')).toContain('date');
  expect(headers.get('date')).toBe(app.clock.now.toUTCString());
});

test('pages of the shop itself are for nobody else', async () => {
  const { headers } = await app.request('GET', '/health', { headers: { origin: 'https://shop.example.com' } });
  expect(headers.get('access-control-allow-origin')).toBeNull();
});

test('the WebSocket takes the same origins', async () => {
  const firstFrame = (origin: string) =>
    new Promise<string>((resolve, reject) => {
      const socket = new WebSocket(`${app.url.replace('http', 'ws')}/app/cors-key?protocol=7`, { origin });
      socket.on('error', reject);
      socket.on('message', (frame: Buffer) => {
        socket.close();
        resolve(frame.toString());
      });
    });
  expect(await firstFrame('https://kiosk.example.com')).toContain('pusher:connection_established');
  expect(await firstFrame('https://evil.example.com')).toContain('pusher:error');
});

test('an allowed origin is written as a browser does', () => {
  expect(allowedOrigins(readConfig({}))).toEqual(['https://appassets.androidplatform.net']);
  expect(() => readConfig({ ALLOWED_ORIGINS: 'kiosk.example.com' })).toThrow('ALLOWED_ORIGINS');
  expect(() => readConfig({ ALLOWED_ORIGINS: 'https://kiosk.example.com/' })).toThrow('ALLOWED_ORIGINS');
});
