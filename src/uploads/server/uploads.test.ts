import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { crc32, deflateSync } from 'node:zlib';
import sharp from 'sharp';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { m } from '#messages';
import { startTestApp, type TestApp } from '#testing/test-app.ts';
import { srcsetsOf } from '#uploads/picture-sizes.ts';
import { drawPictureInChildProcess, looksLikePicture, stopDrawingPictures } from '#uploads/server/handlers.ts';

let app: TestApp;
let admin: string;
beforeAll(async () => {
  app = await startTestApp();
  admin = await app.signIn('admin');
});
afterAll(async () => {
  await app.close();
  await stopDrawingPictures();
});

const paint = (width: number, height: number) => sharp({ create: { width, height, channels: 3, background: '#c33' } });

async function upload(bytes: Uint8Array, type = 'image/jpeg', token: string | null = admin) {
  const response = await fetch(`${app.url}/v1/uploads`, {
    method: 'POST',
    headers: { 'content-type': type, ...(token && { authorization: `Bearer ${token}` }) },
    body: new Uint8Array(bytes),
  });
  // oxlint-disable-next-line typescript/no-explicit-any -- a body is whatever the server said
  return { status: response.status, body: (await response.json()) as any };
}

/** A black-and-white PNG. Its rows are packed one after the other: no library holds a picture of this size. */
function blankPng(width: number, height: number): Buffer {
  const head = Buffer.from([0, 0, 0, 0, 0, 0, 0, 0, 1, 0, 0, 0, 0]);
  head.writeUInt32BE(width, 0);
  head.writeUInt32BE(height, 4);
  const rows = deflateSync(Buffer.alloc(height * (1 + Math.ceil(width / 8))), { level: 9 });
  const chunk = (name: string, content: Buffer) => {
    const named = Buffer.concat([Buffer.from(name), content]);
    const [length, sum] = [Buffer.alloc(4), Buffer.alloc(4)];
    length.writeUInt32BE(content.length);
    sum.writeUInt32BE(crc32(named));
    return Buffer.concat([length, named, sum]);
  };
  const signature = Buffer.from('\x89PNG\r\n\x1a\n', 'latin1');
  return Buffer.concat([signature, chunk('IHDR', head), chunk('IDAT', rows), chunk('IEND', Buffer.alloc(0))]);
}

/** A PNG whose head claims a size that its few bytes do not have. */
async function withHugeHead(): Promise<Buffer> {
  const png = await paint(1, 1).png().toBuffer();
  png.writeUInt32BE(60_000, 16);
  png.writeUInt32BE(60_000, 20);
  png.writeUInt32BE(crc32(png.subarray(12, 29)), 29);
  return png;
}

