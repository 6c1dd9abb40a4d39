import type { QueryClient, QueryKey } from '@tanstack/react-query';

/**
 * Fetches a page's data anew. An invalidation alone would join a running first fetch, whose answer may miss events.
 */
export async function cancelAndRefetch(client: QueryClient, queryKey: QueryKey): Promise<void> {
  await client.cancelQueries({ queryKey });
  await client.invalidateQueries({ queryKey });
}
