import type { UseQueryResult } from '@tanstack/react-query';
import { useState } from 'react';
import { useSession } from '#accounts/web/session.ts';
import type { StaffStore, Store } from '#store/contract.ts';
import { saveChosenStoreId, readChosenStoreId, useStoresQuery } from '#store/web/stores.ts';

export function useOwnStores(): {
  query: UseQueryResult<Store[]>;
  stores: StaffStore[];
  store: StaffStore | null;
  choose: (id: string) => void;
} {
  const { user, role } = useSession();
  const [chosen, setChosen] = useState(readChosenStoreId);
  const query = useStoresQuery();
  const own = (query.data ?? []).filter((store) => role === 'admin' || user?.store_ids.includes(store.id));
  // The cast is right: the server sends a store's own staff all fields of `StaffStore`.
  const stores = own as StaffStore[];
  const choose = (id: string): void => {
    saveChosenStoreId(id);
    setChosen(id);
  };
  return { query, stores, store: stores.find((store) => store.id === chosen) ?? stores[0] ?? null, choose };
}
