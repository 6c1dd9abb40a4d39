import { useSyncExternalStore } from 'react';
import { apiAddress } from '#platform/web/api.ts';
import { createExternalStore } from '#platform/web/external-store.ts';

/** A smaller difference of the clocks, in milliseconds, counts as none, because the network may cause it. */
const tolerance = 3000;
const refreshEvery = 60_000;
/** Milliseconds of waiting for the server's time, after which the device's time is used. */
const answersWithin = 10_000;

let started: number | null = null;
/** The server's clock less the device's, in milliseconds. */
let offset = 0;
/** The result of `sinceRunning` when the clocks were last compared; null before the first comparison. */
let steady: number | null = null;
let asking: Promise<void> | null = null;

/** The server's time, refreshed about every minute; components read it by `useNow`. */
export const minuteClock = createExternalStore(() => shopNow(), keepTime);
const seconds = createExternalStore(() => null, tickEverySecond);

/** The server's time as epoch milliseconds, whatever this device's clock says. */
export function shopNow(): number {
  return Date.now() + offset;
}

/** The server's clock less this device's, in milliseconds; positive when the device is behind. */
export function clockOffset(): number {
  return offset;
}

/** Sets the time at which the server rendered the page, so that the browser's first render has the same text. */
export function setRenderTime(now: number): void {
  started = now;
  minuteClock.set(now);
}

/**
 * Compares the device's clock with the `Date` of the server's answer. Without an answer the difference is not changed.
 */
export function compareClocks(): Promise<void> {
  return (asking ??= compare().finally(() => (asking = null)));
}

/** The server's time, refreshed every 60 seconds and whenever the page becomes visible. */
export function useNow(): Date {
  return new Date(useSyncExternalStore(minuteClock.subscribe, minuteClock.read, readStart));
}

/** The server's time in steps of this many whole seconds; a component renders only once per step. */
export function useShopTime(stepSeconds: number): number {
  const step = stepSeconds * 1000;
  return useSyncExternalStore(seconds.subscribe, () => Math.floor(shopNow() / step) * step);
}

/** Selects a primitive value from the server's time; the component renders again only when that value changes. */
export function useShopValue<Value extends string | number | null>(read: (now: number) => Value): Value {
  return useSyncExternalStore(seconds.subscribe, () => read(shopNow()));
}

async function compare(): Promise<void> {
  try {
    const asked = Date.now();
    const signal = AbortSignal.timeout(answersWithin);
    const response = await fetch(apiAddress('/live'), { method: 'HEAD', cache: 'no-store', signal });
    const date = response.headers.get('date');
    if (date === null) return;
    const answered = Date.now();
    // The header has whole seconds: on average the server's time is half a second later.
    const measured = Date.parse(date) + 500 - (asked + answered) / 2;
    offset = Math.abs(measured) > tolerance ? Math.round(measured) : 0;
    steady = sinceRunning();
    seconds.set(null);
  } catch {
    // Without a connection the difference is not changed.
  }
}

function keepTime(): () => void {
  // Until the server answers, `minuteClock` stays at the time of the server's rendering.
  void refresh();
  const timer = setInterval(() => void refresh(), refreshEvery);
  const look = () => void refresh();
  document.addEventListener('visibilitychange', look);
  return () => {
    clearInterval(timer);
    document.removeEventListener('visibilitychange', look);
  };
}

/**
 * Refreshes `minuteClock`. It compares the clocks first if they never were compared, the device's clock was set, or the
 * device slept.
 */
async function refresh(): Promise<void> {
  if (steady !== null) minuteClock.set(shopNow());
  if (steady !== null && Math.abs(sinceRunning() - steady) <= tolerance) return;
  await compareClocks();
  minuteClock.set(shopNow());
}

/** The device's clock minus the page's age. It is constant unless the clock is set or the device sleeps. */
function sinceRunning(): number {
  return Date.now() - performance.now();
}

function readStart(): number {
  return started ?? minuteClock.read();
}

function tickEverySecond(): () => void {
  const tick = () => seconds.set(null);
  const timer = setInterval(tick, 1000);
  document.addEventListener('visibilitychange', tick);
  return () => {
    clearInterval(timer);
    document.removeEventListener('visibilitychange', tick);
  };
}
