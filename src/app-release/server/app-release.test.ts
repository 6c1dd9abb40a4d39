import { createHash, randomUUID } from 'node:crypto';
import { request } from 'node:http';
import { json } from 'node:stream/consumers';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { startTestApp, type TestApp } from '#testing/test-app.ts';

let app: TestApp;
let token: string;
beforeAll(async () => {
  app = await startTestApp({}, { APP_URL: 'https://shop.example.com' });
  token = await app.signIn('admin');
});
afterAll(() => app.close());

const release = (version: string, change: Record<string, unknown> = {}) =>
  app.request('POST', '/v1/app-releases', {
    token,
    body: {
      version,
      download_url: `https://files.example.com/hatch-${version}.apk`,
      sha256: 'ab'.repeat(32),
      size: 1234,
      notes: `What is new in ${version}`,
      ...change,
    },
  });
const check = (currentVersion: string, platform = 'android') =>
  app.request('POST', '/v1/app-release/check-update', { body: { platform, current_version: currentVersion } });
const store = (bytes: Buffer, type = 'application/vnd.android.package-archive') =>
  fetch(`${app.url}/v1/app-releases/files`, {
    method: 'POST',
    headers: { authorization: `Bearer ${token}`, 'content-type': type },
    body: new Uint8Array(bytes),
  });

describe('the check for an update', () => {
  test('answers nothing while nothing is released', async () => {
    expect(await check('v3.10.18')).toMatchObject({ status: 204, body: null });
  });

  test('answers the newest release by its numbers, and nothing to a phone that has it or a newer one', async () => {
    const made = await Promise.all(['3.9', 'v3.10.19', '3.10.2'].map((version) => release(version)));
    expect(made.map(({ status }) => status)).toEqual([201, 201, 201]);
    const { status, body } = await check('v3.10.18');
    expect(status).toBe(200);
    expect(body).toEqual({
      download_url: 'https://files.example.com/hatch-v3.10.19.apk',
      version: '3.10.19',
      sha256: 'ab'.repeat(32),
      size: 1234,
      notes: 'What is new in v3.10.19',
    });
    expect((await check('3.9')).status).toBe(200);
    expect((await check('3.10.19')).status).toBe(204);
    expect((await check('v3.11')).status).toBe(204);
  });

  test('knows no app for another platform, and refuses an invalid version', async () => {
    expect((await check('1.0', 'ios')).status).toBe(204);
    const { status, body } = await check('latest');
    expect([status, Object.keys(body.errors)]).toEqual([422, ['current_version']]);
  });
});

describe('the download link of an update', () => {
  /** `fetch` can only send the host that it calls. */
  const checkAs = async ({ url }: TestApp, headers: Record<string, string>) => {
    const body = JSON.stringify({ platform: 'android', current_version: '3.10.18' });
    return new Promise<Record<string, unknown>>((resolve, reject) => {
      const asked = request(`${url}/v1/app-release/check-update`, {
        method: 'POST',
        headers: { 'content-type': 'application/json', ...headers },
      });
      asked.on('error', reject).on('response', (answer) => {
        json(answer).then((said) => resolve(said as Record<string, unknown>), reject);
      });
      asked.end(body);
    });
  };
  const storedRelease = async ({ database, clock }: TestApp) => {
    const path = `/uploads/${'c'.repeat(64)}.apk`;
    await database.db
      .insertInto('app_releases')
      .values({
        id: randomUUID(),
        platform: 'android',
        version: '3.11',
        download_url: path,
        sha256: 'c'.repeat(64),
        size: 1,
        notes: '',
        created_at: clock.now,
      })
      .execute();
    return path;
  };
  const foreign = { host: 'evil.example', 'x-forwarded-host': 'evil.example' };

  test('never has a host that only the request names', async () => {
    const bare = await startTestApp();
    const path = await storedRelease(bare);
    expect((await checkAs(bare, {}))['download_url']).toBe(bare.url + path);
    expect((await checkAs(bare, foreign))['download_url']).toBe(bare.url + path);
    const secure = await checkAs(bare, { ...foreign, 'x-forwarded-proto': 'https' });
    expect(secure['download_url']).toBe(bare.url.replace('http:', 'https:') + path);
    await bare.close();
  });

  test('has the configured host', async () => {
    const own = await startTestApp({}, { APP_URL: 'https://shop.example.com/' });
    const path = await storedRelease(own);
    expect((await checkAs(own, foreign))['download_url']).toBe(`https://shop.example.com${path}`);
    await own.close();
  });

  test('is answered to a person whose sign-in has ended', async () => {
    const answer = await app.request('POST', '/v1/app-release/check-update', {
      token: 'dead',
      body: { platform: 'android', current_version: '99.9' },
    });
    expect(answer.status).toBe(204);
  });
});

