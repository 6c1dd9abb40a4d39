import { QueryCache, QueryClient } from '@tanstack/react-query';
import { ApiError } from '#platform/web/api.ts';

/** Server state of the office. A refusal is final; a server that does not answer is asked three times. */
export const queryClient = new QueryClient({
  queryCache: new QueryCache({
    onError: (_error, { meta }) => {
      // oxlint-disable-next-line no-console -- what the contract has said on the console once the last try has failed
      if (typeof meta?.['complaint'] === 'string') console.error(meta['complaint']);
    },
  }),
  defaultOptions: {
    queries: {
      networkMode: 'always',
      staleTime: 30_000,
      retry: (count, error) => count < 2 && !(error instanceof ApiError && error.status >= 400 && error.status < 500),
      retryDelay: (count) => 500 * 2 ** count,
    },
    mutations: { networkMode: 'always' },
  },
});
