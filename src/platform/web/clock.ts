import { useSyncExternalStore } from 'react';
import { apiAddress } from '#platform/web/api.ts';
import { createExternalStore } from '#platform/web/external-store.ts';

/** A difference of the clocks below this value (ms) is ignored, because network latency may cause it. */
const tolerance = 3000;
const refreshEvery = 60_000;
/** The timeout of a request for the server's time (ms). */
const answersWithin = 10_000;

let started: number | null = null;
/** The server's clock minus the device's (ms). */
let offset = 0;
/**
 * The device's clock minus the page's age (`sinceRunning`) when the clocks were last compared; null: not compared yet.
 */
let steady: number | null = null;
let asking: Promise<void> | null = null;

/** The server's time, refreshed about every minute; components read it through `useNow`. */
export const minuteClock = createExternalStore(() => shopNow(), keepTime);
const seconds = createExternalStore(() => null, tickEverySecond);

/** The server's time in epoch milliseconds, even if this device's clock is wrong. */
export function shopNow(): number {
  return Date.now() + offset;
}

/** The server's clock minus this device's (ms); positive when the device is behind. */
export function clockOffsetMs(): number {
  return offset;
}

/** Sets the server's time of rendering, so that the browser's first render produces the same text. */
export function setRenderTime(now: number): void {
  started = now;
  minuteClock.set(now);
}

/**
 * Compares the device's clock with the `Date` header of the server's response. Without a response the last measured
 * difference stays in use.
 */
export function measureClockOffset(): Promise<void> {
  return (asking ??= compare().finally(() => (asking = null)));
}

/** The server's time, refreshed every 60 seconds and whenever the page becomes visible. */
export function useNow(): Date {
  return new Date(useSyncExternalStore(minuteClock.subscribe, minuteClock.read, readStart));
}

/** The server's time, rounded down to steps of whole seconds; the component re-renders once per step. */
export function useShopTime(stepSeconds: number): number {
  const step = stepSeconds * 1000;
  return useSyncExternalStore(seconds.subscribe, () => Math.floor(shopNow() / step) * step);
}

/** Selects a primitive value from the server's time; the component re-renders only when the value changes. */
export function useShopTimeValue<Value extends string | number | null>(read: (now: number) => Value): Value {
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
    // The header has whole seconds, so half a second is added, which is right on average.
    const measured = Date.parse(date) + 500 - (asked + answered) / 2;
    offset = Math.abs(measured) > tolerance ? Math.round(measured) : 0;
    steady = sinceRunning();
    seconds.set(null);
  } catch {
    // Without a response the last measured difference stays in use.
  }
}

function keepTime(): () => void {
  // Until the server responds, `minuteClock` shows the time of the server's rendering.
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
 * Refreshes `minuteClock`. Compares this device's clock with the server's if that was never done, if the device's clock
 * was set, or if the device slept.
 */
async function refresh(): Promise<void> {
  if (steady !== null) minuteClock.set(shopNow());
  if (steady !== null && Math.abs(sinceRunning() - steady) <= tolerance) return;
  await measureClockOffset();
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
