import type { QueryClient, QueryKey } from '@tanstack/react-query';

/**
 * Fetches a page's data once more, from now on. An invalidation would join a first fetch under way, whose answer may be
 * older than the missed events.
 */
export async function fetchAgain(client: QueryClient, queryKey: QueryKey): Promise<void> {
  await client.cancelQueries({ queryKey });
  await client.invalidateQueries({ queryKey });
}