describe('a release', () => {
  test('can be a file that is stored here', async () => {
    const apk = Buffer.concat([Buffer.from('PK\x03\x04'), Buffer.alloc(2_000_000, 7)]);
    const sha256 = createHash('sha256').update(apk).digest('hex');
    const stored = await store(apk);
    expect(stored.status).toBe(201);
    const { data } = (await stored.json()) as { data: { download_url: string } };
    expect(data).toEqual({ download_url: `/uploads/${sha256}.apk`, sha256, size: apk.length });
    const made = await release('4.0', { download_url: data.download_url, sha256: undefined, size: undefined });
    expect(made.body.data).toMatchObject({ sha256, size: apk.length });
    expect((await check('3.10.18')).body.download_url).toBe(`https://shop.example.com/uploads/${sha256}.apk`);
    const served = await fetch(app.url + data.download_url);
    expect(served.headers.get('content-type')).toBe('application/vnd.android.package-archive');
    expect(Buffer.from(await served.arrayBuffer()).equals(apk)).toBe(true);
  });

  test('is refused without a hash, with a file that is not here, or with an insecure address', async () => {
    const cases = await Promise.all([
      release('5.0', { sha256: undefined }),
      release('5.0', { download_url: `/uploads/${'0'.repeat(64)}.apk` }),
      release('5.0', { download_url: 'http://files.example.com/a.apk' }),
      release('five'),
    ]);
    expect(cases.map(({ status, body }) => [status, Object.keys(body.errors)[0]])).toEqual([
      [422, 'sha256'],
      [422, 'download_url'],
      [422, 'download_url'],
      [422, 'version'],
    ]);
    expect((await store(Buffer.from('no archive'))).status).toBe(415);
  });

  test('of one version is created once, however the version is written and even by parallel calls', async () => {
    const made = await Promise.all([release('6.1'), release('v6.1.0'), release('6.1')]);
    expect(made.map(({ status }) => status).toSorted()).toEqual([201, 409, 409]);
  });

  test('is no longer offered once it is withdrawn, and can be created again', async () => {
    const { body } = await release('7.0');
    const path = `/v1/app-releases/${body.data.id}`;
    expect((await check('6.9')).body.version).toBe('7.0');
    expect((await app.request('DELETE', path, { token })).status).toBe(204);
    expect((await check('6.9')).status).toBe(204);
    expect((await app.request('DELETE', path, { token })).status).toBe(404);
    expect((await release('7.0')).status).toBe(201);
  });

  test('is listed for admins only, the newest first', async () => {
    const { body } = await app.request('GET', '/v1/app-releases?per_page=2', { token });
    // 6.1 or 6.1.0, depending on which of the three parallel calls was first.
    expect(body.data.map(({ version }: { version: string }) => version)).toEqual([
      '7.0',
      expect.stringMatching(/^6\.1(\.0)?$/),
    ]);
    expect(body.meta.total).toBeGreaterThan(2);
    expect((await app.request('GET', '/v1/app-releases')).status).toBe(401);
    const staff = await app.signIn('store_admin', [app.shop.storeId]);
    expect((await app.request('GET', '/v1/app-releases', { token: staff })).status).toBe(403);
  });
});
