import { calls } from '#database/domain.ts';
import type { Disk } from '#database/disk.ts';
import type { Parts } from '#platform/server/parts.ts';
import { watch } from '#watch/contract.ts';
import { watchHandlers } from '#watch/server/handlers.ts';
import { watchMailExamples, watchWork } from '#watch/server/watch.ts';
import type { WatchServices } from '#watch/server/services.ts';
import { startWatchingDisk } from '#watch/server/watch-disk.ts';

export const watchDomain = {
  name: 'watch',
  calls: [calls(watch, watchHandlers)],
  mailExamples: watchMailExamples,
  start(services: WatchServices & { disk: Disk }, parts: Parts) {
    parts.add('disk', startWatchingDisk(services, services.disk));
  },
  work: (services: WatchServices) => watchWork(services),
};
