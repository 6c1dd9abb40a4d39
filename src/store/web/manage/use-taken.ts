import { useQuery } from '@tanstack/react-query';
import { api } from '#platform/web/api.ts';

/** How many orders each slot holds, by its start; undefined while unknown. Fetched again every minute. */
export function useTaken(storeId: string): ReadonlyMap<string, number> | undefined {
  const { data } = useQuery({
    queryKey: ['slots-taken', storeId],
    queryFn: async ({ signal }) =>
      (await api('GET /v1/stores/{id}/slots/taken', { id: storeId }, { signal, timeout: 20_000 })).data,
    refetchInterval: 60_000,
    select: (slots) => new Map(slots.map(({ starts_at: start, orders }) => [start, orders])),
  });
  return data;
}
