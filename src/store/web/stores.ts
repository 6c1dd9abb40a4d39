import { useQuery, type UseQueryResult } from '@tanstack/react-query';
import { api } from '#platform/web/api.ts';
import type { Store } from '#store/contract.ts';
import { storeLoadFailed } from '#store/web/store-load-failed.ts';
import { queryClient } from '#ui/web/office/query-client.ts';

const chosenKey = 'office_store';
const storesKey = ['stores'];

/** Every store, for the office. */
export function useStoresQuery(): UseQueryResult<Store[]> {
  return useQuery({
    queryKey: storesKey,
    meta: { complaint: storeLoadFailed },
    queryFn: async ({ signal }) => (await api('GET /v1/stores', { per_page: 200 }, { signal, timeout: 20_000 })).data,
  });
}

/** The store that was last chosen on this device. */
export function readChosenStore(): string | null {
  return localStorage.getItem(chosenKey);
}

export function keepChosenStore(id: string): void {
  localStorage.setItem(chosenKey, id);
}

/**
 * Replaces one of the loaded stores by the answer of a call or a message on the `stores` channel. False if the stores
 * are loaded and this one is not among them: it is new.
 */
export function replaceStore(store: Store): boolean {
  const stores = queryClient.setQueryData<Store[]>(storesKey, (known) =>
    known?.map((other) => (other.id === store.id && other.version <= store.version ? store : other)),
  );
  return stores?.some(({ id }) => id === store.id) ?? true;
}

export async function refetchStores(): Promise<void> {
  await queryClient.invalidateQueries({ queryKey: storesKey });
}
