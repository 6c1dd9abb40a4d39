import { useQuery, type UseQueryResult } from '@tanstack/react-query';
import { api } from '#platform/web/api.ts';
import { cancelAndRefetch } from '#platform/web/cancel-and-refetch.ts';
import type { StaffStore, Store } from '#store/contract.ts';
import { storeLoadFailedText } from '#store/web/store-load-failed.ts';
import { queryClient } from '#ui/web/office/query-client.ts';

const chosenKey = 'office_store';
const storesKey = ['stores'];

export function useStoresQuery(): UseQueryResult<Store[]> {
  return useQuery({
    queryKey: storesKey,
    meta: { complaint: storeLoadFailedText },
    queryFn: async ({ signal }) => (await api('GET /v1/stores', { per_page: 200 }, { signal, timeout: 20_000 })).data,
  });
}

/** The id of the store that was last chosen on this device; null without one. */
export function readChosenStoreId(): string | null {
  return localStorage.getItem(chosenKey);
}

export function saveChosenStoreId(id: string): void {
  localStorage.setItem(chosenKey, id);
}

export function replaceStore(store: StaffStore): void {
  queryClient.setQueryData<Store[]>(storesKey, (known) =>
    known?.map((other) => (other.id === store.id && other.version <= store.version ? store : other)),
  );
}

/** Refetches the stores unless this version of the store or a later one is loaded. */
export async function refetchStoresIfOlder({ id, version }: Pick<Store, 'id' | 'version'>): Promise<void> {
  const known = queryClient.getQueryData<Store[]>(storesKey)?.find((store) => store.id === id);
  if (!known || known.version < version) await refetchStores();
}

export async function refetchStores(): Promise<void> {
  await cancelAndRefetch(queryClient, storesKey);
}
