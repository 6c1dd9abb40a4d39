import { onlineManager, QueryClient, QueryClientProvider } from '@tanstack/react-query';
import { type ComponentType, useEffect } from 'react';
import { useSession } from '#accounts/web/session.ts';
import { ApiError } from '#platform/web/api.ts';
import { LiveProvider } from '#shop/web/live.tsx';

/**
 * The cache of the server's answers. Only pages that are loaded later use it, so that the menu does without its code.
 */
const queries = new QueryClient({
  defaultOptions: {
    queries: {
      networkMode: 'always',
      refetchOnWindowFocus: false,
      // A refusal is an answer; only lost answers are fetched again, and nothing while offline.
      retry: (count, error) =>
        navigator.onLine && count < 2 && !(error instanceof ApiError && error.status >= 400 && error.status < 500),
    },
    mutations: { networkMode: 'always' },
  },
});
// It takes every page for one that was opened with a connection, and would miss that there is one again.
onlineManager.setOnline(navigator.onLine);
let reader: string | undefined;

/** Gives a page the cache and the realtime client. One person's data does not stay for the next one. */
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
