import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { createConnectionWatch, pollWhileDown, type ConnectionWatch } from '#realtime/web/connection-watch.ts';

let watch: ConnectionWatch;

beforeEach(() => {
  vi.useFakeTimers({ now: 1000 });
  watch = createConnectionWatch();
});

afterEach(() => {
  watch.stop();
  vi.useRealTimers();
});

test('a page that never gets a connection polls after ten seconds, then every fifteen', () => {
  const poll = vi.fn<() => void>();
  pollWhileDown(watch, poll);
  vi.advanceTimersByTime(60_000);
  expect(poll).not.toHaveBeenCalled();
  watch.start();
  vi.advanceTimersByTime(9999);
  expect(poll).not.toHaveBeenCalled();
  vi.advanceTimersByTime(1);
  expect(poll).toHaveBeenCalledTimes(1);
  vi.advanceTimersByTime(15_000);
  expect(poll).toHaveBeenCalledTimes(2);
  vi.advanceTimersByTime(15_000);
  expect(poll).toHaveBeenCalledTimes(3);
});

test('a short drop is no reason to poll', () => {
  const poll = vi.fn<() => void>();
  pollWhileDown(watch, poll);
  watch.changeState('connected');
  watch.changeState('connecting');
  vi.advanceTimersByTime(9000);
  watch.changeState('connected');
  vi.advanceTimersByTime(60_000);
  expect(poll).not.toHaveBeenCalled();
});

test('polling ends with the connection, and starts again with the next long drop', () => {
  const poll = vi.fn<() => void>();
  pollWhileDown(watch, poll);
  watch.changeState('connecting');
  vi.advanceTimersByTime(10_000);
  watch.changeState('connected');
  vi.advanceTimersByTime(60_000);
  expect(poll).toHaveBeenCalledTimes(1);
  watch.changeState('disconnected');
  vi.advanceTimersByTime(25_000);
  expect(poll).toHaveBeenCalledTimes(3);
});

test('going from one way of being down to another does not start the ten seconds anew', () => {
  watch.changeState('connecting');
  vi.advanceTimersByTime(6000);
  watch.changeState('unavailable');
  vi.advanceTimersByTime(4000);
  expect(watch.read().isPolling).toBe(true);
});

test('an attempt that goes on for ten seconds shows as unavailable until it succeeds', () => {
  const states: string[] = [];
  watch.observe(() => states.push(watch.read().state));
  watch.changeState('connecting');
  vi.advanceTimersByTime(10_000);
  watch.changeState('connecting');
  watch.changeState('connected');
  expect(states).toEqual(['connecting', 'unavailable', 'connected']);
});

test('the page knows when the server was last heard', () => {
  expect(watch.read().lastHeardAt).toBeNull();
  watch.changeState('connected');
  vi.setSystemTime(5000);
  watch.hear();
  expect(watch.read()).toEqual({ state: 'connected', lastHeardAt: 5000, isPolling: false });
  vi.setSystemTime(9000);
  watch.changeState('connecting');
  expect(watch.read().lastHeardAt).toBe(5000);
});

test('who polls no more is not called', () => {
  const poll = vi.fn<() => void>();
  const stop = pollWhileDown(watch, poll);
  watch.changeState('connecting');
  vi.advanceTimersByTime(10_000);
  stop();
  vi.advanceTimersByTime(60_000);
  expect(poll).toHaveBeenCalledTimes(1);
});
