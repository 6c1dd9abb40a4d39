import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { collectGarbageWhenIdle } from '#platform/server/collect-garbage.ts';

const megabyte = 1024 * 1024;
let heap: number;
let worked: number;
let collections: number;
let part: ReturnType<typeof collectGarbageWhenIdle>;

beforeEach(() => {
  vi.useFakeTimers();
  [heap, worked, collections] = [100 * megabyte, 0, 0];
  part = collectGarbageWhenIdle({
    used: () => heap,
    utilization: () => ({ idle: 0, active: 0, utilization: worked }),
    collect() {
      collections += 1;
      heap = 60 * megabyte;
    },
  });
});
afterEach(() => {
  part.stop();
  vi.useRealTimers();
});

const look = () => vi.advanceTimersByTime(10_000);

test('garbage is collected once the thread is idle, and not again before there is more of it', () => {
  look();
  look();
  expect([collections, heap]).toEqual([1, 60 * megabyte]);
  heap = 67 * megabyte;
  look();
  expect(collections).toBe(1);
  heap = 69 * megabyte;
  look();
  expect(collections).toBe(2);
});

test('nothing is collected while there is work', () => {
  worked = 0.06;
  for (let turn = 0; turn < 10; turn += 1) look();
  expect(collections).toBe(0);
  worked = 0.01;
  look();
  expect(collections).toBe(1);
});

test('what a small collection frees needs no full one', () => {
  look();
  part.stop();
  let [young, small] = [0, 0];
  part = collectGarbageWhenIdle({
    used: () => heap + young,
    utilization: () => ({ idle: 0, active: 0, utilization: worked }),
    collect() {
      collections += 1;
      heap = 60 * megabyte;
    },
    collectYoung() {
      small += 1;
      young = 0;
    },
  });
  look();
  expect([collections, small]).toEqual([2, 1]);
  young = 20 * megabyte;
  look();
  expect([collections, small]).toEqual([2, 2]);
  heap += 9 * megabyte;
  look();
  expect([collections, small]).toEqual([3, 3]);
});

test('after a stop nothing is collected', () => {
  part.stop();
  look();
  expect(collections).toBe(0);
});

test('buffers outside the heap count too', () => {
  part.stop();
  let buffers = [Buffer.alloc(0)];
  let count = 0;
  part = collectGarbageWhenIdle({
    utilization: () => ({ idle: 0, active: 0, utilization: 0 }),
    collect() {
      count += 1;
    },
  });
  look();
  expect(count).toBe(1);
  buffers = [Buffer.alloc(32 * megabyte, 1)];
  look();
  expect([count, buffers.length]).toEqual([2, 1]);
});
