import { createHash, randomUUID } from 'node:crypto';
import { readdir } from 'node:fs/promises';
import { request } from 'node:http';
import { join } from 'node:path';
import { json } from 'node:stream/consumers';
import { afterAll, beforeEach, describe, expect, test } from 'vitest';
import { releaseTools } from '#app-release/testing/release-tools.ts';
import { readTestApk } from '#app-release/testing/test-apks.ts';
import { saturdayEvening } from '#testing/small-shop.ts';
import { startAppOn, startTestApp, type TestApp } from '#testing/test-app.ts';

const environment = { APP_URL: 'https://shop.example.com' };
const app = await startTestApp({}, environment);
const token = await app.signIn('admin');
const { upload, uploadApp, call, draft, publish, withdraw, check } = releaseTools(() => ({ app, token }));
const sha256Of = (bytes: Buffer) => createHash('sha256').update(bytes).digest('hex');

beforeEach(async () => {
  app.clock.now = saturdayEvening;
  const { db } = app.database;
  for (const table of ['app_releases', 'app_files', 'app_installs', 'app_play_signing', 'throttles'] as const) {
    await db.deleteFrom(table).execute();
  }
});
afterAll(() => app.close());

/** Releases it, as an owner does. */
const release = async (name: string, change: Record<string, unknown> = {}) => {
  const made = await draft(name, change);
  app.clock.now = new Date(app.clock.now.getTime() + 60_000);
  const { status, body } = await publish(made.id);
  expect(status, JSON.stringify(body)).toBe(200);
  return body.data;
};

describe('an uploaded app', () => {
  test('is read by the server, and kept until it is released', async () => {
    const bytes = readTestApk('shop-18');
    const { status, body } = await uploadApp('shop-18');
    expect(status).toBe(201);
    expect(body.data).toEqual({
      download_url: `/uploads/${sha256Of(bytes)}.apk`,
      sha256: sha256Of(bytes),
      size: bytes.length,
      package: 'com.example.shop',
      version: '3.10.18',
      version_code: 3_010_018,
      min_sdk: 24,
      target_sdk: 36,
      signer: expect.stringMatching(/^[0-9a-f]{64}$/),
      is_debug_key: false,
      platform: 'android',
      shop: 'https://shop.example.com',
    });
    expect((await uploadApp('kitchen-18')).body.data).toMatchObject({ platform: 'android-kitchen', shop: null });
    expect((await uploadApp('debug-key')).body.data).toMatchObject({ platform: null, is_debug_key: true });
    expect((await uploadApp('own-debug-key')).body.data).toMatchObject({ platform: 'android', is_debug_key: true });
    expect((await app.request('GET', body.data.download_url)).status).toBe(404);
  });

  test('that was stored before its debug key was recognised is marked when it is uploaded again', async () => {
    const { sha256 } = (await uploadApp('own-debug-key')).body.data;
    const row = await app.database.db.selectFrom('app_files').selectAll().executeTakeFirstOrThrow();
    const facts = JSON.stringify({ ...row.facts, is_debug_key: false });
    await app.database.db.updateTable('app_files').set({ facts }).where('sha256', '=', sha256).execute();
    expect((await draft('own-debug-key')).facts).toMatchObject({ is_debug_key: true });
  });

  test.each([
    ['only-v1', 'not signed'],
    ['debuggable', 'debug build'],
    ['old-target', 'API 29'],
    ['other-shop', 'https://other.example.com'],
  ])('%s is refused with the reason', async (name, reason) => {
    const { status, body } = await uploadApp(name);
    expect([status, body.code]).toEqual([422, 'invalid']);
    expect(body.errors.file[0]).toContain(reason);
  });

  test('that is no app is refused by its content, and one that was changed by its signature', async () => {
    expect((await upload(Buffer.from('no archive'))).body).toMatchObject({ code: 'unsupported_media_type' });
    const changed = readTestApk('shop-18');
    changed.writeUInt8(changed.readUInt8(500) ^ 1, 500);
    expect((await upload(changed)).status).toBe(422);
    expect((await upload(readTestApk('shop-18').subarray(0, 5000))).body.errors.file[0]).toContain('damaged');
    const folder = join(app.services.config.dataDir, 'uploads');
    expect((await readdir(folder)).filter((name) => name.endsWith('.part'))).toEqual([]);
  });

  test('that says it is too large is refused before it arrives', async () => {
    const status = await new Promise((resolve, reject) => {
      const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/octet-stream' };
      const asked = request(`${app.url}/v1/app-releases/files`, {
        method: 'POST',
        headers: { ...headers, 'content-length': String(151 * 1024 * 1024) },
      });
      asked.on('error', reject).on('response', (answer) => {
        resolve(answer.statusCode);
        asked.destroy();
      });
      asked.write('PK');
    });
    expect(status).toBe(413);
  });

  test('is refused from anybody but the owner, before it is read', async () => {
    const staff = await app.signIn('store_admin', [app.shop.storeId]);
    const tools = releaseTools(() => ({ app, token: staff }));
    expect((await tools.uploadApp('shop-18')).status).toBe(403);
  });

  test('is refused where phones could not update to it', async () => {
    await release('shop-19');
    const reasons = [];
    for (const name of ['shop-18', 'shop-19', 'other-signer', 'other-package']) {
      const { status, body } = await uploadApp(name, '?platform=android');
      expect(status, name).toBe(422);
      reasons.push(body.errors.file[0]);
    }
    expect(reasons).toEqual([
      expect.stringContaining('3.10.18 (3010018) is not newer than 3.10.19 (3010019)'),
      expect.stringContaining('not newer'),
      expect.stringContaining('different key'),
      expect.stringContaining('com.example.other'),
    ]);
    expect((await uploadApp('shop-20')).status).toBe(201);
    expect((await uploadApp('shop-20', '?platform=android-kitchen')).status).toBe(422);
  });
});