describe('a picture that is uploaded', () => {
  test('is stored in every width as AVIF and WebP, and served for ever', async () => {
    const { status, body } = await upload(await paint(1200, 900).jpeg().toBuffer());
    expect(status).toBe(201);
    expect(body.data).toMatchObject({ width: 800, height: 600 });
    const sizes = body.data.sizes.map((size: { width: number; type: string }) => `${size.width} ${size.type}`);
    expect(sizes).toEqual([128, 224, 400, 800].flatMap((width) => [`${width} image/avif`, `${width} image/webp`]));
    const { avif, webp } = srcsetsOf(body.data.url) ?? { avif: '', webp: '' };
    const named = `${avif}, ${webp}`.split(', ').map((entry) => entry.split(' ')[0]);
    expect(named.toSorted()).toEqual(body.data.sizes.map(({ url }: { url: string }) => url).toSorted());
    for (const size of body.data.sizes) {
      const served = await fetch(app.url + size.url);
      expect(served.headers.get('content-type')).toBe(size.type);
      expect(served.headers.get('cache-control')).toBe('public, max-age=31536000, immutable');
      expect(served.headers.get('x-content-type-options')).toBe('nosniff');
      expect(served.headers.get('content-security-policy')).toBe("default-src 'none'; sandbox");
      const drawn = await sharp(Buffer.from(await served.arrayBuffer())).metadata();
      expect([drawn.width, drawn.height]).toEqual([size.width, size.height]);
    }
  });

  test.each(['png', 'webp', 'gif', 'avif', 'jpeg'] as const)(
    'may be a %s, whatever type its sender claims',
    async (format) => {
      const { status, body } = await upload(await paint(300, 200).toFormat(format).toBuffer(), 'image/png');
      expect([status, body.data?.width]).toEqual([201, 300]);
    },
  );

  test.each([
    [1, 1],
    [9, 9],
    [1, 4000],
  ])('may be as small as %i by %i pixels', async (width, height) => {
    const { status, body } = await upload(await paint(width, height).png().toBuffer(), 'image/png');
    expect([status, body.data?.width]).toEqual([201, width]);
    const served = await fetch(app.url + body.data.url);
    expect([served.status, served.headers.get('content-type')]).toEqual([200, 'image/webp']);
  });

  test('runs nothing either as a part, or when it is still the same', async () => {
    const { body } = await upload(await paint(64, 64).png().toBuffer());
    const whole = await fetch(app.url + body.data.url);
    const asked: [number, Record<string, string>][] = [
      [206, { range: 'bytes=0-9' }],
      [304, { 'if-none-match': whole.headers.get('etag') ?? '' }],
      [416, { range: 'bytes=99999999-' }],
    ];
    for (const [status, headers] of asked) {
      const answer = await fetch(app.url + body.data.url, { headers });
      expect(answer.status).toBe(status);
      expect(answer.headers.get('content-security-policy')).toBe("default-src 'none'; sandbox");
      expect(answer.headers.get('x-content-type-options')).toBe('nosniff');
    }
  });

  test('is turned upright and loses its metadata', async () => {
    const picture = await paint(400, 200)
      .withExif({ IFD0: { Copyright: 'Secret place' }, IFD3: { GPSLatitude: '52/1 22/1 0/1' } })
      .withMetadata({ orientation: 6 })
      .jpeg()
      .toBuffer();
    const { body } = await upload(picture);
    expect(body.data).toMatchObject({ width: 200, height: 400 });
    const served = Buffer.from(await (await fetch(app.url + body.data.url)).arrayBuffer());
    const { exif, orientation } = await sharp(served).metadata();
    expect([exif, orientation]).toEqual([undefined, undefined]);
    expect(served.includes('Secret place')).toBe(false);
  });

  test('is stored once, however often it comes', async () => {
    const picture = await paint(50, 50).png().toBuffer();
    const first = await upload(picture);
    expect((await upload(picture)).body).toEqual(first.body);
  });

  test('that came before a width was kept is sent in its next larger one, or else in a smaller', async () => {
    const { body } = await upload(await paint(1200, 700).jpeg().toBuffer());
    const [base = ''] = body.data.url.split('-');
    const lose = (width: number) => rm(join(app.services.config.dataDir, `${base}-${width}.avif`));
    const widthOf = async (width: number) => {
      const served = await fetch(`${app.url}${base}-${width}.avif`);
      return (await sharp(Buffer.from(await served.arrayBuffer())).metadata()).width;
    };
    await lose(224);
    expect(await widthOf(224)).toBe(400);
    await lose(400);
    await lose(800);
    expect(await widthOf(224)).toBe(128);
    await lose(128);
    expect((await app.request('GET', `${base}-224.avif`)).status).toBe(404);
  });

  test('is refused from anybody but an admin, before it is read', async () => {
    const tooLarge = Buffer.alloc(9 * 1024 * 1024);
    expect((await upload(tooLarge, 'image/png', null)).status).toBe(401);
    expect((await upload(Buffer.alloc(9), 'image/png', await app.signIn('customer'))).status).toBe(403);
  });
});

