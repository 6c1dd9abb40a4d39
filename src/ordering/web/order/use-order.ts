import { queryOptions, useQuery, useQueryClient, type UseQueryResult } from '@tanstack/react-query';
import type { GuestOrder, Order } from '#ordering/order.ts';
import { orderSessionHeader } from '#ordering/web/order/stored-order-sessions.ts';
import { api } from '#platform/web/api.ts';
import { readPageData } from '#platform/web/page-data.ts';
import { orderChannelName } from '#ordering/channels.ts';
import { useChannel, usePollingInterval } from '#realtime/web/use-channel.ts';
import { cancelAndRefetch } from '#platform/web/cancel-and-refetch.ts';
import { dayWords, localDateAt, timeWords } from '#platform/date-words.ts';
import { m } from '#messages';
import { pickByMailServer } from '#mail/web/pick-by-mail-server.ts';

export type AnyOrder = Order | GuestOrder;

interface OrderEvents {
  'order.updated': { order: GuestOrder };
}

export function orderQueryKey(id: string): [string, string] {
  return ['order', id];
}

export function orderQuery(id: string) {
  return queryOptions<AnyOrder>({
    queryKey: orderQueryKey(id),
    queryFn: async ({ signal }) =>
      (await api('GET /v1/orders/{id}', { id }, { signal, timeout: 20_000, headers: orderSessionHeader(id) })).data,
    staleTime: 5000,
  });
}

/**
 * Whether this is the whole order, and not the guest's view. The order's customer and the browser that placed it get
 * the whole order.
 */
export function isFullOrder(order: AnyOrder): order is Order {
  return 'contact' in order;
}

/**
 * An order, kept up to date. A message of its channel is shown at once; then the whole order is fetched. While the
 * socket is disconnected, the order is polled.
 */
export function useOrder(id: string): { query: UseQueryResult<AnyOrder>; isPolling: boolean } {
  const queries = useQueryClient();
  const key = orderQueryKey(id);
  const polling = usePollingInterval();
  const query = useQuery({
    ...orderQuery(id),
    initialData: () => renderedOrder(id),
    initialDataUpdatedAt: renderedAt,
    // The order in the page's HTML is the guest's view and may be stale, so it is always refetched.
    refetchOnMount: ({ state }) => (state.data && isFullOrder(state.data) ? true : 'always'),
    refetchInterval: polling,
    refetchOnWindowFocus: true,
    refetchOnReconnect: true,
  });
  const refetch = () => void cancelAndRefetch(queries, key);
  useChannel<OrderEvents>(
    // The channel is joined only once the order is known to exist.
    query.data ? orderChannelName(id) : null,
    {
      'order.updated': ({ order }) => {
        queries.setQueryData<AnyOrder>(key, (held) => (held ? newer(held, order) : held));
        refetch();
      },
    },
    { onCaughtUp: refetch },
  );
  return { query, isPolling: polling !== false };
}

interface RenderedOrder {
  order: GuestOrder | null;
  /** When the page was rendered, ISO 8601. */
  now: string;
}

/** The order with which the server rendered the page; undefined if the page was rendered for another order. */
function renderedOrder(id: string): GuestOrder | undefined {
  const { order } = readPageData<RenderedOrder>();
  return order?.id === id.toLowerCase() ? order : undefined;
}

function renderedAt(): number {
  return Date.parse(readPageData<RenderedOrder>().now);
}

/**
 * Merges a message's data into the page's order if its `version` is newer, because messages may arrive out of order.
 * The lines, and fields that the guest's view lacks, stay until the order is refetched.
 */
function newer(held: AnyOrder, { lines: _lines, ...heard }: GuestOrder): AnyOrder {
  return heard.version > held.version ? { ...held, ...heard } : held;
}

export function timeWithDayWords(at: Date | string, now: Date, timeZone: string): string {
  const time = timeWords(at, timeZone);
  return localDateAt(at, timeZone) === localDateAt(now, timeZone) ? time : `${dayWords(at, now, timeZone)}, ${time}`;
}

export function noPushExplanationWords({ contact: { email } }: { contact: Pick<Order['contact'], 'email'> }): string {
  const stay = m.ordering_push_stay_here();
  return email === '' ? stay : pickByMailServer(m.ordering_push_by_mail({ email }), stay);
}
