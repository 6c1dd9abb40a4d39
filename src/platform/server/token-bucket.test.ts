import { expect, test } from 'vitest';
import { TokenBucket } from '#platform/server/call-limits.ts';

test('a burst is allowed, then so many a second', () => {
  const bucket = new TokenBucket(10, 3, 0);
  expect([0, 0, 0, 0].map((now) => bucket.take(now))).toEqual([true, true, true, false]);
  expect([99, 100, 101].map((now) => bucket.take(now))).toEqual([false, true, false]);
});

test('a long rest earns no more than one burst', () => {
  const bucket = new TokenBucket(10, 2, 0);
  expect([60_000, 60_000, 60_000].map((now) => bucket.take(now))).toEqual([true, true, false]);
});