describe('a release', () => {
  test('is a draft until it is published, and is then offered to phones that have an older one', async () => {
    const made = await draft('shop-19', { notes: 'Faster checkout' });
    expect(made).toMatchObject({ state: 'draft', is_current: false, version: '3.10.19', published_at: null });
    expect((await check('3.10.18')).status).toBe(204);
    expect((await publish(made.id)).body.data).toMatchObject({ state: 'published', is_current: true });
    const bytes = readTestApk('shop-19');
    const { status, body } = await check('v3.10.18');
    expect(status).toBe(200);
    expect(body).toEqual({
      download_url: `https://shop.example.com/uploads/${sha256Of(bytes)}.apk`,
      version: '3.10.19',
      sha256: sha256Of(bytes),
      size: bytes.length,
      notes: 'Faster checkout',
    });
    expect((await check('3.9')).status).toBe(200);
    expect((await check('3.10.19')).status).toBe(204);
    expect((await check('3.11')).status).toBe(204);
    expect((await check('3.9', 'android-kitchen')).status).toBe(204);
  });

  test('of the kitchen is another one', async () => {
    await release('shop-19');
    await release('kitchen-18');
    expect((await check('3.0', 'android-kitchen')).body.version).toBe('3.10.18');
    expect((await check('3.0')).body.version).toBe('3.10.19');
  });

  test('needs a file that was uploaded, with the version that it says', async () => {
    const { body } = await uploadApp('shop-18');
    const { download_url } = body.data;
    const bodies = [
      { download_url: `/uploads/${'0'.repeat(64)}.apk` },
      { download_url: 'https://files.example.com/a.apk' },
      { download_url, version: '3.10.19' },
      { download_url, sha256: 'a'.repeat(64) },
      { download_url, platform: 'android-kitchen' },
    ];
    const answers = await Promise.all(bodies.map((each) => call('POST', '', each)));
    expect(answers.map(({ status, body: refused }) => [status, Object.keys(refused.errors)[0]])).toEqual([
      [422, 'download_url'],
      [422, 'download_url'],
      [422, 'version'],
      [422, 'sha256'],
      [422, 'download_url'],
    ]);
    const silent = await uploadApp('debug-key');
    const nameless = await call('POST', '', { download_url: silent.body.data.download_url });
    expect(Object.keys(nameless.body.errors)).toEqual(['platform']);
  });

  test('of one version is made once, even by parallel calls, and published once', async () => {
    const { body } = await uploadApp('shop-18');
    const bodies = [{}, { version: 'v3.10.18' }, { version: '3.10.18.0' }];
    const made = await Promise.all(
      bodies.map((each) => call('POST', '', { download_url: body.data.download_url, ...each })),
    );
    expect(made.map(({ status }) => status).toSorted()).toEqual([201, 409, 409]);
    const { id } = made.find(({ status }) => status === 201)?.body.data ?? {};
    const published = await Promise.all([publish(id), publish(id)]);
    expect(published.map(({ status }) => status)).toEqual([200, 200]);
    expect((await publish(randomUUID())).status).toBe(404);
  });

  test('that was withdrawn is not offered or sent, and can be offered again', async () => {
    await release('shop-18');
    const made = await release('shop-19');
    expect((await withdraw(made.id)).status).toBe(204);
    expect((await check('3.0')).body.version).toBe('3.10.18');
    expect((await app.request('GET', made.download_url)).status).toBe(404);
    expect((await withdraw(made.id)).status).toBe(404);
    expect((await publish(made.id)).body.data).toMatchObject({ state: 'published', is_current: true });
    expect((await check('3.0')).body.version).toBe('3.10.19');
  });

  test('that is older than the one phones have by now is not published', async () => {
    const older = await draft('shop-18');
    await release('shop-19');
    const { status, body } = await publish(older.id);
    expect([status, body.code]).toEqual([409, 'conflict']);
    expect(body.message).toContain('not newer');
  });

  test('fixes package and signer for good, also when it is withdrawn', async () => {
    const stranger = await draft('other-signer');
    const first = await release('shop-18');
    await withdraw(first.id);
    expect((await publish(stranger.id)).status).toBe(409);
    expect((await uploadApp('other-package', '?platform=android')).status).toBe(422);
    expect((await uploadApp('shop-19')).status).toBe(201);
  });

  test('signed with a debug key is first only by a confirmation, which later ones need no more', async () => {
    const made = await draft('own-debug-key');
    const { status, body } = await publish(made.id);
    expect([status, Object.keys(body.errors)]).toEqual([422, ['confirm']]);
    expect((await publish(made.id, { confirm: false })).status).toBe(422);
    expect((await publish(made.id, { confirm: true })).body.data).toMatchObject({ state: 'published' });
    await withdraw(made.id);
    expect((await publish(made.id)).status).toBe(200);
  });

  test('by one of two instances is offered by the other', async () => {
    const other = await startAppOn({ ...app.database, drop: async () => {} }, app.shop, {
      ...environment,
      DATA_DIR: app.services.config.dataDir,
    });
    try {
      const [mine, theirs] = [await draft('shop-18'), releaseTools(() => ({ app: other, token }))];
      const both = await Promise.all([publish(mine.id), theirs.publish(mine.id)]);
      expect(both.map(({ status }) => status)).toEqual([200, 200]);
      expect((await theirs.check('3.0')).body.version).toBe('3.10.18');
      await theirs.withdraw(mine.id);
      expect((await check('3.0')).status).toBe(204);
      expect((await fetch(app.url + mine.download_url)).status).toBe(404);
    } finally {
      await other.close();
    }
  });

  test('is listed for the owner, the newest first, and whoever asked with which version is counted', async () => {
    await release('shop-18');
    const { id, facts } = await release('shop-19');
    expect(facts.shop).toBe('https://shop.example.com');
    await draft('kitchen-18');
    const { body } = await call('GET', '?platform=android');
    expect(body.data.map(({ version }: { version: string }) => version)).toEqual(['3.10.19', '3.10.18']);
    expect((await call('GET', '')).body.meta.total).toBe(3);
    const install = (name: string) => ({ 'x-app-install': name.repeat(22) });
    await check('3.10.18', 'android', install('a'));
    await check('3.10.18', 'android', install('b'));
    await check('3.10.19', 'android', install('b'));
    await check('3.10.18', 'android', { 'x-app-install': 'short' });
    await check('3.10.18');
    const usage = await call('GET', '/usage');
    expect(usage.body.data).toEqual([
      { platform: 'android', version: '3.10.19', installs: 1, last_seen_at: expect.any(String) },
      { platform: 'android', version: '3.10.18', installs: 1, last_seen_at: expect.any(String) },
    ]);
    const kept = await app.database.db.selectFrom('app_installs').selectAll().execute();
    expect(JSON.stringify(kept)).not.toContain('aaaaa');
    app.clock.now = new Date(app.clock.now.getTime() + 31 * 24 * 60 * 60_000);
    const later = await app.signIn('admin');
    expect((await app.request('GET', '/v1/app-releases/usage', { token: later })).body.data).toEqual([]);
    expect((await app.request('GET', '/v1/app-release/current')).body.data).toMatchObject({
      version: '3.10.19',
      facts: { package: 'com.example.shop', min_sdk: 24 },
    });
    expect(id).toBeTruthy();
  });

  test('is not counted for phones that somebody makes up: of one network, a few new ones each day', async () => {
    const from = (address: string, id: string) => ({ 'x-forwarded-for': address, 'x-app-install': id.padEnd(22, '_') });
    for (let n = 0; n < 60; n += 1) await check('3.10.18', 'android', from('192.0.2.7', `made-up-${n}`));
    await Promise.all(
      Array.from({ length: 30 }, (_, n) => check('3.10.18', 'android', from('192.0.2.8', `at-once-${n}`))),
    );
    await check('3.10.18', 'android', from('192.0.2.9', 'a real phone'.replaceAll(' ', '-')));
    const counted = async () => (await call('GET', '/usage')).body.data;
    expect(await counted()).toMatchObject([{ version: '3.10.18', installs: 41 }]);
    // One that is known goes on being counted, and the next day has room for new ones.
    await check('3.10.19', 'android', from('192.0.2.7', 'made-up-0'));
    expect(await counted()).toMatchObject([{ version: '3.10.19', installs: 1 }, { installs: 40 }]);
    app.clock.now = new Date(app.clock.now.getTime() + 25 * 60 * 60_000);
    await check('3.10.19', 'android', from('192.0.2.7', 'new'));
    const later = await app.signIn('admin');
    const { body } = await app.request('GET', '/v1/app-releases/usage', { token: later });
    expect(body.data).toMatchObject([{ version: '3.10.19', installs: 2 }, { installs: 40 }]);
  });

  test('from before files were read stays as it was: one stored here is offered, one elsewhere is not', async () => {
    const common = { platform: 'android', sha256: 'c'.repeat(64), size: 1, notes: '', created_at: app.clock.now };
    const old = (version: string, url: string) => ({
      ...common,
      id: randomUUID(),
      version,
      download_url: url,
      published_at: app.clock.now,
    });
    const rows = [old('3.1', `/uploads/${'c'.repeat(64)}.apk`), old('3.2', 'https://files.example.com/a.apk')];
    await app.database.db.insertInto('app_releases').values(rows).execute();
    expect((await check('3.0')).body.version).toBe('3.1');
    expect((await call('GET', '')).body.data).toMatchObject([
      { version: '3.2', is_current: false, facts: null },
      { version: '3.1', is_current: true, facts: null },
    ]);
    await release('shop-18');
    expect((await check('3.0')).body.version).toBe('3.10.18');
  });
});

