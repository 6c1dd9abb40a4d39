import type { FastifyInstance } from 'fastify';
import { bareHttpApp } from '#platform/testing/bare-http-app.ts';
import { readdirSync, readFileSync } from 'node:fs';
import { gzipSync } from 'node:zlib';
import sharp from 'sharp';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { bitmapSrcsetOf, bitmapWidths, listPictureUrl } from '#menu/drawn-pictures.ts';
import { demoPictureSvg, demoPictureUrl, serveDemoPictures } from '#demo/server/pictures.ts';

let app: FastifyInstance;
beforeAll(() => {
  app = bareHttpApp();
  serveDemoPictures(app);
});
afterAll(() => app.close());

const get = (url: string, headers: Record<string, string> = {}) => app.inject({ url, headers });
const url = demoPictureUrl('curry-night');

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
    const answer = await get(listPictureUrl(url), { accept });
    expect(answer.headers).toMatchObject({
      'content-type': type,
      vary: 'accept, origin',
      'cache-control': 'public, max-age=31536000, immutable',
    });
    const drawn = await sharp(answer.rawPayload).metadata();
    expect([drawn.format, drawn.width, drawn.height]).toEqual([format, 224, 168]);
  });

  test('on a card is pixels for a small screen, and the document for a large one', async () => {
    const base = url.replace('.svg', '');
    expect(bitmapSrcsetOf(url)).toBe(`${base}-224 224w, ${base}-400 400w, ${url} 800w`);
    for (const width of bitmapWidths) {
      const answer = await get(`${base}-${width}`);
      expect((await sharp(answer.rawPayload).metadata()).width).toBe(width);
    }
    // Without a connection a card shows the picture that a list has loaded.
    expect(listPictureUrl(`${base}-400`)).toBe(`${base}-224`);
    expect(bitmapSrcsetOf('/uploads/a-800.webp')).toBeNull();
  });

  test.each([
    '/pictures/nothing.0000.svg',
    '/pictures/toString.0000.svg',
    '/pictures/..%2fpictures%2fhero.0000.svg',
    '/pictures/nothing.0000-224',
    url.replace('.svg', '-800'),
    `${url}.png`,
  ])('with an unknown address is not found: %s', async (missing) => {
    expect((await get(missing)).statusCode).toBe(404);
  });
});

describe('a shop of an earlier release', () => {
  // The addresses that every release so far has stored, with four digits of the hash, and at first with eight.
  const stored = readFileSync(new URL('../testing/stored-addresses.txt', import.meta.url), 'utf8')
    .trim()
    .split('\n');

  test('has the same pictures at its addresses, byte for byte', () => {
    expect(stored).toHaveLength(132);
    expect(stored.map((address) => demoPictureUrl(keyOf(address)))).toEqual(stored);
  });

  const withEight = (address: string) => address.replace('.svg', '0123.svg');

  test('shows each picture itself', async () => {
    for (const address of stored) {
      for (const each of [address, withEight(address)]) {
        const { statusCode, body } = await get(each);
        expect([each, statusCode, body]).toEqual([each, 200, demoPictureSvg(keyOf(address))]);
      }
    }
  });

  test('shows each in a list', async () => {
    for (const address of stored.flatMap((one) => [listPictureUrl(one), listPictureUrl(withEight(one))])) {
      const { statusCode, headers } = await get(address);
      expect([address, statusCode, headers['content-type']]).toEqual([address, 200, 'image/webp']);
    }
  });
});

describe('the pictures’ files', () => {
  const folder = new URL('../pictures/', import.meta.url);
  const pictures = readdirSync(folder).map((name) => ({ name, svg: readFileSync(new URL(name, folder), 'utf8') }));
  const dishes = pictures.filter(({ name }) => !['hero.svg', 'logo.svg'].includes(name));
  const gzipped = ({ svg }: { svg: string }) => gzipSync(svg).length;

  test('take at most 1.2 MB', () => {
    expect(pictures.reduce((sum, { svg }) => sum + Buffer.byteLength(svg), 0)).toBeLessThan(1_200_000);
  });

  test('are valid documents, dishes of 400 by 300 units', () => {
    expect(pictures.flatMap(({ name, svg }) => findFaults(svg).map((fault) => [name, fault]))).toEqual([]);
    expect(dishes.filter(({ svg }) => !/^<svg [^>]*viewBox="0 0 400 300"/.test(svg))).toEqual([]);
    expect(new Set(pictures.map(({ svg }) => svg)).size).toBe(pictures.length);
  });

  test("use nothing that is slow on a phone or that a page's security policy would block", () => {
    const barred = /<(filter|mask|image|style|script|text|foreignObject)|https?:(?!\/\/www\.w3\.org\/2000\/svg)/;
    expect(pictures.filter(({ svg }) => barred.test(svg))).toEqual([]);
  });

  test('are small: 2.5 KB compressed for a dish on average, 6 KB for a whole table, 20 KB for the hero', () => {
    const sizes = dishes.map(gzipped);
    expect(sizes.reduce((sum, size) => sum + size, 0) / sizes.length).toBeLessThan(2500);
    expect(Math.max(...sizes)).toBeLessThan(6000);
    expect(Math.max(...pictures.map(gzipped))).toBeLessThan(20_000);
  });
});

test('a picture from another source is the same in a list', () => {
  for (const other of ['/uploads/a-800.webp', 'https://example.com/pictures/a.svg', '/pictures/a.png']) {
    expect(listPictureUrl(other)).toBe(other);
  }
});

const keyOf = (address: string) => address.replace(/^\/pictures\/|\..*$/g, '');

/** Faults that a browser would not accept: broken nesting, references to missing ids, invalid numbers. */
function findFaults(svg: string): string[] {
  const odd = svg.match(/NaN|undefined|null|Infinity|\de-\d/);
  return [...findUnbalanced(svg), ...findDangling(svg), ...(odd ?? [])];
}

/** Elements that are closed in the wrong order, or never closed. */
function findUnbalanced(svg: string): string[] {
  const open: string[] = [];
  for (const [, closing, name, , selfClosing] of svg.matchAll(
    /<(\/?)([A-Za-z]+)((?:\s+[\w:-]+="[^"<]*")*)\s*(\/?)>/g,
  )) {
    if (name === undefined || selfClosing === '/') continue;
    if (closing === '') open.push(name);
    else if (open.pop() !== name) return [`</${name}>`];
  }
  const leftOver = svg.replaceAll(/<\/?[A-Za-z]+(?:\s+[\w:-]+="[^"<]*")*\s*\/?>/g, '');
  return leftOver === '' ? open : [leftOver];
}

/** Ids that are used and not defined, or defined twice. */
function findDangling(svg: string): string[] {
  const defined = [...svg.matchAll(/ id="([^"]+)"/g)].map(([, id]) => id ?? '');
  const known = new Set(defined);
  const used = [...svg.matchAll(/(?:href="#|url\(#)([^")]+)/g)].map(([, id]) => id ?? '');
  const twice = defined.filter((id, index) => defined.indexOf(id) !== index);
  return [...used.filter((id) => !known.has(id)), ...twice];
}
