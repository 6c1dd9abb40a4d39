import { useQuery, type UseQueryResult } from '@tanstack/react-query';
import { useState } from 'react';
import { useSession } from '#accounts/web/session.ts';
import { queryClient } from '#ui/web/office/query-client.ts';
import { api } from '#platform/web/api.ts';
import type { Store } from '#store/contract.ts';
import { storeLoadFailed } from '#store/web/store-load-failed.ts';

const chosenKey = 'office_store';
const storesKey = ['stores'];

/** The stores that the person signed in works in, and the one this screen is for. */
export function useStores(): {
  query: UseQueryResult<Store[]>;
  stores: Store[];
  store: Store | null;
  choose: (id: string) => void;
} {
  const { user, role } = useSession();
  const [chosen, setChosen] = useState(() => localStorage.getItem(chosenKey));
  const query = useQuery({
    queryKey: storesKey,
    meta: { complaint: storeLoadFailed },
    queryFn: async ({ signal }) => (await api('GET /v1/stores', { per_page: 200 }, { signal, timeout: 20_000 })).data,
  });
  const stores = (query.data ?? []).filter((store) => role === 'admin' || user?.store_ids.includes(store.id));
  const choose = (id: string): void => {
    localStorage.setItem(chosenKey, id);
    setChosen(id);
  };
  return { query, stores, store: stores.find((store) => store.id === chosen) ?? stores[0] ?? null, choose };
}

/**
 * A call's answer or a message on the `stores` channel replaces the store that the pages hold. False where they hold the
 * others and not this one: it is new.
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
