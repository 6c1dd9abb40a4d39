import { expect, test } from 'vitest';
import { productFiles, readSource } from '#testing/source.ts';

/** What only domains know of. An `order` of things is no such word, and neither is what stores values. */
const words =
  /\b(?:\w*(?:[Ff]ood|[Dd]ish|[Kk]itchen|[Bb]asket|[Cc]heckout|[Dd]eliver|[Rr]estaurant|[Tt]akeaway|[Pp]rinter|[Rr]eceipt)\w*|[Mm]enus?|[Oo]rders|Order|order's|(?<=\ban )order|store_?[Ii]ds?|store_?[Nn]ames?)\b/g;

test('platform knows nothing of what its domains are about', () => {
  const found = productFiles(/\.(tsx?|json)$/)
    .filter((path) => path.startsWith('platform/'))
    .flatMap((path) => [...readSource(path).matchAll(words)].map(([word]) => `${path}: ${word}`));
  expect(found).toEqual([]);
});

test.each([
  ['const storeIds = [];', ['storeIds']],
  ['/v1/orders/{id}', ['orders']],
  ["an order's secret", ["order's"]],
  ['"platform_menu": "Menu"', ['Menu']],
  ['They are sent in the order in which they came.', []],
])('in %j it finds %j', (text, found) => {
  expect([...text.matchAll(words)].map(([word]) => word)).toEqual(found);
});
