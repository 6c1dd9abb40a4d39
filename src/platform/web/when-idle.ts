/** Milliseconds after which work is done although the page never was idle. */
const idleWithin = 2_000;

/** Runs when the page has nothing more urgent to do. */
export function whenIdle(run: () => void): void {
  // Not every browser has it: Safari has none.
  if ('requestIdleCallback' in globalThis) requestIdleCallback(run, { timeout: idleWithin });
  else setTimeout(run, 200);
}
