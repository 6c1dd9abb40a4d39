import { readdir } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import sharp from 'sharp';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { readConfig } from '#config.ts';
import { startTestBucket, type TestBucket } from '#platform/testing/bucket.ts';
import { startTestApp, type TestApp } from '#testing/test-app.ts';
import { stopDrawingPictures } from '#uploads/server/handlers.ts';

let bucket: TestBucket;
let app: TestApp;
let admin: string;
beforeAll(async () => {
  bucket = await startTestBucket();
  app = await startTestApp({}, bucket.environment);
  admin = await app.signIn('admin');
});
afterAll(async () => {
  await stopDrawingPictures();
  await app.close();
  await bucket.close();
});
beforeEach(() => {
  bucket.mood = 'fine';
});

const paint = (colour: string, width = 500, height = 400) =>
  sharp({ create: { width, height, channels: 3, background: colour } })
    .png()
    .toBuffer();

async function upload(to: TestApp, token: string, bytes: Buffer) {
  const response = await fetch(`${to.url}/v1/uploads`, {
    method: 'POST',
    headers: { 'content-type': 'image/png', authorization: `Bearer ${token}` },
    body: new Uint8Array(bytes),
  });
  // oxlint-disable-next-line typescript/no-explicit-any -- a body is whatever the server said
  return { status: response.status, headers: response.headers, body: (await response.json()) as any };
}

describe('with a bucket, a picture', () => {
  test('lies there in every size and nowhere else, and is served from our own origin for ever', async () => {
    const { status, body } = await upload(app, admin, await paint('#c33'));
    expect(status).toBe(201);
    expect(body.data.sizes).toHaveLength(8);
    for (const size of body.data.sizes) {
      expect(bucket.calls).toContain(`PUT /pictures${size.url}`);
      const served = await fetch(app.url + size.url);
      expect(served.headers.get('content-type')).toBe(size.type);
      expect(served.headers.get('cache-control')).toBe('public, max-age=31536000, immutable');
      const drawn = await sharp(Buffer.from(await served.arrayBuffer())).metadata();
      expect([drawn.width, drawn.height]).toEqual([size.width, size.height]);
    }
    const local = await readdir(join(app.services.config.dataDir, 'uploads')).catch(() => []);
    expect(local).toEqual([]);
  });

  test.each([
    [1, 1],
    [1, 4000],
  ])('may be as small as %i by %i pixels', async (width, height) => {
    const { status, body } = await upload(app, admin, await paint('#33c', width, height));
    expect([status, body.data?.width]).toEqual([201, width]);
    expect((await fetch(app.url + body.data.url)).status).toBe(200);
  });

  test('that was kept in the folder before is served still', async () => {
    const name = `${'c'.repeat(64)}-128.webp`;
    const { openFileFolder } = await import('#platform/server/files/open-file-store.ts');
    await openFileFolder(app.services.config.dataDir).keep(name, 'image/webp', Buffer.from('before'));
    const { status, body } = await app.request('GET', `/uploads/${name}`);
    expect([status, body]).toEqual([200, 'before']);
  });

  test('that is not there is not found', async () => {
    expect((await app.request('GET', `/uploads/${'d'.repeat(64)}-128.webp`)).status).toBe(404);
  });

  test('leaves a line in the audit log', async () => {
    const { body } = await upload(app, admin, await paint('#3c3'));
    expect(body.data.url).toBeTruthy();
    const line = await app.database.db
      .selectFrom('audit_log')
      .select(['action', 'role'])
      .where('action', '=', 'POST /v1/uploads')
      .executeTakeFirst();
    expect(line).toEqual({ action: 'POST /v1/uploads', role: 'admin' });
  });
});

describe('a bucket that fails', () => {
  const unavailable = [503, 'unavailable', '10'];

  test('by never answering costs the upload, but the shop sells on', async () => {
    const impatient = await startTestApp({}, { ...bucket.environment, S3_TIMEOUT_MS: '500' });
    try {
      const token = await impatient.signIn('admin');
      bucket.mood = 'silent';
      const { status, body, headers } = await upload(impatient, token, await paint('#33c'));
      expect([status, body.code, headers.get('retry-after')]).toEqual(unavailable);
      expect((await impatient.request('POST', '/v1/orders', { body: impatient.orderBody() })).status).toBe(201);
      const served = await impatient.request('GET', `/uploads/${'e'.repeat(64)}-128.webp`);
      expect([served.status, served.body.code]).toEqual([503, 'unavailable']);
    } finally {
      await impatient.close();
    }
  });

  test('by sending us elsewhere is not followed there', async () => {
    const calls: string[] = [];
    const other = createServer((request, response) => {
      calls.push(request.url ?? '');
      response.writeHead(200).end();
    });
    await new Promise<void>((done) => void other.listen(0, '127.0.0.1', done));
    bucket.elsewhere = `http://127.0.0.1:${(other.address() as AddressInfo).port}`;
    bucket.mood = 'elsewhere';
    const { status, body, headers } = await upload(app, admin, await paint('#a3a'));
    other.close();
    expect([status, body.code, headers.get('retry-after')]).toEqual(unavailable);
    expect(calls).toEqual([]);
  });

  test('by breaking off never passes half a picture off as a whole one', async () => {
    const { body } = await upload(app, admin, await paint('#cc3'));
    bucket.mood = 'cut';
    const whole = fetch(app.url + body.data.url).then((answer) => answer.arrayBuffer());
    await expect(whole).rejects.toThrow('terminated');
  });

  test.each([
    ['a bucket that is not there', { S3_BUCKET: 'nowhere' }, 'NoSuchBucket'],
    ['a wrong secret', { S3_SECRET_ACCESS_KEY: 'wrong' }, 'SignatureDoesNotMatch'],
    ['a key that nobody knows', { S3_ACCESS_KEY_ID: 'nobody' }, 'InvalidAccessKeyId'],
    ['a machine that is not there', { S3_ENDPOINT: 'http://127.0.0.1:9' }, 'fetch failed'],
  ])('for %s says why in the log, at the start and at each upload', async (_name, change, reason) => {
    const lines: string[] = [];
    const other = await startTestApp({}, { ...bucket.environment, ...change }, (line) => lines.push(line));
    try {
      const token = await other.signIn('admin');
      const { status, body, headers } = await upload(other, token, await paint('#3cc'));
      expect([status, body.code, headers.get('retry-after')]).toEqual(unavailable);
      expect(body.message).not.toContain(reason);
      const told = lines.filter((line) => line.includes('bucket') && line.includes(reason));
      expect(told.some((line) => line.includes('uploads will fail') || line.includes('"file":"check"'))).toBe(true);
      expect(told.some((line) => line.includes('"method":"PUT"'))).toBe(true);
      for (const key of ['S3_ACCESS_KEY_ID', 'S3_SECRET_ACCESS_KEY']) {
        expect(lines.join('')).not.toContain(bucket.environment[key]);
      }
    } finally {
      await other.close();
    }
  });
});

test('half of a bucket’s settings stop the start, naming what is missing', () => {
  expect(() => readConfig({ S3_BUCKET: 'pictures', S3_ENDPOINT: 'https://s3.example.com' })).toThrow(
    'S3_ACCESS_KEY_ID, S3_SECRET_ACCESS_KEY',
  );
});
