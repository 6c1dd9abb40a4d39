import { backupEndpoints } from '#backup/contract.ts';
import { backupHandlers } from '#backup/server/handlers.ts';
import { backupMailExamples } from '#backup/server/late-backups.ts';
import { backupPlaceEndpoints } from '#backup/place-contract.ts';
import { secondPlaceHandlers } from '#backup/server/place-handlers.ts';
import type { BackupServices } from '#backup/server/services.ts';
import { recordErasuresWork } from '#backup/server/record-erasures.ts';
import { endpointRegistration } from '#database/endpoint-registration.ts';
import type { ServerParts } from '#platform/server/parts.ts';

export const backupDomain = {
  name: 'backup',
  calls: [
    endpointRegistration(backupEndpoints, backupHandlers),
    endpointRegistration(backupPlaceEndpoints, secondPlaceHandlers),
  ],
  work: (services: Parameters<typeof recordErasuresWork>[0]) => [recordErasuresWork(services)],
  mailExamples: backupMailExamples,
  /** A restored shop makes backups even while it is held, because the backup that it was restored from may be lost. */
  start({ backups }: Pick<BackupServices, 'backups'>, parts: ServerParts) {
    parts.add('backups', backups.start());
  },
};
