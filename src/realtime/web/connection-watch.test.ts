import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import {
  channelState,
  createConnectionWatch,
  pollWhileDown,
  type ConnectionWatch,
} from '#realtime/web/connection-watch.ts';

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
  const poll = vi.fn<() => void>();
  pollWhileDown(watch, poll);
  watch.changeChannel('stores', 'asked');
  watch.changeChannel('private-a', 'asked');
  watch.changeState('connected');
  watch.changeChannel('stores', 'heard');
  watch.changeChannel('private-a', 'refused');
  expect(poll).toHaveBeenCalledTimes(1);
  vi.advanceTimersByTime(30_000);
  expect(poll).toHaveBeenCalledTimes(3);
  expect(channelState(watch.read(), 'private-a')).toBe('unsubscribed');
  expect(channelState(watch.read(), 'stores')).toBe('connected');
  watch.changeChannel('private-a', null);
  vi.advanceTimersByTime(60_000);
  expect(poll).toHaveBeenCalledTimes(3);
});

test('a channel that is neither heard nor refused for ten seconds is polled for, too', () => {
  const poll = vi.fn<() => void>();
  pollWhileDown(watch, poll);
  watch.changeState('connected');
  watch.changeChannel('private-a', 'asked');
  vi.advanceTimersByTime(9000);
  expect(channelState(watch.read(), 'private-a')).toBe('connecting');
  vi.advanceTimersByTime(1000);
  expect(channelState(watch.read(), 'private-a')).toBe('unsubscribed');
  expect(poll).toHaveBeenCalledTimes(1);
  watch.changeChannel('private-a', 'heard');
  vi.advanceTimersByTime(60_000);
  expect(channelState(watch.read(), 'private-a')).toBe('connected');
  expect(poll).toHaveBeenCalledTimes(1);
});

test('after a reconnect nothing counts as heard before it is subscribed to again', () => {
  watch.changeChannel('private-a', 'asked');
  watch.changeState('connected');
  watch.changeChannel('private-a', 'heard');
  watch.changeState('connecting');
  expect(channelState(watch.read(), 'private-a')).toBe('connecting');
  watch.changeState('connected');
  expect(channelState(watch.read(), 'private-a')).toBe('connecting');
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
