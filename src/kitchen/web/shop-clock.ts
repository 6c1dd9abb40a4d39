import { useSyncExternalStore } from 'react';
import { makeStore } from '#platform/web/store.ts';

/** Smaller differences are the journey of the answer, not a wrong clock. */
const TOLERANCE = 3000;

/** How far this device's clock is off. Listeners are told every second that time goes on, too. */
const offset = makeStore(() => 0, tickEverySecond);

/** The server's time as epoch milliseconds, whatever this device's clock says. */
export function shopNow(): number {
  return Date.now() + offset.read();
}

/** How far this device's clock is off, in milliseconds; positive when it is behind. */
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
    // The header counts whole seconds: its middle is half a second on.
    const measured = Date.parse(date) + 500 - (asked + answered) / 2;
    offset.set(Math.abs(measured) > TOLERANCE ? Math.round(measured) : 0);
  } catch {
    // Without a connection the device's own clock has to do.
  }
}

/** The server's time in whole steps of so many seconds; a component is drawn anew only once a step. */
export function useShopTime(stepSeconds: number): number {
  const step = stepSeconds * 1000;
  return useSyncExternalStore(offset.subscribe, () => Math.floor(shopNow() / step) * step);
}

/** Something short that follows from the server's time; a component is drawn anew only when it changes. */
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
