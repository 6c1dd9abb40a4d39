import { QueryCache, QueryClient } from '@tanstack/react-query';
import { ApiError } from '#platform/web/api.ts';

/**
 * The office's cache of server data. A failed query is retried twice, unless the server's refusal is final (`isPassing`
 * is false).
 */
export const queryClient = new QueryClient({
  queryCache: new QueryCache({
    onError: (_error, { meta }) => {
      // oxlint-disable-next-line no-console -- the specification requires this text on the console after the last retry
      if (typeof meta?.['complaint'] === 'string') console.error(meta['complaint']);
    },
  }),
  defaultOptions: {
    queries: {
      networkMode: 'always',
      staleTime: 30_000,
      retry: (count, error) => count < 2 && !(error instanceof ApiError && !error.isPassing),
      retryDelay: (count) => 500 * 2 ** count,
    },
    mutations: { networkMode: 'always' },
  },
});
