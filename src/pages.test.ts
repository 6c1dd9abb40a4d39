import { expect, test } from 'vitest';
import { findOfficePage, officePages } from '#office-pages.ts';
import { findPage, isOfficePath, pages } from '#pages.ts';

test.each([
  ['/', '/'],
  ['/menu/', '/menu'],
  ['/orders/0192', '/orders/{orderId}'],
  ['/orders/0192/payment/callback', '/orders/{orderId}/payment/callback'],
  ['/kitchen', null],
  ['/orders', null],
  ['/orders/', null],
  ['/orders//payment/callback', null],
  ['/Menu', null],
  ['/nowhere', null],
])('%s is the page %s', (visited, expected) => {
  expect(findPage(visited)?.path ?? null).toBe(expected);
});

test.each([
  ['/kitchen', '/kitchen'],
  ['/admin/menus/', '/admin/menus'],
  ['/menu', null],
  ['/admin', null],
])('%s is the office’s page %s', (visited, expected) => {
  expect(findOfficePage(visited)?.path ?? null).toBe(expected);
});

test("the staff's pages are told by their paths, and no customer's page is taken for one", () => {
  expect(Object.keys(pages).filter(isOfficePath)).toEqual([]);
  expect(Object.keys(officePages).filter((path) => !isOfficePath(path))).toEqual([]);
});

test('the areas of the specification have its roles', () => {
  const areaOf = (path: string) =>
    /^\/(store|admin)\//.test(path) ? 'admin' : path.startsWith('/customer/') ? 'customer' : null;
  const inAreas = Object.entries({ ...pages, ...officePages }).filter(([path]) => areaOf(path) !== null);
  expect(inAreas.map(([path, { access }]) => [path, access])).toEqual(inAreas.map(([path]) => [path, [areaOf(path)]]));
  expect(inAreas.length).toBeGreaterThan(1);
});
