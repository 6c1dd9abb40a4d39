import type { QueryClient, QueryKey } from '@tanstack/react-query';

/**
 * Refetches a page's data. A running first fetch is cancelled, because its response may lack the latest events. An
 * invalidation alone would wait for that response.
 */
export async function cancelAndRefetch(client: QueryClient, queryKey: QueryKey): Promise<void> {
  await client.cancelQueries({ queryKey });
  await client.invalidateQueries({ queryKey });
}
