/** Milliseconds after which the work is done even if the page never was idle. */
const idleWithin = 2_000;

/** Calls `run` when the page has nothing more urgent to do. */
export function runWhenIdle(run: () => void): void {
  // Safari has no requestIdleCallback.
  if ('requestIdleCallback' in globalThis) requestIdleCallback(run, { timeout: idleWithin });
  else setTimeout(run, 200);
}