test('the published apps may open the shop’s links, by package and signer', async () => {
  const read = async () => (await app.request('GET', '/.well-known/assetlinks.json')).body;
  expect(await read()).toEqual([]);
  await draft('kitchen-18');
  const { facts } = await release('shop-18');
  const links = await read();
  expect(links).toEqual([
    {
      relation: ['delegate_permission/common.handle_all_urls'],
      target: {
        namespace: 'android_app',
        package_name: 'com.example.shop',
        sha256_cert_fingerprints: [expect.stringMatching(/^([0-9A-F]{2}:){31}[0-9A-F]{2}$/)],
      },
    },
  ]);
  const [print] = links[0].target.sha256_cert_fingerprints;
  expect(print.replaceAll(':', '').toLowerCase()).toBe(facts.signer);
});

test('and so may the app from Google Play, which signs it by a key of its own', async () => {
  const read = async () => (await app.request('GET', '/.well-known/assetlinks.json')).body;
  const set = (signer: string, name = 'com.example.shop') => call('PATCH', '/play-signing', { package: name, signer });
  const print = Array.from({ length: 32 }, (_, n) => (n + 160).toString(16).toUpperCase()).join(':');
  expect((await call('GET', '/play-signing')).body.data).toBeNull();
  expect((await set(` ${print} `)).body.data).toEqual({
    package: 'com.example.shop',
    signer: print.replaceAll(':', '').toLowerCase(),
  });
  expect(await read()).toMatchObject([
    { target: { package_name: 'com.example.shop', sha256_cert_fingerprints: [print] } },
  ]);
  await release('shop-18');
  const [link, ...more] = await read();
  expect(more).toEqual([]);
  expect(link.target.sha256_cert_fingerprints).toEqual([expect.stringMatching(/^[0-9A-F:]{95}$/), print]);
  for (const [signer, name, field] of [
    ['AB:CD', 'com.example.shop', 'signer'],
    [print, 'shop', 'package'],
    [print, 'com.example.other', 'package'],
  ] as const) {
    const { status, body } = await set(signer, name);
    expect([status, Object.keys(body.errors)]).toEqual([422, [field]]);
  }
  expect((await call('DELETE', '/play-signing')).status).toBe(204);
  expect((await read())[0].target.sha256_cert_fingerprints).toHaveLength(1);
});

