import { useQuery, useQueryClient, type UseQueryResult } from '@tanstack/react-query';
import { useCallback, useMemo, useRef } from 'react';
import { type BoardFeed, emptyFeed, type FeedMessage, hear, learn, replaceAll } from '#kitchen/board-feed.ts';
import { fetchBoard } from '#kitchen/web/board-calls.ts';
import type { Order } from '#ordering/order.ts';
import type { Store } from '#store/contract.ts';

const POLL_EVERY = 15_000;

export interface StoreOrders {
  query: UseQueryResult<BoardFeed>;
  orders: ReadonlyMap<string, Order>;
  refetch: () => void;
  /** A message of the store's channel. */
  hearMessage: (message: FeedMessage) => void;
  /** An order that a call answered with. */
  learnOrder: (order: Order) => void;
}

/** The store's orders in the query cache: fetched whole, then kept up with the channel and the answers to calls. */
export function useOrders(store: Store, isPolling: boolean): StoreOrders {
  const client = useQueryClient();
  const key = useMemo(() => ['board', store.id], [store.id]);
  const heardSince = useRef(new Set<string>());
  const query = useQuery({
    queryKey: key,
    structuralSharing: false,
    staleTime: 0,
    refetchInterval: isPolling ? POLL_EVERY : false,
    refetchIntervalInBackground: true,
    queryFn: async ({ signal }) => {
      heardSince.current = new Set();
      const fetched = await fetchBoard(store, signal);
      return replaceAll(client.getQueryData<BoardFeed>(key) ?? emptyFeed, fetched, heardSince.current);
    },
  });
  const refetch = useCallback(() => void client.invalidateQueries({ queryKey: key }), [client, key]);
  const learnOrder = useCallback(
    (order: Order) => {
      heardSince.current.add(order.id);
      client.setQueryData<BoardFeed>(key, (feed) => feed && learn(feed, order));
    },
    [client, key],
  );
  const hearMessage = useCallback(
    (message: FeedMessage) => {
      if ('order' in message) heardSince.current.add(message.order.id);
      const known = client.getQueryData<BoardFeed>(key);
      if (!known) return;
      const { feed, missed } = hear(known, message);
      client.setQueryData(key, feed);
      if (missed) refetch();
    },
    [client, key, refetch],
  );
  return { query, orders: query.data?.orders ?? emptyFeed.orders, refetch, hearMessage, learnOrder };
}
