import { nativeShell } from '#platform/web/native/native-shell.ts';

export interface ScreenWakeLock {
  isAwake(): boolean;
  /**
   * Requests the wake lock. A board that is switched on calls this at each touch, because an earlier request may have
   * been refused.
   */
  ask(): Promise<void>;
  end(): void;
}

/**
 * Keeps the screen on, by the app or by the browser's wake lock. A browser ends the lock when the page is hidden, so
 * the lock is requested again when the page is visible. `onChange` is called when `isAwake` may have changed.
 */
export function keepScreenAwake(onChange: () => void = () => {}): ScreenWakeLock {
  const { app, keepAwake } = nativeShell();
  let lock: WakeLockSentinel | null = null;
  let isOver = false;
  const ask = async (): Promise<void> => {
    if (app || lock) return;
    // The request fails if the battery is low or the page is hidden.
    const held = (await navigator.wakeLock?.request('screen').catch(() => null)) ?? null;
    if (isOver) return held?.release();
    lock = held;
    lock?.addEventListener('release', () => {
      lock = null;
      onChange();
    });
    onChange();
  };
  const onVisible = () => {
    if (document.visibilityState === 'visible') void ask();
  };
  if (app) keepAwake(true);
  else document.addEventListener('visibilitychange', onVisible);
  return {
    isAwake: () => app !== null || lock !== null,
    ask,
    end() {
      isOver = true;
      document.removeEventListener('visibilitychange', onVisible);
      if (app) keepAwake(false);
      void lock?.release();
    },
  };
}
