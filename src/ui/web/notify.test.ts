import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { noticeTimer } from '#ui/web/notices.tsx';
import { dismissNotice, notices, notify } from '#ui/web/notify.ts';

const texts = () => notices.read().map(({ text }) => text);

beforeEach(() => {
  vi.useFakeTimers();
  notices.set([]);
});
afterEach(() => void vi.useRealTimers());

test('what is said again under the same id replaces what was said before', () => {
  notify({ id: 'shop', text: 'paused' });
  notify({ text: 'saved' });
  notify({ id: 'shop', text: 'open again', tone: 'bad' });
  expect(texts()).toEqual(['saved', 'open again']);
});

test('the last four are shown', () => {
  for (const text of ['1', '2', '3', '4', '5']) notify({ text });
  expect(texts()).toEqual(['2', '3', '4', '5']);
});

test('a dismissed notice goes, and only a real one is told', () => {
  const listener = vi.fn<() => void>();
  notify({ id: 'a', text: 'a' });
  notices.subscribe(listener);
  dismissNotice('b');
  expect(listener).not.toHaveBeenCalled();
  dismissNotice('a');
  expect([listener.mock.calls.length, texts()]).toEqual([1, []]);
});

test('a notice goes after five seconds, which begin again once it is held no longer', () => {
  notify({ id: 'a', text: 'a' });
  const time = noticeTimer({ id: 'a', stays: false });
  time.run();
  vi.advanceTimersByTime(4000);
  time.hold();
  vi.advanceTimersByTime(60_000);
  expect(texts()).toEqual(['a']);
  time.run();
  vi.advanceTimersByTime(4999);
  expect(texts()).toEqual(['a']);
  vi.advanceTimersByTime(1);
  expect(texts()).toEqual([]);
});

test('one that must not be missed stays', () => {
  notify({ id: 'a', text: 'a', stays: true });
  noticeTimer({ id: 'a', stays: true }).run();
  vi.advanceTimersByTime(60_000);
  expect(texts()).toEqual(['a']);
});
