import { useSyncExternalStore } from 'react';

const refreshEvery = 60_000;
let started: number | null = null;
let current = 0;
const listeners = new Set<() => void>();
let timer: ReturnType<typeof setInterval> | undefined;

/** Sets the time that the server rendered with, so that the first rendering in the browser says the same. */
export function startClock(now: number): void {
  started = now;
  current = now;
}

/** The time, refreshed every 60 seconds and whenever the page is looked at again. */
export function useNow(): Date {
  const at = useSyncExternalStore(subscribe, readClock, readStart);
  return new Date(at);
}

function readClock(): number {
  if (current === 0) current = Date.now();
  return current;
}

function readStart(): number {
  return started ?? readClock();
}

function tick(): void {
  current = Date.now();
  for (const listener of listeners) listener();
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  if (listeners.size === 1) {
    // Once the page stands, the device's own clock takes over from the time of rendering.
    setTimeout(tick, 0);
    timer = setInterval(tick, refreshEvery);
    document.addEventListener('visibilitychange', tick);
  }
  return () => {
    listeners.delete(listener);
    if (listeners.size > 0) return;
    clearInterval(timer);
    document.removeEventListener('visibilitychange', tick);
  };
}
