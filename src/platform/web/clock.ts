import { useSyncExternalStore } from 'react';
import { makeStore } from '#platform/web/store.ts';

const refreshEvery = 60_000;
let started: number | null = null;
const clock = makeStore(() => Date.now(), keepTime);

/** Sets the time that the server rendered with, so that the browser's first rendering has the same text. */
export function startClock(now: number): void {
  started = now;
  clock.set(now);
}

/** The time, refreshed every 60 seconds and whenever the page is looked at again. */
export function useNow(): Date {
  const at = useSyncExternalStore(clock.subscribe, clock.read, readStart);
  return new Date(at);
}

function readStart(): number {
  return started ?? clock.read();
}

function tick(): void {
  clock.set(Date.now());
}

function keepTime(): () => void {
  // After the first rendering the device's own clock replaces the time of the server's rendering.
  setTimeout(tick, 0);
  const timer = setInterval(tick, refreshEvery);
  document.addEventListener('visibilitychange', tick);
  return () => {
    clearInterval(timer);
    document.removeEventListener('visibilitychange', tick);
  };
}
