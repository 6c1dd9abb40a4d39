import { startSweep } from '#platform/server/sweep.ts';
import type { Services } from '#services.ts';
import { watchBoards } from '#watch/server/watch-boards.ts';
import { warnOfWaiting } from '#watch/server/warn-waiting.ts';

const every = 5_000;

/** Sees to it that nothing waits unseen. All it knows stands in the database, so any instance may do the looking. */
export function startWatch(services: Services): { sweep(): Promise<void>; stop(): Promise<void> } {
  const watchingSince = services.now();
  const sweep = async () => {
    await watchBoards(services, watchingSince);
    await warnOfWaiting(services);
  };
  return { sweep, stop: startSweep('watch', every, services.log, sweep).stop };
}
