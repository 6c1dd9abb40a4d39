import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { channelStateIn, createConnectionWatch, type ConnectionWatch } from '#realtime/web/connection-watch.ts';

let watch: ConnectionWatch;

beforeEach(() => {
  vi.useFakeTimers({ now: 1000 });
  watch = createConnectionWatch();
});

afterEach(() => {
  watch.stop();
  vi.useRealTimers();
});

const isPolling = () => watch.read().isPolling;

test('a page that never gets a connection polls after ten seconds', () => {
  vi.advanceTimersByTime(60_000);
  expect(isPolling()).toBe(false);
  watch.start();
  vi.advanceTimersByTime(9999);
  expect(isPolling()).toBe(false);
  vi.advanceTimersByTime(1);
  expect(isPolling()).toBe(true);
});

test('a short drop is no reason to poll', () => {
  watch.changeState('connected');
  watch.changeState('connecting');
  vi.advanceTimersByTime(9000);
  watch.changeState('connected');
  vi.advanceTimersByTime(60_000);
  expect(isPolling()).toBe(false);
});

test('polling ends with the connection, and starts again with the next long drop', () => {
  watch.changeState('connecting');
  vi.advanceTimersByTime(10_000);
  expect(isPolling()).toBe(true);
  watch.changeState('connected');
  expect(isPolling()).toBe(false);
  watch.changeState('disconnected');
  vi.advanceTimersByTime(10_000);
  expect(isPolling()).toBe(true);
});

test('going from one way of being down to another does not start the ten seconds again', () => {
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
  expect(watch.read()).toEqual({ state: 'connected', lastHeardAt: 5000, channels: new Map(), isPolling: false });
  vi.setSystemTime(9000);
  watch.changeState('connecting');
  expect(watch.read().lastHeardAt).toBe(5000);
});

test('a channel that is refused is polled for at once, until it is heard or not wanted any more', () => {
  watch.changeChannel('stores', 'asked');
  watch.changeChannel('private-a', 'asked');
  watch.changeState('connected');
  watch.changeChannel('stores', 'heard');
  watch.changeChannel('private-a', 'refused');
  expect(isPolling()).toBe(true);
  expect(channelStateIn(watch.read(), 'private-a')).toBe('unsubscribed');
  expect(channelStateIn(watch.read(), 'stores')).toBe('connected');
  watch.changeChannel('private-a', null);
  expect(isPolling()).toBe(false);
});

test('a channel that is neither heard nor refused for ten seconds is polled for, too', () => {
  watch.changeState('connected');
  watch.changeChannel('private-a', 'asked');
  vi.advanceTimersByTime(9000);
  expect(channelStateIn(watch.read(), 'private-a')).toBe('connecting');
  expect(isPolling()).toBe(false);
  vi.advanceTimersByTime(1000);
  expect(channelStateIn(watch.read(), 'private-a')).toBe('unsubscribed');
  expect(isPolling()).toBe(true);
  watch.changeChannel('private-a', 'heard');
  expect(channelStateIn(watch.read(), 'private-a')).toBe('connected');
  expect(isPolling()).toBe(false);
});

test('after a reconnect nothing counts as heard before it is subscribed to again', () => {
  watch.changeChannel('private-a', 'asked');
  watch.changeState('connected');
  watch.changeChannel('private-a', 'heard');
  watch.changeState('connecting');
  expect(channelStateIn(watch.read(), 'private-a')).toBe('connecting');
  watch.changeState('connected');
  expect(channelStateIn(watch.read(), 'private-a')).toBe('connecting');
});
