import { keepPreviousData, useQuery, type UseQueryResult } from '@tanstack/react-query';
import { useEffect, useRef, useState } from 'react';
import { shopNow } from '#platform/web/clock.ts';
import { queryClient } from '#ui/web/office/query-client.ts';
import { unansweredStatuses } from '#ordering/order-status.ts';
import { api } from '#platform/web/api.ts';
import { storeOrdersChannel } from '#ordering/channels.ts';
import { useChannel } from '#realtime/web/use-channel.ts';
import type { SalesReport } from '#reports/contract.ts';
import type { DateRange } from '#reports/date-range.ts';
import type { Store } from '#store/contract.ts';
import { tradingDayOf } from '#store/opening-hours.ts';
import { fetchAgain } from '#platform/web/fetch-again.ts';

/** A range's report; null requests none. The old report stays visible until the new one arrives. */
export function useSales(store: Store, range: DateRange | null): UseQueryResult<SalesReport> {
  return useQuery({
    queryKey: ['sales', store.id, range],
    enabled: range !== null,
    placeholderData: keepPreviousData,
    queryFn: async ({ signal }) => {
      const { from = '', to = '' } = range ?? {};
      const query = { store_id: store.id, start_date: from, end_date: to };
      return (await api('GET /v1/reports/sales', query, { signal, timeout: 30_000 })).data;
    },
  });
}

/** How many orders of the store nobody has answered yet; 0 while that is not known. */
export function useWaitingOrders(store: Store): number {
  const { data } = useQuery({
    queryKey: ['sales', store.id, 'waiting'],
    queryFn: async ({ signal }) => {
      const query = { store_id: store.id, status: unansweredStatuses.join(), per_page: 1 };
      return (await api('GET /v1/orders', query, { signal, timeout: 15_000 })).meta.total;
    },
  });
  return data ?? 0;
}

/** Orders arrive in bursts: the report is requested again this long (milliseconds) after the first of them. */
const afterOrders = 2_000;

/** Keeps the store's reports up with its orders. */
export function useLiveSales(store: Store): void {
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined);
  const refetch = () => void fetchAgain(queryClient, ['sales', store.id]);
  const soon = (): void => {
    timer.current ??= setTimeout(() => {
      timer.current = undefined;
      refetch();
    }, afterOrders);
  };
  useEffect(() => () => clearTimeout(timer.current), []);
  useChannel<{ 'order.placed': unknown; 'order.updated': unknown }>(
    storeOrdersChannel(store.id),
    { 'order.placed': soon, 'order.updated': soon },
    { onCaughtUp: refetch },
  );
}

/** The current trading day of the shop; changes when the next begins. */
export function useTradingDay(store: Store): string {
  const [day, setDay] = useState(() => tradingDayOf(store, new Date(shopNow())));
  useEffect(() => {
    const look = () => setDay(tradingDayOf(store, new Date(shopNow())));
    const timer = setInterval(look, 30_000);
    return () => clearInterval(timer);
  }, [store]);
  return day;
}
