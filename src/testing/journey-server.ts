import { programPriority } from '#backup/server/run-backup-program.ts';
import { onDemandProcessPriority } from '#platform/server/on-demand-process.ts';
import { thoroughBrotliSettings } from '#platform/server/prebuilt-answers.ts';

// Journeys load it before the server (`node --import`), production never.

// Each reset and edit of a menu would compress its pages for half a second, for one or two visits.
thoroughBrotliSettings.quality = 5;

// Beside a browser on two full cores, processes of a lower priority would hardly run. Long tests measure the shop's.
if (process.env['TEST_WORKER_INDEX'] !== undefined) {
  programPriority.niceness = 0;
  onDemandProcessPriority.niceness = 0;
}