describe('a download', () => {
  const get = (path: string, headers: Record<string, string> = {}, method = 'GET') =>
    fetch(app.url + path, { method, headers });

  test('comes whole, in parts, and is resumed only as long as it is the same file', async () => {
    const { download_url: path } = await release('shop-18');
    const bytes = readTestApk('shop-18');
    const whole = await get(path);
    expect([whole.status, whole.headers.get('accept-ranges')]).toEqual([200, 'bytes']);
    expect(whole.headers.get('content-type')).toBe('application/vnd.android.package-archive');
    expect(whole.headers.get('content-disposition')).toBe('attachment; filename="android-3.10.18.apk"');
    expect(whole.headers.get('content-security-policy')).toBe("default-src 'none'; sandbox");
    expect(whole.headers.get('x-content-type-options')).toBe('nosniff');
    expect(Buffer.from(await whole.arrayBuffer()).equals(bytes)).toBe(true);
    const etag = whole.headers.get('etag') ?? '';
    expect(etag).toMatch(/^"[0-9a-f]{64}\.apk"$/);

    const part = await get(path, { range: 'bytes=100-199', 'if-range': etag });
    expect([part.status, part.headers.get('content-range')]).toEqual([206, `bytes 100-199/${bytes.length}`]);
    expect(Buffer.from(await part.arrayBuffer()).equals(bytes.subarray(100, 200))).toBe(true);
    const rest = await get(path, { range: 'bytes=8000-' });
    expect(Buffer.from(await rest.arrayBuffer()).equals(bytes.subarray(8000))).toBe(true);
    expect((await get(path, { range: 'bytes=100-', 'if-range': '"other"' })).status).toBe(200);
    const outside = await get(path, { range: 'bytes=99999-' });
    expect([outside.status, outside.headers.get('content-range')]).toEqual([416, `bytes */${bytes.length}`]);
    expect((await get(path, { 'if-none-match': etag })).status).toBe(304);
    const head = await get(path, {}, 'HEAD');
    expect([head.status, head.headers.get('content-length')]).toEqual([200, String(bytes.length)]);
  });

  test('is limited for each address, and says when it goes on', async () => {
    const { download_url: path } = await release('shop-18');
    const from = { 'x-forwarded-for': '192.0.2.1' };
    const statuses = new Set<number>();
    for (let count = 0; count < 201; count += 1)
      statuses.add((await get(path, { ...from, range: 'bytes=0-0' })).status);
    expect([...statuses]).toEqual([206, 429]);
    expect(Number((await get(path, from)).headers.get('retry-after'))).toBeGreaterThan(0);
    expect((await get(path, { 'x-forwarded-for': '192.0.2.2' })).status).toBe(200);
  });
});

