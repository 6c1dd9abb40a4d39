import fc from 'fast-check';
import { findPage, canAndroidAppOpenPath, isOfficePath } from '#pages.ts';
import { expect, test } from 'vitest';

import { readShellMessage as read, readAppInfo, readPhoneState } from '#platform/web/native/android-shell.ts';

const readShellMessage = (type: unknown, data: unknown) => read(type, data, canAndroidAppOpenPath);

const update = { phase: 'downloading', percent: 40, problem: '', needs_permission: true, version: '3.11.0', size: 9 };
const state = {
  battery: 80,
  is_charging: true,
  is_online: true,
  wifi: 3,
  notifications: 'granted',
  ignores_battery: true,
  is_owner: false,
  is_locked: false,
  update,
};

test('what the app tells is read', () => {
  expect(readShellMessage('update', update)).toEqual({ type: 'update', update });
  expect(readShellMessage('navigate', { path: '/orders/1?x=2' })).toEqual({ type: 'navigate', path: '/orders/1?x=2' });
  expect(readPhoneState(state)).toEqual(state);
  expect(readPhoneState({ ...state, battery: null, wifi: null })).toMatchObject({ battery: null, wifi: null });
  const app = {
    platform: 'android',
    version: '3.10.18',
    package: 'a.b',
    shop: '',
    is_debug: false,
    updates_itself: true,
  };
  expect(readAppInfo(app)).toEqual(app);
});

test.each([
  ['navigate', { path: '/admin/stores' }],
  ['navigate', { path: '/kitchen' }],
  ['navigate', { path: '//evil.example' }],
  ['navigate', { path: 'https://evil.example/menu' }],
  ['navigate', { path: '/orders/../admin' }],
  ['navigate', {}],
  ['update', { ...update, phase: 'done' }],
  ['update', { ...update, percent: 101 }],
  ['printed', { job: 'a', status: 'printed', detail: '', said: '' }],
  ['eval', { code: '1' }],
  [null, null],
])('%s %j is not understood', (type, data) => {
  expect(readShellMessage(type, data)).toBeNull();
});

test('messages of any kind neither throw nor lead to the staff or away', () => {
  const part = fc.constantFrom(
    '/',
    '//',
    '..',
    'orders',
    'admin',
    'kitchen',
    'store',
    'menu',
    '?',
    '#',
    '\\',
    '%2e',
    'a',
    ':',
    'https:',
  );
  const path = fc.array(part, { maxLength: 8 }).map((parts) => parts.join(''));
  const data = fc.oneof(
    fc.anything(),
    fc.record({ path: fc.oneof(path, fc.string()) }),
    fc.anything().map((phase) => ({ ...update, phase })),
  );
  fc.assert(
    fc.property(
      fc.oneof(fc.constantFrom('navigate', 'update', 'printed', 'state'), fc.anything()),
      data,
      (type, fields) => {
        const told = readShellMessage(type, fields);
        readPhoneState(fields);
        readAppInfo(fields);
        if (told?.type !== 'navigate') return;
        const url = new URL(told.path, 'https://appassets.androidplatform.net');
        expect(url.origin).toBe('https://appassets.androidplatform.net');
        expect(isOfficePath(url.pathname)).toBe(false);
        expect(findPage(url.pathname)).not.toBeNull();
      },
    ),
  );
  fc.assert(
    fc.property(
      path,
      (each) => !canAndroidAppOpenPath(each) || !isOfficePath(new URL(each, 'https://a.example').pathname),
    ),
  );
});
