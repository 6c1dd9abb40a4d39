import { act, createElement, Suspense } from 'react';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { createHookRoot } from '#testing/web/hook-stage.ts';
import { codeLoadFailedEvent, lazyPart, loadCode } from '#ui/web/lazy-part.ts';

/** The shop's answer to `/live`; null if there is none. */
let answer: Response | null;
let told: string[];
beforeEach(() => {
  answer = new Response('{}');
  told = [];
  vi.stubGlobal('fetch', async () => answer ?? Promise.reject(new TypeError('Failed to fetch')));
  vi.stubGlobal('dispatchEvent', ({ type }: Event) => void told.push(type));
});
afterEach(() => {
  vi.unstubAllGlobals();
  vi.useRealTimers();
});

/** Fails as often as there are errors, then answers. */
function loading(...errors: Error[]) {
  let loads = 0;
  const load = async () => {
    const error = errors[loads];
    loads += 1;
    if (error) throw error;
    return 'code';
  };
  return { load, count: () => loads };
}
const broken = new TypeError('Failed to fetch dynamically imported module');

test('code that did not come once is loaded again, while the shop answers', async () => {
  const { load, count } = loading(broken);
  expect(await loadCode(load)).toBe('code');
  expect([count(), told]).toEqual([2, []]);
});

test('code that does not come twice is gone, and a reload is offered', async () => {
  const { load, count } = loading(broken, broken, broken);
  await expect(loadCode(load)).rejects.toBe(broken);
  expect([count(), told]).toEqual([2, [codeLoadFailedEvent]]);
});

test('where the shop does not answer, nothing is gone', async () => {
  answer = null;
  const { load, count } = loading(broken, broken);
  await expect(loadCode(load)).rejects.toMatchObject({ code: 'offline' });
  expect([count(), told]).toEqual([1, []]);
});

test('a load that neither answers nor ends goes on while the shop responds, and fails once the shop is silent', async () => {
  vi.useFakeTimers();
  const loads: string[] = [];
  const code = loadCode(() => new Promise<string>(() => undefined)).then(
    () => loads.push('code'),
    ({ code: fault }: { code: string }) => loads.push(fault),
  );
  await vi.advanceTimersByTimeAsync(25_000);
  expect(loads).toEqual([]);
  answer = null;
  await vi.advanceTimersByTimeAsync(10_000);
  await code;
  expect([loads, told]).toEqual([['offline'], []]);
});

test('styles that did not come are gone at once: the page would be shown without them', async () => {
  const error = new Error('Unable to preload CSS for /static/assets/more-1a2b.css');
  const { load, count } = loading(error);
  await expect(loadCode(load)).rejects.toBe(error);
  expect([count(), told]).toEqual([1, [codeLoadFailedEvent]]);
});

describe('a part whose code does not come', () => {
  const Missing = () => null;
  const stage = () => {
    const root = createHookRoot();
    let loads = 0;
    const part = lazyPart<object>(async () => {
      loads += 1;
      throw broken;
    }, Missing);
    const shown = () => createElement(Suspense, null, createElement(part(), { key: 'part' }));
    return {
      count: () => loads,
      show: () => act(async () => root.render(shown())),
      close: () => act(async () => root.render(null)),
    };
  };

  test('is not requested again at each render, but when it opens again', async () => {
    answer = null;
    const { count, show, close } = stage();
    await show();
    await show();
    await show();
    expect(count()).toBe(1);
    await close();
    await show();
    expect(count()).toBe(2);
  });

  test('is tried again after a while where it stays open and the shop did not answer', async () => {
    vi.useFakeTimers();
    answer = null;
    const { count, show } = stage();
    await show();
    await show();
    await act(() => vi.advanceTimersByTimeAsync(10_000));
    await show();
    await show();
    expect(count()).toBe(2);
  });
});
