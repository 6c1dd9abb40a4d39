import type { Restored } from '#backup/contract.ts';
import { api } from '#platform/web/api.ts';

/** The polling intervals (ms): while the shop asks a provider for its payments, and after that request has failed. */
const pollEvery = { asking: 2_000, failed: 15_000 };

/** The query of the last restore, which the restored shop's page and the office's notice share. */
export const lastRestoreQuery = {
  queryKey: ['restored'],
  queryFn: ({ signal }: { signal: AbortSignal }) => api('GET /v1/restored', {}, { signal }),
  refetchInterval: ({ state }: { state: { data?: { data: Restored | null } | undefined } }) => {
    const states = state.data?.data?.since_copy.readings.map((reading) => reading.state) ?? [];
    if (states.includes('asking')) return pollEvery.asking;
    return states.includes('failed') ? pollEvery.failed : false;
  },
} as const;
