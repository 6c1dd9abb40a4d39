import type { Restored } from '#backup/contract.ts';
import { api } from '#platform/web/api.ts';

/** Milliseconds between looks while a payment provider is asked, and while it does not answer. */
const lookEvery = { asking: 2_000, failed: 15_000 };

/** The page and the office's band share it. */
export const restoredQuery = {
  queryKey: ['restored'],
  queryFn: ({ signal }: { signal: AbortSignal }) => api('GET /v1/restored', {}, { signal }),
  refetchInterval: ({ state }: { state: { data?: { data: Restored | null } | undefined } }) => {
    const states = state.data?.data?.since_copy.readings.map((reading) => reading.state) ?? [];
    if (states.includes('asking')) return lookEvery.asking;
    return states.includes('failed') ? lookEvery.failed : false;
  },
} as const;
