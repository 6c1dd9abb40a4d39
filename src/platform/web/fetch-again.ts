import type { QueryClient, QueryKey } from '@tanstack/react-query';

/** Refetches a page's data. An invalidation alone would join a running first fetch, whose response may miss events. */
export async function cancelAndRefetch(client: QueryClient, queryKey: QueryKey): Promise<void> {
  await client.cancelQueries({ queryKey });
  await client.invalidateQueries({ queryKey });
}
