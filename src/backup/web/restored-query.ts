import { api } from '#platform/web/api.ts';

/** The page and the office's band share it. */
export const restoredQuery = {
  queryKey: ['restored'],
  queryFn: ({ signal }: { signal: AbortSignal }) => api('GET /v1/restored', {}, { signal }),
};
