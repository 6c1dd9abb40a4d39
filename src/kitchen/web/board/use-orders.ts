import { useQuery, useQueryClient, type UseQueryResult } from '@tanstack/react-query';
import { useCallback, useMemo, useRef } from 'react';
import { fetchBoardOrders } from '#kitchen/web/action-queue.ts';
import { cancelAndRefetch } from '#platform/web/cancel-and-refetch.ts';
import type { Order } from '#ordering/order.ts';
import type { Print } from '#ordering/print.ts';
import { usePollingInterval } from '#realtime/web/use-channel.ts';
import type { Store } from '#store/contract.ts';

const none: BoardOrders = new Map();

export interface StoreOrders {
  query: UseQueryResult<BoardOrders>;
  orders: BoardOrders;
  refetch: () => void;
  /** Merges an order from the store's channel, or from the response to a call. */
  learn: (order: Order) => void;
  mergePrint: (print: Print) => void;
}

/** The store's orders in the query cache: fetched together, then updated by the channel and by responses to calls. */
export function useStoreOrders(store: Store): StoreOrders {
  const client = useQueryClient();
  const key = useMemo(() => ['board', store.id], [store.id]);
  const heardSince = useRef(new Set<string>());
  /** The orders that were received before the first list. */
  const early = useRef(none);
  const query = useQuery({
    queryKey: key,
    structuralSharing: false,
    staleTime: 0,
    refetchInterval: usePollingInterval(),
    refetchIntervalInBackground: true,
    queryFn: async ({ signal }) => {
      heardSince.current = new Set();
      const fetched = await fetchBoardOrders(store, signal);
      return replaceOrders(client.getQueryData<BoardOrders>(key) ?? early.current, fetched, heardSince.current);
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
      refetch: () => void cancelAndRefetch(client, key),
      learn: (order: Order) => {
        heardSince.current.add(order.id);
        change((orders) => mergeOrderIntoBoard(orders, order));
      },
      mergePrint: (print: Print) => {
        if (print.order_id !== null) heardSince.current.add(print.order_id);
        change((orders) => mergePrintIntoBoard(orders, print));
      },
    }),
    [client, key, change],
  );
  return { query, orders: query.data ?? none, ...handlers };
}

export type BoardOrders = ReadonlyMap<string, Order>;

/** Adds an order from the channel or from a response. An older version never replaces a newer one. */
export function mergeOrderIntoBoard(orders: BoardOrders, order: Order): BoardOrders {
  if (newer(orders.get(order.id), order) !== order) return orders;
  return new Map(orders).set(order.id, order);
}

/**
 * Adds a receipt's print to its order, or replaces the order's older copy of the print. Orders that are not on the
 * board are ignored.
 */
export function mergePrintIntoBoard(orders: BoardOrders, print: Print): BoardOrders {
  const orderId = print.purpose === 'receipt' ? print.order_id : null;
  const order = orderId === null ? undefined : orders.get(orderId);
  if (!order) return orders;
  const prints = order.prints.some(({ id }) => id === print.id)
    ? order.prints.map((known) => (known.id === print.id ? print : known))
    : [...order.prints, print];
  return new Map(orders).set(order.id, { ...order, prints });
}

/**
 * Replaces all orders by a fetched list. Orders that were received since the fetch began (`heardSince`: ids) remain; of
 * two versions the newer remains.
 */
export function replaceOrders(
  orders: BoardOrders,
  fetched: readonly Order[],
  heardSince: ReadonlySet<string>,
): BoardOrders {
  const next = new Map(fetched.map((order) => [order.id, newerOrSame(orders.get(order.id), order)]));
  for (const id of heardSince) {
    const order = orders.get(id);
    if (order && !next.has(id)) next.set(id, order);
  }
  return next;
}

/**
 * Returns the newer version of an order. An unchanged order stays the same object, so that its ticket does not render
 * again.
 */
function newerOrSame(known: Order | undefined, heard: Order): Order {
  const order = newer(known, heard);
  return known && JSON.stringify(known) === JSON.stringify(order) ? known : order;
}

function newer(known: Order | undefined, heard: Order): Order {
  return known && known.version > heard.version ? known : heard;
}
