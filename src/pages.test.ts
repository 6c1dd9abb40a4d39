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
  for (const [path, { access }] of Object.entries(pages)) {
    if (/^\/(store|admin)\//.test(path)) expect([path, access]).toEqual([path, ['admin']]);
    if (path.startsWith('/customer/')) expect([path, access]).toEqual([path, ['customer']]);
  }
});
