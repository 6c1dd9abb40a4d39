import { useDebouncedValue } from '@mantine/hooks';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { shopNow } from '#platform/web/clock.ts';
import type { OrderStatus } from '#ordering/order.ts';
import { api } from '#platform/web/api.ts';
import type { Store } from '#store/contract.ts';
import { tradingDayOf } from '#store/opening-hours.ts';

const perPage = 20;

export interface HistoryFilter {
  search: string;
  /** Trading days; empty: any. */
  from: string;
  to: string;
  status: OrderStatus | '';
  page: number;
}

/** Returns to the same place in the list after an order was open. */
const kept = new Map<string, HistoryFilter>();

/** The orders that pass the filter, a page of them. */
export function useOrderHistory(store: Store) {
  const today = tradingDayOf(store, new Date(shopNow()));
  const [filter, setFilter] = useState<HistoryFilter>(
    () => kept.get(store.id) ?? { search: '', from: today, to: today, status: '', page: 1 },
  );
  const [search] = useDebouncedValue(filter.search, 250);
  const change = (part: Partial<HistoryFilter>): void => {
    const next = { ...filter, page: 1, ...part };
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
  const isNarrowed = filter.search !== '' || from !== '' || to !== '' || status !== '';
  return { filter, change, query, isNarrowed };
}