describe('what is no usable picture', () => {
  test.each([
    ['text', Buffer.from('hello')],
    ['a script in SVG', Buffer.from('<svg xmlns="http://www.w3.org/2000/svg" width="9" height="9"><script/></svg>')],
    ['nothing', Buffer.alloc(0)],
  ])('%s is refused by its content', async (_name, bytes) => {
    const { status, body } = await upload(bytes, 'image/png');
    expect([status, body.code]).toEqual([415, 'unsupported_media_type']);
  });

  test.each(['image/svg+xml', 'image/tiff', 'multipart/form-data; boundary=x', 'text/plain'])(
    'the content type %s is refused, with those that are taken',
    async (type) => {
      const { status, body } = await upload(await paint(9, 9).png().toBuffer(), type);
      expect([status, body.code]).toEqual([415, 'unsupported_media_type']);
      expect(body.message).toContain('image/jpeg, image/png, image/webp');
    },
  );

  test('JSON is refused', async () => {
    const json = await app.request('POST', '/v1/uploads', { body: {}, token: admin });
    expect([json.status, json.body.message]).toEqual([415, expect.stringContaining('image/webp')]);
  });

  test('a file where JSON is wanted is refused', async () => {
    const response = await fetch(`${app.url}/v1/auth/login`, {
      method: 'POST',
      headers: { 'content-type': 'image/png' },
      body: new Uint8Array(3),
    });
    expect(response.status).toBe(415);
  });

  test('more than 8 MB is refused', async () => {
    const { status, body } = await upload(Buffer.alloc(8 * 1024 * 1024 + 1));
    expect([status, body.code]).toEqual([413, 'payload_too_large']);
  });

  test('a damaged picture is refused', async () => {
    const noise = Buffer.from(Array.from({ length: 300 * 300 * 3 }, (_, index) => (index * 7919) % 251));
    const whole = await sharp(noise, { raw: { width: 300, height: 300, channels: 3 } })
      .jpeg()
      .toBuffer();
    const { status, body } = await upload(whole.subarray(0, whole.length / 2));
    expect([status, body.code]).toEqual([422, 'invalid']);
  });

  test.each([
    ['a quarter of a billion pixels in a few kilobytes', 16_000, 16_000],
    ['one line of sixty million', 16_000, 4_000],
  ])('%s are refused', async (_name, width, height) => {
    const bytes = blankPng(width, height);
    const { status, body } = await upload(bytes, 'image/png');
    expect([status, body.code]).toEqual([422, 'invalid']);
    expect(body.message).toContain('40 megapixels');
  });

  test('one of as few bytes that is not too large is taken', async () => {
    expect((await upload(blankPng(1600, 1200), 'image/png')).status).toBe(201);
  });

  test('one that takes too long is given up in words, and the next one is drawn', async () => {
    const bytes = await paint(3000, 3000).png().toBuffer();
    await expect(drawPictureInChildProcess(bytes, 0)).rejects.toThrow(m.uploads_too_slow());
    expect((await upload(bytes, 'image/png')).status).toBe(201);
  });

  test('a small file of very many pixels is refused without being unpacked', async () => {
    const { status, body } = await upload(await withHugeHead(), 'image/png');
    expect([status, body.code]).toEqual([422, 'invalid']);
    expect(body.message).toContain('40 megapixels');
  });
});

test.each([
  '/uploads/..%2f..%2fdemo-password',
  '/uploads/x.webp',
  `/uploads/${'a'.repeat(64)}-128.webp`,
  '/uploads/%00',
])('nothing else is served: %s', async (path) => {
  expect((await app.request('GET', path)).status).toBe(404);
});

test.each([
  '/uploads',
  '/uploads/',
  '/uploads/.',
  '/assets/',
  '/pictures/',
  '/share/',
  '/data/',
  '/.git/',
  '/.git/HEAD',
])('no folder is listed: %s', async (path) => {
  const { body: uploaded } = await upload(await paint(64, 64).png().toBuffer());
  const [name = ''] = (uploaded.data.url as string).split('/').slice(-1);
  const { status, body } = await app.request('GET', path);
  expect([status, body.code]).toEqual([404, 'not_found']);
  expect(JSON.stringify(body)).not.toContain(name);
});

describe('before a decoder sees a file', () => {
  test.each(['png', 'webp', 'gif', 'avif', 'jpeg'] as const)('a %s is known by how it begins', async (format) => {
    expect(looksLikePicture(await paint(9, 9).toFormat(format).toBuffer())).toBe(true);
  });

  test.each([
    ['nothing', ''],
    ['a byte', '\xff'],
    ['SVG', '<svg xmlns="http://www.w3.org/2000/svg"/>'],
    ['SVG after a mark', '\xef\xbb\xbf<?xml version="1.0"?><svg/>'],
    ['PDF', '%PDF-1.7'],
    ['TIFF', 'II*\0\x08\0\0\0'],
    ['PostScript', '%!PS-Adobe-3.0'],
    ['HEIC', '\0\0\0\x18ftypheic\0\0\0\0heicmif1'],
    ['a film', '\0\0\0\x18ftypmp42\0\0\0\0mp42isom'],
    ['RIFF of another kind', 'RIFF\x24\0\0\0WAVEfmt '],
    ['a container that says it has gigabytes', '\xff\xff\xff\xffftypxxxx'],
  ])('%s is refused', (_name, text) => {
    expect(looksLikePicture(Buffer.from(text, 'latin1'))).toBe(false);
  });
});
