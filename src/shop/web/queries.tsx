import { onlineManager, QueryClient, QueryClientProvider } from '@tanstack/react-query';
import { type ComponentType, useEffect } from 'react';
import { useSession } from '#accounts/web/session.ts';
import { ApiError } from '#platform/web/api.ts';
import { RealtimeProvider } from '#shop/web/realtime-provider.tsx';

/** The query cache of lazily loaded pages. The menu's page has no query cache, so that it does not load the library. */
const queries = new QueryClient({
  defaultOptions: {
    queries: {
      networkMode: 'always',
      refetchOnWindowFocus: false,
      // A refusal (4xx) is final. Other failures are retried while the browser is online.
      retry: (count, error) =>
        navigator.onLine && count < 2 && !(error instanceof ApiError && error.status >= 400 && error.status < 500),
    },
    mutations: { networkMode: 'always' },
  },
});
// The library assumes that the browser starts online. If it starts offline, the library would miss the return of the
// connection.
onlineManager.setOnline(navigator.onLine);
let reader: string | undefined;

/**
 * Wraps a page in the query cache and the realtime client. The cache is cleared when a person signs out or another
 * signs in.
 */
export function withQueryCache<P extends object>(Page: ComponentType<P>): ComponentType<P> {
  return function WithQueries(props) {
    const { user, initialized } = useSession();
    useEffect(() => {
      if (initialized && reader && reader !== user?.id) queries.clear();
      if (initialized) reader = user?.id;
    }, [initialized, user?.id]);
    return (
      <QueryClientProvider client={queries}>
        <RealtimeProvider>
          <Page {...props} />
        </RealtimeProvider>
      </QueryClientProvider>
    );
  };
}