describe('a shop without a configured address', () => {
  test('takes an app only if it was built for the address at which the owner opened the office', async () => {
    const bare = await startTestApp();
    try {
      const owner = await bare.signIn('admin');
      const tools = releaseTools(() => ({ app: bare, token: owner }));
      const { status, body } = await tools.uploadApp('shop-18');
      expect([status, body.errors.file[0]]).toEqual([
        422,
        expect.stringContaining('and does not know that address. If it is yours, ask whoever runs'),
      ]);
      expect((await tools.uploadApp('kitchen-18')).status).toBe(201);
    } finally {
      await bare.close();
    }
  });
});

describe('the download link of an update', () => {
  /** `fetch` can only send the host that it calls. */
  const checkAs = async ({ url }: TestApp, headers: Record<string, string>) => {
    const body = JSON.stringify({ platform: 'android', current_version: '3.10.17' });
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

  test('never has a host that only the request names', async () => {
    const bare = await startTestApp();
    const owner = await bare.signIn('admin');
    const tools = releaseTools(() => ({ app: bare, token: owner }));
    const { id, download_url: path } = await tools.draft('only-v2', { platform: 'android' });
    await tools.publish(id);
    const foreign = { host: 'evil.example', 'x-forwarded-host': 'evil.example' };
    expect((await checkAs(bare, {}))['download_url']).toBe(bare.url + path);
    expect((await checkAs(bare, foreign))['download_url']).toBe(bare.url + path);
    const secure = await checkAs(bare, { ...foreign, 'x-forwarded-proto': 'https' });
    expect(secure['download_url']).toBe(bare.url.replace('http:', 'https:') + path);
    await bare.close();
  });

  test('is answered to a person whose sign-in has ended, and refused for an invalid version', async () => {
    const body = { platform: 'android', current_version: '99.9' };
    expect((await app.request('POST', '/v1/app-release/check-update', { token: 'dead', body })).status).toBe(204);
    const { status, body: refused } = await check('latest');
    expect([status, Object.keys(refused.errors)]).toEqual([422, ['current_version']]);
    expect((await check('1.0', 'ios')).status).toBe(204);
  });
});
