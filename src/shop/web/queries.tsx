import { onlineManager, QueryClient, QueryClientProvider } from '@tanstack/react-query';
import { type ComponentType, useEffect } from 'react';
import { useSession } from '#accounts/web/session.ts';
import { ApiError } from '#platform/web/api.ts';
import { LiveProvider } from '#shop/web/live.tsx';

/** The cache of lazy pages, so that the menu does not load its code. */
const queries = new QueryClient({
  defaultOptions: {
    queries: {
      networkMode: 'always',
      refetchOnWindowFocus: false,
      // Refusals are answers; lost ones are retried, but not offline.
      retry: (count, error) =>
        navigator.onLine && count < 2 && !(error instanceof ApiError && error.status >= 400 && error.status < 500),
    },
    mutations: { networkMode: 'always' },
  },
});
// It assumes an online start, and would miss the return of the connection.
onlineManager.setOnline(navigator.onLine);
let reader: string | undefined;

/** A page with cache and realtime client. One person's data never stays for the next. */
export function withQueries(Page: ComponentType): ComponentType {
  return function WithQueries() {
    const { user, initialized } = useSession();
    useEffect(() => {
      if (initialized && reader && reader !== user?.id) queries.clear();
      if (initialized) reader = user?.id;
    }, [initialized, user?.id]);
    return (
      <QueryClientProvider client={queries}>
        <LiveProvider>
          <Page />
        </LiveProvider>
      </QueryClientProvider>
    );
  };
}
