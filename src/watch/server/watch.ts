import type { DueWork } from '#database/jobs/due-work.ts';
import { type StoreWatch, storeWatches, watchBoards } from '#watch/server/watch-boards.ts';
import { pushNewOrders, storesToPush } from '#watch/server/push-new-orders.ts';
import { areWaiting, warnOfWaiting } from '#watch/server/warn-waiting.ts';
import type { WatchServices } from '#watch/server/services.ts';

/** Makes sure that no order waits unnoticed. Its state is in the database, so any instance may do the checks. */
export function watchWork(
  services: Pick<
    WatchServices,
    'admins' | 'clock' | 'config' | 'db' | 'jobs' | 'log' | 'mail' | 'menus' | 'now' | 'outbox' | 'realtime'
  >,
): DueWork[] {
  const watchingSince = services.now();
  const boards: DueWork<StoreWatch[] | null> = {
    name: 'boards',
    due: () => storeWatches,
    work: async (stores) => services.clock.isTrusted() && watchBoards(services, watchingSince, stores),
  };
  const waiting: DueWork<boolean> = {
    name: 'waiting orders',
    due: (now) => areWaiting(now),
    work: async () => services.clock.isTrusted() && warnOfWaiting(services),
  };
  const pushes: DueWork<string[] | null> = {
    name: 'new orders for devices',
    due: (now) => storesToPush(now),
    work: async (stores) => services.clock.isTrusted() && pushNewOrders(services, stores),
  };
  return [boards, waiting, pushes];
}
