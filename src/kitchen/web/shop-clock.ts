import { useSyncExternalStore } from 'react';
import { makeStore } from '#platform/web/store.ts';

/** Smaller differences come from the network, not from a wrong clock. */
const TOLERANCE = 3000;

/** The difference of this device's clock. Listeners are also called every second. */
const offset = makeStore(() => 0, tickEverySecond);

/** The server's time as epoch milliseconds, whatever this device's clock says. */
export function shopNow(): number {
  return Date.now() + offset.read();
}

/** The difference of this device's clock in milliseconds; positive when it is behind. */
export function clockOffset(): number {
  return offset.read();
}

/** Compares the device's clock with the server's, from the `Date` of an answer; without one nothing changes. */
export async function setClock(): Promise<void> {
  try {
    const asked = Date.now();
    const response = await fetch('/live', { method: 'HEAD', cache: 'no-store' });
    const date = response.headers.get('date');
    if (date === null) return;
    const answered = Date.now();
    // The header has whole seconds: on average the time is half a second later.
    const measured = Date.parse(date) + 500 - (asked + answered) / 2;
    offset.set(Math.abs(measured) > TOLERANCE ? Math.round(measured) : 0);
  } catch {
    // Without a connection the device's own clock is used.
  }
}

/** The server's time in steps of this many whole seconds; a component renders only once per step. */
export function useShopTime(stepSeconds: number): number {
  const step = stepSeconds * 1000;
  return useSyncExternalStore(offset.subscribe, () => Math.floor(shopNow() / step) * step);
}

/** A short value derived from the server's time; a component renders only when it changes. */
export function useShopValue<Value extends string | number | null>(read: (now: number) => Value): Value {
  return useSyncExternalStore(offset.subscribe, () => read(shopNow()));
}

function tick(): void {
  offset.set(offset.read());
}

function tickEverySecond(): () => void {
  const timer = setInterval(tick, 1000);
  document.addEventListener('visibilitychange', tick);
  return () => {
    clearInterval(timer);
    document.removeEventListener('visibilitychange', tick);
  };
}
