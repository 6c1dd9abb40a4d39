import { beforeEach, expect, test, vi } from 'vitest';
import {
  saveOrderSession,
  readStoredOrderSession,
  readRecentOrderIds,
} from '#ordering/web/order/stored-order-sessions.ts';

const stored = new Map<string, string>();
vi.stubGlobal('localStorage', {
  getItem: (key: string) => stored.get(key) ?? null,
  setItem: (key: string, value: string) => void stored.set(key, value),
});

beforeEach(() => stored.clear());

const now = new Date('2026-11-20T18:00:00Z');
const hour = 60 * 60_000;

/** A UUID of version 7 of so many hours before now. */
function idFrom(hoursAgo: number): string {
  const time = (now.getTime() - hoursAgo * hour).toString(16).padStart(12, '0');
  return `${time.slice(0, 8)}-${time.slice(8)}-7abc-8def-0123456789ab`;
}

test('the orders of the last days are found again, the newest first, and older ones are not', () => {
  const [old, yesterday, today] = [idFrom(80), idFrom(20), idFrom(1)];
  for (const id of [old, yesterday, today]) saveOrderSession(id, `secret of ${id}`);
  expect(readRecentOrderIds(now)).toEqual([today, yesterday]);
  expect(readStoredOrderSession(old)).toBe(`secret of ${old}`);
});

test('no more than five are asked for, and what is broken is no order', () => {
  for (let ago = 9; ago > 0; ago -= 1) saveOrderSession(idFrom(ago), 'secret');
  expect(readRecentOrderIds(now)).toHaveLength(5);
  stored.set('order_sessions', 'no json');
  expect(readRecentOrderIds(now)).toEqual([]);
  stored.set('order_sessions', '[["not-an-id","secret"]]');
  expect(readRecentOrderIds(now)).toEqual([]);
});
