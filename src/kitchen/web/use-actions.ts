import { useEffect, useMemo, useRef, useState } from 'react';
import { useSession } from '#accounts/web/session.ts';
import type { CallInput } from '#kitchen/board-steps.ts';
import { createActionQueue, type QueuedAction } from '#kitchen/web/action-queue.ts';
import { fetchOrder, sendAction } from '#kitchen/web/board-calls.ts';
import { refusedWords, doneWords } from '#kitchen/web/board-words.ts';
import { keepActions } from '#kitchen/web/kept-actions.ts';
import { shopNow } from '#kitchen/web/shop-clock.ts';
import type { StoreOrders } from '#kitchen/web/use-orders.ts';
import { m } from '#messages';
import { dismissNotice, notify } from '#office/web/notices.tsx';
import type { Order } from '#ordering/order.ts';
import type { OrderCall } from '#ordering/order-status.ts';

/** A reject or a cancel can be taken back for this long before it is sent. */
const HOLD = 5000;
const held: readonly OrderCall[] = ['reject', 'cancel'];
const undoable: readonly OrderCall[] = ['packed', 'collected-by-driver', 'collected-by-customer', 'delivered-to-customer'];

export interface BoardActions {
  /** What was asked for and is not answered yet, held rejects included. */
  waiting: readonly QueuedAction[];
  ask: (order: Order, call: OrderCall, input?: CallInput) => void;
  /** Takes back the order's last step: before it is sent, or with an undo. */
  undo: (order: Order) => void;
  takeBack: (action: QueuedAction) => void;
  wake: () => void;
}

/** Everything the board asks the server to do with orders, kept until it is answered. */
export function useActions(storeId: string, timeZone: string, orders: StoreOrders): BoardActions {
  const userId = useSession().user?.id ?? '';
  const [waiting, setWaiting] = useState<readonly QueuedAction[]>([]);
  const latest = useRef(orders);
  latest.current = orders;
  const kept = useMemo(() => keepActions(userId, storeId), [userId, storeId]);
  const queue = useMemo(
    () =>
      createActionQueue({
        send: sendAction,
        now: shopNow,
        onChange: (actions) => {
          kept.keep(actions);
          setWaiting(actions);
        },
        onDone: (_action, order) => latest.current.learnOrder(order),
        onRefused: (action, error) => void explainRefusal(action, error, latest.current),
      }),
    [kept],
  );

  useEffect(() => {
    const left = kept.readOwn();
    if (left.length > 0) queue.adopt(left);
    void kept.takeOver(shopNow()).then((actions) => actions.length > 0 && queue.adopt(actions));
    addEventListener('online', queue.wake);
    return () => {
      removeEventListener('online', queue.wake);
      queue.stop();
    };
  }, [kept, queue]);

  return useMemo(() => {
    const takeBack = (action: QueuedAction): void => {
      if (queue.takeBack(action.id)) notify({ id: action.orderId, text: m.kitchen_board_taken_back({ number: action.number }) });
    };
    const undo = (order: Order): void => {
      dismissNotice(order.id);
      queue.ask(order, 'undo');
    };
    const ask = (order: Order, call: OrderCall, input: CallInput = {}): void => {
      const action = queue.ask(order, call, input, held.includes(call) ? HOLD : 0);
      const text = doneWords(action, timeZone);
      if (held.includes(call)) {
        notify({ id: order.id, text, action: { label: m.platform_undo(), run: () => takeBack(action) } });
      } else if (undoable.includes(call)) {
        const run = (): void => {
          // Before it was sent there is nothing on the server to undo.
          if (!queue.takeBack(action.id)) queue.ask({ ...order, status: afterOf(order, latest.current) }, 'undo');
        };
        notify({ id: order.id, text, action: { label: m.platform_undo(), run } });
      } else {
        notify({ id: order.id, text });
      }
    };
    return { waiting, ask, undo, takeBack, wake: queue.wake };
  }, [queue, timeZone, waiting]);
}

function afterOf(order: Order, orders: StoreOrders): Order['status'] {
  return orders.orders.get(order.id)?.status ?? order.status;
}

/** Somebody else was quicker, or the rules forbid it: says so, and shows the order as it is. */
async function explainRefusal(action: QueuedAction, error: unknown, orders: StoreOrders): Promise<void> {
  const order = await fetchOrder(action.orderId).catch(() => null);
  if (order) orders.learnOrder(order);
  else orders.refetch();
  notify({ id: action.orderId, text: refusedWords(action, error, order), tone: 'bad' });
}
