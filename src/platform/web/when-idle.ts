/** The time after which the function runs even if the page was never idle (ms). */
const idleWithin = 2_000;

export function runWhenIdle(run: () => void): void {
  // Safari has no requestIdleCallback.
  if ('requestIdleCallback' in globalThis) requestIdleCallback(run, { timeout: idleWithin });
  else setTimeout(run, 200);
}
