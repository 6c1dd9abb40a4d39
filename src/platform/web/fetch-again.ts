import type { QueryClient, QueryKey } from '@tanstack/react-query';

/**
 * Fetches what a page shows once more, from now on. A first fetch that is on its way would be joined by an invalidation,
 * and its answer may be older than what the page has missed.
 */
export async function fetchAgain(client: QueryClient, queryKey: QueryKey): Promise<void> {
  await client.cancelQueries({ queryKey });
  await client.invalidateQueries({ queryKey });
}
