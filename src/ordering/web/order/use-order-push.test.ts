import { beforeEach, expect, test, vi } from 'vitest';
import {
  readFollowedOrders,
  readOrderPush,
  saveFollowedOrder,
  removeFollowedOrder,
} from '#ordering/web/order/use-order-push.ts';

const held = new Map<string, string>();
beforeEach(() => {
  held.clear();
  vi.stubGlobal('localStorage', {
    getItem: (key: string) => held.get(key) ?? null,
    setItem: (key: string, value: string) => void held.set(key, value),
  });
});

test('what a guest turned on stays on when they sign in, and ends for the next person when they sign out', () => {
  saveFollowedOrder('one', null, true);
  expect(readFollowedOrders('ada')).toEqual({ user: null, all: true, ids: ['one'] });
  saveFollowedOrder('two', 'ada', true);
  expect(readFollowedOrders('ada')).toEqual({ user: 'ada', all: true, ids: ['two', 'one'] });
  expect(readFollowedOrders(null)).toEqual({ user: null, all: false, ids: [] });
  expect(readFollowedOrders('grace').ids).toEqual([]);
});

test('turning one order off turns all off, and leaves the others that were asked for', () => {
  saveFollowedOrder('one', null, false);
  saveFollowedOrder('two', null, true);
  removeFollowedOrder('one', null);
  expect(readFollowedOrders(null)).toEqual({ user: null, all: false, ids: ['two'] });
});

test('a storage with something else in it counts as empty', () => {
  held.set('followed_orders', '{"ids":3');
  expect(readFollowedOrders(null)).toEqual({ user: null, all: false, ids: [] });
  held.set('followed_orders', '{"ids":3}');
  expect(readFollowedOrders(null).ids).toEqual([]);
});

test.each(['getRegistration', 'getSubscription'])(
  'a browser whose %s fails counts as unable to notify',
  async (call) => {
    const fail = () => Promise.reject(new Error('The storage is broken.'));
    const registration = { pushManager: { getSubscription: fail } };
    const getRegistration = call === 'getRegistration' ? fail : () => Promise.resolve(registration);
    vi.stubGlobal('window', { PushManager: {}, Notification: {} });
    vi.stubGlobal('Notification', { permission: 'granted' });
    vi.stubGlobal('navigator', { serviceWorker: { getRegistration } });
    expect(await readOrderPush('one', null)).toEqual({ kind: 'unable' });
  },
);
