import { afterAll, beforeAll, expect, test } from 'vitest';
import { readBundledVersion } from '#database/embedded/binaries.ts';
import { knownMigrations } from '#database/data-version.ts';
import { startTestApp, type TestApp } from '#testing/test-app.ts';
import { hatchVersion } from '#versions.ts';

let app: TestApp;
let versions: object;
beforeAll(async () => {
  app = await startTestApp({}, { APP_URL: 'https://shop.example.com' });
  const data = [...knownMigrations()].toSorted().at(-1);
  versions = { hatch: hatchVersion, data, postgres: await readBundledVersion() };
});
afterAll(() => app.close());

test('an admin sees the versions of Hatch, its data and PostgreSQL, and nobody else does', async () => {
  const asked = async (role: 'admin' | 'store_admin') =>
    app.request('GET', '/v1/versions', { token: await app.signIn(role) });
  expect((await asked('admin')).body).toEqual({ data: { ...versions, is_postgres_tested: true } });
  expect((await asked('store_admin')).status).toBe(403);
});

test.each([
  ['this machine', { host: 'localhost:3000' }, true],
  ['this machine by its address', { host: '127.0.0.1' }, true],
  ['a stranger, through a proxy', { host: 'localhost:3000', 'x-forwarded-for': '203.0.113.9' }, false],
  ['a stranger, through a proxy that does not say so', { host: 'shop.example.com' }, false],
])('/health tells the versions to this machine alone: %s', async (_name, headers, isTold) => {
  const { versions: told, checks } = (await app.http.inject({ url: '/health', headers })).json();
  expect(checks).toMatchObject({ database: 'ok' });
  expect(told).toEqual(isTold ? versions : undefined);
});
