import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { createConnectionWatch, type ConnectionWatch } from '#realtime/web/connection-watch.ts';
import { createFakePusher, type FakePusher } from '#realtime/testing/fake-pusher.ts';
import { createReconnector } from '#realtime/web/realtime-client.ts';

let pusher: FakePusher;
let watch: ConnectionWatch;
let comeBack: () => void;
let stop: () => void;

beforeEach(() => {
  vi.useFakeTimers({ now: 0 });
  pusher = createFakePusher();
  watch = createConnectionWatch();
  stop = createReconnector(pusher, watch, (run) => {
    comeBack = run;
    return () => undefined;
  });
});

afterEach(() => {
  stop();
  watch.stop();
  vi.useRealTimers();
});

test('an attempt that leads nowhere is made again within seconds, later less often', () => {
  pusher.changeState('connecting');
  vi.advanceTimersByTime(5000);
  expect(pusher.calls).toEqual(['disconnect', 'connect']);
  vi.advanceTimersByTime(60_000);
  expect(pusher.calls.length).toBeGreaterThanOrEqual(8);
  expect(pusher.calls.length).toBeLessThanOrEqual(16);
});

test('a page sees neither the repeated attempts nor a disconnection that nobody wanted', () => {
  const states: string[] = [];
  watch.observe(() => states.push(watch.read().state));
  pusher.changeState('connecting');
  vi.advanceTimersByTime(30_000);
  pusher.changeState('connected');
  expect([...new Set(states)]).toEqual(['connecting', 'unavailable', 'connected']);
});

test('a standing connection is left alone', () => {
  pusher.changeState('connecting');
  pusher.changeState('connected');
  vi.advanceTimersByTime(120_000);
  expect(pusher.calls).toEqual([]);
});

test('a refused client does not try again', () => {
  pusher.changeState('connecting');
  pusher.changeState('disconnected');
  vi.advanceTimersByTime(120_000);
  comeBack();
  expect(pusher.calls).toEqual([]);
  expect(watch.read()).toMatchObject({ state: 'disconnected', isPolling: true });
});

test('a page that is looked at again reconnects when its connection has died in silence', () => {
  pusher.changeState('connected');
  vi.advanceTimersByTime(70_000);
  comeBack();
  expect(pusher.calls).toEqual([]);
  vi.advanceTimersByTime(10_000);
  comeBack();
  expect(pusher.calls).toEqual(['disconnect', 'connect']);
  expect(watch.read().state).toBe('connecting');
});

test('a page that is looked at again does not wait for the next attempt', () => {
  pusher.changeState('connecting');
  vi.advanceTimersByTime(100);
  comeBack();
  expect(pusher.calls).toEqual(['disconnect', 'connect']);
});

test('once stopped, nothing is tried any more', () => {
  pusher.changeState('connecting');
  stop();
  vi.advanceTimersByTime(60_000);
  expect(pusher.calls).toEqual([]);
});
