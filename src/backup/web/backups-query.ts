import type { Backups } from '#backup/contract.ts';
import { dateWords, timeWords } from '#platform/date-words.ts';
import { api } from '#platform/web/api.ts';

const minute = 60_000;

/** The query of the backups, which the backups page and the office's warnings share. During a backup it polls often. */
export const backupsQuery = {
  queryKey: ['backups'],
  queryFn: ({ signal }: { signal: AbortSignal }) => api('GET /v1/backups', {}, { signal }),
  refetchInterval: ({ state }: { state: { data?: { data: Backups } | undefined } }) =>
    state.data?.data.running ? 1_500 : 5 * minute,
};

export function browserTimeWords(iso: string): string {
  const zone = Intl.DateTimeFormat().resolvedOptions().timeZone;
  return `${dateWords(iso, zone)}, ${timeWords(iso, zone)}`;
}
