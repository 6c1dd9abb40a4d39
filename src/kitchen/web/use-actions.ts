import { useEffect, useMemo, useState } from 'react';
import { useSession } from '#accounts/web/session.ts';
import { type CallInput, predict } from '#kitchen/board-steps.ts';
import { createActionQueue, type QueuedAction } from '#kitchen/web/action-queue.ts';
import { fetchOrder, sendAction } from '#kitchen/web/board-calls.ts';
import { callWords, doneWords, refusedWords } from '#kitchen/web/board-words.ts';
import { keepActions } from '#kitchen/web/kept-actions.ts';
import { shopNow } from '#kitchen/web/shop-clock.ts';
import type { StoreOrders } from '#kitchen/web/use-orders.ts';
import { m } from '#messages';
import { dismissNotice, type Notice, notify } from '#office/web/notices.tsx';
import type { Order } from '#ordering/order.ts';
import type { OrderCall } from '#ordering/order-status.ts';

/** What cannot be undone on the server can be taken back for this long before it is sent. */
const HOLD = 5000;
const held: ReadonlySet<OrderCall> = new Set(['reject', 'cancel', 'followed-up']);
const undoable: ReadonlySet<OrderCall> = new Set([
  'packed',
  'collected-by-driver',
  'collected-by-customer',
  'delivered-to-customer',
]);

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
  const { learn, refetch } = orders;
  const kept = useMemo(() => keepActions(userId, storeId), [userId, storeId]);
  const queue = useMemo(
    () =>
      createActionQueue({
        send: sendAction,
        now: shopNow,
        onChange: (actions) => {
          kept.keep(actions);
          setWaiting(actions);
          // No answer came: what the notice said is not so yet.
          for (const action of actions) if (action.attempts > 0) sayKept(action);
        },
        onDone: ({ id }, order) => {
          notices.delete(id);
          learn(order);
        },
        onRefused: (action, error) => void explainRefusal(action, error, { learn, refetch }),
      }),
    [kept, learn, refetch],
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

  const calls = useMemo(() => {
    const takeBack = (action: QueuedAction): void => {
      if (queue.takeBack(action.id))
        notify({ id: action.orderId, text: m.kitchen_board_taken_back({ number: action.number }) });
    };
    const undo = (order: Order): void => {
      dismissNotice(order.id);
      queue.ask(order, 'undo');
    };
    const ask = (order: Order, call: OrderCall, input: CallInput = {}): void => {
      const action = queue.ask(order, call, input, held.has(call) ? HOLD : 0);
      const undoStep = (): void => {
        // Before it was sent there is nothing on the server to undo.
        if (!queue.takeBack(action.id)) queue.ask(predict(order, call, input, shopNow()), 'undo');
      };
      const run = held.has(call) ? () => takeBack(action) : undoable.has(call) ? undoStep : null;
      // Its row says so itself, with the way back.
      if (call === 'followed-up') return;
      const button = run && { action: { label: m.platform_undo(), run } };
      notices.set(action.id, button?.action);
      if (navigator.onLine) notify({ id: order.id, text: doneWords(action, timeZone), ...button });
      else sayKept(action);
    };
    return { ask, undo, takeBack, wake: queue.wake };
  }, [queue, timeZone]);
  return { waiting, ...calls };
}

/** What the notice of an action that was not answered yet offers. */
const notices = new Map<string, Notice['action']>();

/** Says once of an action that it waits for the connection. */
function sayKept({ id, orderId, number, call }: QueuedAction): void {
  if (!notices.has(id)) return;
  const action = notices.get(id);
  notices.delete(id);
  notify({ id: orderId, text: m.kitchen_board_kept({ number, call: callWords[call]() }), ...(action && { action }) });
}

/** Somebody else was quicker, or the rules forbid it: says so, and shows the order as it is. */
async function explainRefusal(
  action: QueuedAction,
  error: unknown,
  { learn, refetch }: Pick<StoreOrders, 'learn' | 'refetch'>,
): Promise<void> {
  const order = await fetchOrder(action.orderId).catch(() => null);
  if (order) learn(order);
  else refetch();
  notify({ id: action.orderId, text: refusedWords(action, error, order), tone: 'bad' });
}
