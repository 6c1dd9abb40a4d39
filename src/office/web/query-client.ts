import { QueryClient } from '@tanstack/react-query';
import { ApiError } from '#platform/web/api.ts';

/** Server state of the office. A refusal is final; a server that does not answer is asked three times. */
export const queryClient = new QueryClient({
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
