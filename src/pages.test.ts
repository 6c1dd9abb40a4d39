import { expect, test } from 'vitest';
import { findPage, pages } from '#pages.ts';

test.each([
  ['/', '/'],
  ['/menu/', '/menu'],
  ['/orders/0192', '/orders/{orderId}'],
  ['/orders/0192/payment/callback', '/orders/{orderId}/payment/callback'],
  ['/kitchen', '/kitchen'],
  ['/orders', null],
  ['/orders/', null],
  ['/orders//payment/callback', null],
  ['/Menu', null],
  ['/nowhere', null],
])('%s is the page %s', (visited, expected) => {
  expect(findPage(visited)?.path ?? null).toBe(expected);
});

test('the areas of the specification have its roles', () => {
  const areaOf = (path: string) =>
    /^\/(store|admin)\//.test(path) ? 'admin' : path.startsWith('/customer/') ? 'customer' : null;
  const inAreas = Object.entries(pages).filter(([path]) => areaOf(path) !== null);
  expect(inAreas.map(([path, { access }]) => [path, access])).toEqual(inAreas.map(([path]) => [path, [areaOf(path)]]));
  expect(inAreas.length).toBeGreaterThan(1);
});
