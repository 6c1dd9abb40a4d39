import { useQuery, useQueryClient, type UseQueryResult } from '@tanstack/react-query';
import { useCallback, useMemo, useRef } from 'react';
import { type BoardOrders, learnOrder, learnPrint, replaceAll } from '#kitchen/board-feed.ts';
import { fetchBoard } from '#kitchen/web/board-calls.ts';
import { fetchAgain } from '#platform/web/fetch-again.ts';
import type { Order } from '#ordering/order.ts';
import type { Print } from '#ordering/print.ts';
import { usePollingInterval } from '#realtime/web/use-channel.ts';
import type { Store } from '#store/contract.ts';

const none: BoardOrders = new Map();

export interface StoreOrders {
  query: UseQueryResult<BoardOrders>;
  orders: BoardOrders;
  refetch: () => void;
  /** An order from the store's channel, or from the answer to a call. */
  learn: (order: Order) => void;
  learnPrint: (print: Print) => void;
}

/** The store's orders in the query cache: fetched together, then updated by the channel and the answers to calls. */
export function useOrders(store: Store): StoreOrders {
  const client = useQueryClient();
  const key = useMemo(() => ['board', store.id], [store.id]);
  const heardSince = useRef(new Set<string>());
  /** The orders that were heard before the first list is there. */
  const early = useRef(none);
  const query = useQuery({
    queryKey: key,
    structuralSharing: false,
    staleTime: 0,
    refetchInterval: usePollingInterval(),
    refetchIntervalInBackground: true,
    queryFn: async ({ signal }) => {
      heardSince.current = new Set();
      const fetched = await fetchBoard(store, signal);
      return replaceAll(client.getQueryData<BoardOrders>(key) ?? early.current, fetched, heardSince.current);
    },
  });
  const change = useCallback(
    (next: (orders: BoardOrders) => BoardOrders) => {
      client.setQueryData<BoardOrders>(key, (orders) => {
        if (!orders) early.current = next(early.current);
        return orders && next(orders);
      });
    },
    [client, key],
  );
  const handlers = useMemo(
    () => ({
      refetch: () => void fetchAgain(client, key),
      learn: (order: Order) => {
        heardSince.current.add(order.id);
        change((orders) => learnOrder(orders, order));
      },
      learnPrint: (print: Print) => {
        if (print.order_id !== null) heardSince.current.add(print.order_id);
        change((orders) => learnPrint(orders, print));
      },
    }),
    [client, key, change],
  );
  return { query, orders: query.data ?? none, ...handlers };
}
