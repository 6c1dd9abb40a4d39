import { expect, test } from 'vitest';
import { readTabletCode, parseShopOrigin, readTypedTabletCode } from '#office/web/tablet/set-up-tablet.tsx';

test('the code of the office is the shop and a code', () => {
  const read = { shop: 'https://shop.example.com', code: 'ABCDEFG2' };
  expect(readTabletCode('https://shop.example.com/app/device#ABCDEFG2')).toEqual(read);
  expect(readTypedTabletCode(' Shop.Example.com/ ', 'abcd-efg2')).toEqual(read);
});

test.each([
  'https://shop.example.com/',
  'https://shop.example.com/app/device#ABC',
  'http://shop.example.com/app/device#ABCDEFG2',
  'https://u:p@shop.example.com/app/device#ABCDEFG2',
  'javascript:alert(1)//app/device#ABCDEFG2',
  'WIFI:S:shop;;',
  '',
])('%s is no code of a shop', (text) => {
  expect(readTabletCode(text)).toBeNull();
});

test.each([
  ['localhost:3000', null],
  ['http://localhost:3000', 'http://localhost:3000'],
  ['http://192.168.1.4', null],
  ['shop', null],
  ['ftp://shop.example.com', null],
  ['https://shop.example.com:8443/menu', 'https://shop.example.com:8443'],
])('the shop of "%s"', (typed, shop) => {
  expect(parseShopOrigin(typed)).toBe(shop);
});
