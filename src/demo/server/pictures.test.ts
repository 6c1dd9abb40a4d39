import type { FastifyInstance } from 'fastify';
import { bareHttpApp } from '#platform/testing/bare-http-app.ts';
import sharp from 'sharp';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { listPictureOf } from '#menu/list-picture.ts';
import { pictureUrl, servePictures } from '#demo/server/pictures.ts';

let app: FastifyInstance;
beforeAll(() => {
  app = bareHttpApp();
  servePictures(app);
});
afterAll(() => app.close());

const get = (url: string, headers: Record<string, string> = {}) => app.inject({ url, headers });
const url = pictureUrl('curry-night');

describe('a drawn picture', () => {
  test('is a document that may be cached for ever', async () => {
    const answer = await get(url);
    expect(answer.headers).toMatchObject({
      'content-type': 'image/svg+xml; charset=utf-8',
      'cache-control': 'public, max-age=31536000, immutable',
    });
    expect(answer.body).toMatch(/^<svg .*<\/svg>$/s);
  });

  test.each([
    ['image/avif,image/webp,image/apng,image/svg+xml,image/*,*/*;q=0.8', 'image/avif', 'heif'],
    ['image/webp,*/*;q=0.8', 'image/webp', 'webp'],
    ['*/*', 'image/webp', 'webp'],
  ])('in a list is pixels of a kind that the browser takes: %s', async (accept, type, format) => {
    const answer = await get(listPictureOf(url), { accept });
    expect(answer.headers).toMatchObject({
      'content-type': type,
      vary: 'accept, origin',
      'cache-control': 'public, max-age=31536000, immutable',
    });
    const drawn = await sharp(answer.rawPayload).metadata();
    expect([drawn.format, drawn.width, drawn.height]).toEqual([format, 224, 168]);
  });

  test.each(['/pictures/nothing.0000.svg', '/pictures/nothing.0000-224', url.replace('.svg', '-800'), `${url}.png`])(
    'with an unknown address is not found: %s',
    async (missing) => {
      expect((await get(missing)).statusCode).toBe(404);
    },
  );
});

test('a picture from another source is the same in a list', () => {
  for (const other of ['/uploads/a-800.webp', 'https://example.com/pictures/a.svg', '/pictures/a.png']) {
    expect(listPictureOf(other)).toBe(other);
  }
});
