import { brotliDecompressSync } from 'node:zlib';
import { beforeEach, expect, test } from 'vitest';
import type { Shop } from '#shop/server/shop-cache.ts';
import type { recompressLater } from '#platform/server/prebuilt-answers.ts';
import { cachePage, cacheLinkedPage, type PageCache } from '#storefront/server/page-writer.ts';

const six = new Date('2026-11-21T18:00:30Z');
const nextMinute = new Date('2026-11-21T18:01:00Z');
let kept: PageCache;
let written: string[];
let outdated: Shop | null;
let asked: Parameters<typeof recompressLater>[];
const later: typeof recompressLater = (...call) => void asked.push(call);

beforeEach(() => {
  kept = new WeakMap();
  written = [];
  asked = [];
  outdated = null;
});

/** Kept by its identity only. */
function aShop(): Shop {
  return {} as Shop;
}

function pageAt(shop: Shop, at: Date, words = 'Open until 23:00. '.repeat(200)) {
  return cachePage({ kept, later, isCurrent: (one) => one !== outdated }, shop, '/menu en', at, (moment) => {
    const html = `<p>${words}</p>{"now":"${moment.toISOString()}"}`;
    written.push(html);
    return html;
  });
}

test('a minute later the page that was recompressed is sent again, as it is', async () => {
  const shop = aShop();
  const first = pageAt(shop, six);
  await first.recompress();
  const recompressed = (await first.bytes).br;
  const again = await pageAt(shop, nextMinute).bytes;
  expect(written).toHaveLength(2);
  expect(again.br).toBe(recompressed);
  expect(brotliDecompressSync(again.br).toString()).toContain(six.toISOString());
});

test('a page is recompressed later, but not one that says something else by then or is recompressed already', async () => {
  const shop = aShop();
  const first = await pageAt(shop, six).bytes;
  const second = pageAt(shop, nextMinute, 'Closed.');
  const bytes = await second.bytes;
  expect(asked.map(([bytesOf, isWanted]) => [bytesOf, isWanted()])).toEqual([
    [first, false],
    [bytes, true],
  ]);
  await second.recompress();
  expect(asked[1]?.[1]()).toBe(false);
});

test('a page of a version that is no longer the shop’s is not recompressed', async () => {
  const shop = aShop();
  await pageAt(shop, six).bytes;
  const isWanted = asked[0]?.[1];
  expect(isWanted?.()).toBe(true);
  outdated = shop;
  expect(isWanted?.()).toBe(false);
});

test('within a minute the page is not written again', () => {
  const shop = aShop();
  expect(pageAt(shop, new Date('2026-11-21T18:00:59Z'))).toBe(pageAt(shop, six));
  expect(written).toHaveLength(1);
});

test('what a minute changes is sent at once', async () => {
  const shop = aShop();
  await pageAt(shop, six).recompress();
  const { identity, br } = await pageAt(shop, nextMinute, 'Closed.').bytes;
  expect(identity.toString()).toContain('Closed.');
  expect(brotliDecompressSync(br)).toEqual(identity);
});

test('a new version of the shop is sent at once, in the same minute', async () => {
  await pageAt(aShop(), six).recompress();
  const { identity } = await pageAt(aShop(), six, 'Closed for today.').bytes;
  expect(identity.toString()).toContain('Closed for today.');
});

test('a dish is written into the page once, and the dishes asked for last are kept', async () => {
  const page = pageAt(aShop(), six);
  let changes = 0;
  const withDish = (id: string) =>
    cacheLinkedPage({ later }, page, id, (html) => {
      changes += 1;
      return `${id}${html}`;
    });
  const soup = await withDish('soup');
  expect(soup.identity.toString()).toMatch(/^soup<p>Open/);
  for (let index = 0; index < 100; index += 1) {
    await withDish(`dish ${index}`);
    expect(await withDish('soup')).toBe(soup);
  }
  expect(changes).toBe(101);
  expect(page.variants.size).toBeLessThan(50);
});

test('a page with a dish is recompressed later, while it is kept and its page is the newest', async () => {
  const shop = aShop();
  const page = pageAt(shop, six);
  const soup = await cacheLinkedPage({ later }, page, 'soup', (html) => html);
  const [, isWanted] = asked.find(([bytes]) => bytes === soup) ?? [];
  expect(isWanted?.()).toBe(true);
  for (let index = 0; index < 100; index += 1) await cacheLinkedPage({ later }, page, `dish ${index}`, (html) => html);
  expect(isWanted?.()).toBe(false);

  const pie = await cacheLinkedPage({ later }, page, 'pie', (html) => html);
  const [, isPieWanted] = asked.find(([bytes]) => bytes === pie) ?? [];
  expect(isPieWanted?.()).toBe(true);
  outdated = shop;
  expect(isPieWanted?.()).toBe(false);
});
