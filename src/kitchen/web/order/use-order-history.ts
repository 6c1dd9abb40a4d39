import { useDebouncedValue } from '@mantine/hooks';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { changeFilter, hiddenOf, type HistoryFilter, hidesOrders, startFilter } from '#kitchen/history-filter.ts';
import { shopNow } from '#platform/web/clock.ts';
import { api } from '#platform/web/api.ts';
import type { Store } from '#store/contract.ts';
import { tradingDayOf } from '#store/opening-hours.ts';

const perPage = 20;

/** Returns to the same place in the list after an order was open. */
const kept = new Map<string, HistoryFilter>();

/** The orders that pass the filter, a page of them. */
export function useOrderHistory(store: Store) {
  const today = tradingDayOf(store, new Date(shopNow()));
  const [filter, setFilter] = useState<HistoryFilter>(() => kept.get(store.id) ?? startFilter(today));
  const [search] = useDebouncedValue(filter.search, 250);
  const change = (part: Parameters<typeof changeFilter>[1]): void => {
    const next = changeFilter(filter, part);
    kept.set(store.id, next);
    setFilter(next);
  };
  const { from, to, status, page } = filter;
  const query = useQuery({
    queryKey: ['orders', store.id, search, from, to, status, page],
    placeholderData: keepPreviousData,
    queryFn: ({ signal }) =>
      api(
        'GET /v1/orders',
        {
          store_id: store.id,
          per_page: perPage,
          page,
          ...(search && { search }),
          ...(from && { start_date: from }),
          ...(to && { end_date: to }),
          ...(status && { status }),
        },
        { signal, timeout: 20_000 },
      ),
  });
  const shown = query.isPlaceholderData ? undefined : query.data?.meta;
  const mayHide = hidesOrders(filter) && shown !== undefined && (search !== '' || shown.total === 0);
  const all = useQuery({
    queryKey: ['orders', store.id, search, 'anywhere'],
    enabled: mayHide,
    queryFn: ({ signal }) =>
      api(
        'GET /v1/orders',
        { store_id: store.id, per_page: 1, ...(search && { search }) },
        { signal, timeout: 20_000 },
      ),
  });
  const isNarrowed = filter.search !== '' || hidesOrders(filter);
  return { filter, change, query, isNarrowed, hidden: mayHide && all.data ? hiddenOf(shown, all.data.meta) : null };
}
