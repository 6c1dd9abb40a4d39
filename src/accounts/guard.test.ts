import { describe, expect, test } from 'vitest';
import { guardPage, pathAfterSignIn, sameOriginPath, type PageAccess } from '#accounts/guard.ts';
import { findOfficePage, officePages } from '#office-pages.ts';
import { findPage } from '#pages.ts';
import type { Role } from '#platform/http/viewer.ts';
import { keysOf } from '#platform/keys-of.ts';

const guest = { role: 'guest', initialized: true } as const;
const customer = { role: 'customer', initialized: true } as const;
const admin = { role: 'admin', initialized: true } as const;
const storeAdmin = { role: 'store_admin', initialized: true } as const;

describe('guards', () => {
  test('nothing but a public page is decided before the first look-up has ended', () => {
    const starting = { role: 'guest', initialized: false } as const;
    expect(guardPage('everyone', starting)).toEqual({ kind: 'show' });
    expect(guardPage('guests', starting)).toEqual({ kind: 'wait' });
    expect(guardPage(['admin'], starting)).toEqual({ kind: 'wait' });
  });

  test('a guest who wants a page that needs signing in goes to login, and the way is remembered', () => {
    expect(guardPage(['customer'], guest)).toEqual({ kind: 'go', to: '/login', remember: true });
  });

  test('a page for guests sends whoever is signed in home', () => {
    expect(guardPage('guests', customer)).toEqual({ kind: 'go', to: '/', remember: false });
    expect(guardPage('guests', storeAdmin)).toEqual({ kind: 'go', to: '/', remember: false });
    expect(guardPage('guests', admin)).toEqual({ kind: 'go', to: '/', remember: false });
    expect(guardPage('guests', guest)).toEqual({ kind: 'show' });
  });

  test('another role is sent home, and store_admin is no admin', () => {
    expect(guardPage(['admin'], customer)).toEqual({ kind: 'go', to: '/', remember: false });
    expect(guardPage(['admin'], storeAdmin)).toEqual({ kind: 'go', to: '/', remember: false });
    expect(guardPage(['store_admin', 'admin'], storeAdmin)).toEqual({ kind: 'show' });
    expect(guardPage(['customer'], admin)).toEqual({ kind: 'go', to: '/', remember: false });
  });
});

test("the owner's pages send everybody else home", () => {
  const pages = Object.entries(officePages).filter(([path]) => path.startsWith('/admin/'));
  expect(pages.length).toBeGreaterThan(10);
  for (const [path, { access }] of pages) {
    for (const person of [customer, storeAdmin]) {
      expect(guardPage(access, person), path).toEqual({ kind: 'go', to: '/', remember: false });
    }
  }
});

const accessOf = (path: string): PageAccess => (findPage(path) ?? findOfficePage(path))?.row.access ?? 'everyone';

test('the office is the owner’s, and staff open the kitchen’s screens and their own sign-in only', () => {
  const openTo = (role: Role) =>
    keysOf(officePages).filter((path) => guardPage(accessOf(path), { role, initialized: true }).kind === 'show');
  expect(openTo('guest')).toEqual([]);
  expect(openTo('customer')).toEqual([]);
  expect(openTo('store_admin')).toEqual(['/kitchen', '/kitchen/wall', '/kitchen/ready', '/kitchen/my-sign-in']);
  expect(openTo('admin')).toEqual(keysOf(officePages));
});

test('a sign-in leads to the stored path, else an owner to the orders, a store_admin to the board and everyone else home', () => {
  expect(pathAfterSignIn('customer', '/checkout', accessOf)).toBe('/checkout');
  expect(pathAfterSignIn('store_admin', null, accessOf)).toBe('/kitchen');
  expect(pathAfterSignIn('store_admin', '/orders/1', accessOf)).toBe('/orders/1');
  expect(pathAfterSignIn('customer', null, accessOf)).toBe('/');
  expect(pathAfterSignIn('admin', null, accessOf)).toBe('/store/orders');
});

test('a stored path whose page is for others leads where a sign-in without one does', () => {
  expect(pathAfterSignIn('store_admin', '/admin/reports', accessOf)).toBe('/kitchen');
  expect(pathAfterSignIn('store_admin', '/login', accessOf)).toBe('/kitchen');
  expect(pathAfterSignIn('customer', '/kitchen', accessOf)).toBe('/');
  expect(pathAfterSignIn('admin', '/customer/orders', accessOf)).toBe('/store/orders');
  expect(pathAfterSignIn('admin', '/admin/reports', accessOf)).toBe('/admin/reports');
});

test.each([
  ['/checkout?x=1#pay', '/checkout?x=1#pay'],
  ['//evil.example/a', null],
  ['/\\evil.example', null],
  ['https://evil.example/', null],
  ['javascript:alert(1)', null],
  ['', null],
  [null, null],
])('a stored path must be of our own origin: %s', (wanted, expected) => {
  expect(sameOriginPath(wanted, 'https://shop.example')).toBe(expected);
});
