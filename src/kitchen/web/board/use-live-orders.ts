import { setClock } from '#platform/web/clock.ts';
import type { StoreOrders } from '#kitchen/web/board/use-orders.ts';
import type { Order } from '#ordering/order.ts';
import type { Print } from '#ordering/print.ts';
import { storeBoardsChannel } from '#kitchen/channels.ts';
import { storeOrdersChannel } from '#ordering/channels.ts';
import { useChannel, useMembers } from '#realtime/web/use-channel.ts';

interface OrdersEvents {
  'order.placed': { order: Order };
  'order.updated': { order: Order };
  'print.updated': { print: Print };
}

/**
 * Keeps a store's orders up to date with its channel. A board that is switched on joins the store's boards. Returns how
 * many there are, or null while that is unknown.
 */
export function useLiveOrders(
  storeId: string,
  orders: StoreOrders,
  isOn: boolean,
  onReconnect: () => void,
): number | null {
  useChannel<OrdersEvents>(
    storeOrdersChannel(storeId),
    {
      'order.placed': ({ order }) => orders.learn(order),
      'order.updated': ({ order }) => orders.learn(order),
      'print.updated': ({ print }) => orders.learnPrint(print),
    },
    {
      onCaughtUp: () => {
        orders.refetch();
        onReconnect();
        void setClock();
      },
    },
  );
  return useMembers(isOn ? storeBoardsChannel(storeId) : null)?.length ?? null;
}
