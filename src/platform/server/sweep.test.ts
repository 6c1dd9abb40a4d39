import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { repeatEvery, startSweep } from '#platform/server/sweep.ts';

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

const log = { error: vi.fn<(details: object, name?: string) => void>() };

test('work that takes longer than its interval is not begun a second time', async () => {
  const first = Promise.withResolvers<void>();
  const work = vi.fn<() => Promise<unknown>>(() => first.promise);
  const sweep = startSweep({ name: 'slow', every: 1000, log }, work);
  await vi.advanceTimersByTimeAsync(3500);
  expect(work).toHaveBeenCalledTimes(1);
  first.resolve();
  await vi.advanceTimersByTimeAsync(1000);
  expect(work).toHaveBeenCalledTimes(2);
  await sweep.stop();
});

test('a failure is logged under the name, and the next time comes', async () => {
  const error = new Error('no');
  const work = vi.fn<() => Promise<unknown>>(() => Promise.reject(error));
  const sweep = startSweep({ name: 'tidying', every: 1000, log }, work);
  await vi.advanceTimersByTimeAsync(2000);
  expect(work).toHaveBeenCalledTimes(2);
  expect(log.error).toHaveBeenCalledWith({ err: error }, 'tidying');
  await sweep.stop();
});

test('it begins at once where it is told to, and stopping waits for what runs', async () => {
  const running = Promise.withResolvers<void>();
  const sweep = startSweep({ name: 'now', every: 1000, log, atOnce: true }, () => running.promise);
  await vi.advanceTimersByTimeAsync(0);
  const stopped = vi.fn<() => void>();
  const stopping = sweep.stop().then(stopped);
  await vi.advanceTimersByTimeAsync(5000);
  expect(stopped).not.toHaveBeenCalled();
  running.resolve();
  await stopping;
});

test('nothing is swept while the clock is in doubt', async () => {
  let isTrusted = false;
  const work = vi.fn<() => Promise<unknown>>(async () => undefined);
  const clock = { isTrusted: () => isTrusted };
  const sweep = startSweep({ name: 'guests', every: 1000, log, clock, atOnce: true }, work);
  await vi.advanceTimersByTimeAsync(2000);
  expect(work).not.toHaveBeenCalled();
  isTrusted = true;
  await vi.advanceTimersByTimeAsync(1000);
  expect(work).toHaveBeenCalledTimes(1);
  await sweep.stop();
});

test('what is repeated ends where it is stopped', () => {
  const look = vi.fn<() => void>();
  const stop = repeatEvery(500, look);
  vi.advanceTimersByTime(1600);
  expect(look).toHaveBeenCalledTimes(3);
  stop();
  vi.advanceTimersByTime(5000);
  expect(look).toHaveBeenCalledTimes(3);
});
