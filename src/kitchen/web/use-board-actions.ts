import { useEffect, useMemo, useState } from 'react';
import { useSession } from '#accounts/web/session.ts';
import { type BoardCallInput, callsDelayedForUndo, predictOrderAfter } from '#kitchen/board-steps.ts';
import {
  createActionQueue,
  fetchOrder,
  openActionStorage,
  type QueuedAction,
  sendAction,
  possiblyLostActions,
} from '#kitchen/web/action-queue.ts';
import { boardCallWords, actionDoneWords, actionRefusedWords } from '#kitchen/web/board-words.ts';
import { shopNow, useShopTimeValue } from '#platform/web/clock.ts';
import type { StoreOrders } from '#kitchen/web/board/use-orders.ts';
import { m } from '#messages';
import { dismissNotice, type Notice, notify } from '#ui/web/notify.ts';
import type { Order } from '#ordering/order.ts';
import { undoableCalls } from '#ordering/next-status.ts';
import type { StaffCall } from '#ordering/status-row.ts';

/** The delay of calls that no other call can revert (ms). */
const HOLD = 5000;

export interface BoardActions {
  /** The calls without a response, including delayed calls. */
  waiting: readonly QueuedAction[];
  unsent: readonly QueuedAction[];
  ask: (order: Order, call: StaffCall, input?: BoardCallInput) => void;
  undo: (order: Order) => void;
  takeBack: (action: QueuedAction) => void;
  wake: () => void;
}

/**
 * Makes the board's calls about orders. Each call is stored until it has a response. Calls that are not held back for
 * an undo are reported as done only after their response. While the server is silent (`isSilent`), waiting calls are
 * reported as not sent.
 */
export function useBoardActions(
  storeId: string,
  timeZone: string,
  orders: StoreOrders,
  isSilent: boolean,
): BoardActions {
  const userId = useSession().user?.id ?? '';
  const [waiting, setWaiting] = useState<readonly QueuedAction[]>([]);
  const { learn, refetch } = orders;
  const queue = useMemo(
    () =>
      createActionQueue({
        send: sendAction,
        now: shopNow,
        kept: openActionStorage(userId, storeId),
        onChange: setWaiting,
        onDone: (action, order) => {
          sayDone(action, timeZone);
          learn(order);
        },
        onRefused: (action, error, dropped) => {
          for (const { id } of [action, ...dropped]) notices.delete(id);
          void explainRefusal(action, error, { learn, refetch });
        },
      }),
    [userId, storeId, learn, refetch, timeZone],
  );

  useEffect(() => {
    queue.start();
    return queue.stop;
  }, [queue]);

  const calls = useMemo(() => {
    const takeBack = (action: QueuedAction): void => {
      if (queue.takeBack(action.id))
        notify({ id: action.orderId, text: m.kitchen_board_taken_back({ number: action.number }) });
    };
    const undo = (order: Order): void => {
      dismissNotice(order.id);
      queue.ask(order, 'undo');
    };
    const ask = (order: Order, call: StaffCall, input: BoardCallInput = {}): void => {
      const action = queue.ask(order, call, input, callsDelayedForUndo.has(call) ? HOLD : 0);
      const undoStep = (): void => {
        // A queued action is removed from the queue; a sent action is reverted by another call.
        if (!queue.takeBack(action.id)) queue.ask(predictOrderAfter(order, call, input, shopNow()), 'undo');
      };
      const run = callsDelayedForUndo.has(call) ? () => takeBack(action) : undoableCalls.has(call) ? undoStep : null;
      // A follow-up and a tick need no notice, because the order shows both, each with a button that reverts it.
      if (call === 'followed-up' || call === 'lines/done') return;
      const button = run && { action: { label: m.platform_undo(), run } };
      notices.set(action.id, { ...button, isKept: false });
      if (callsDelayedForUndo.has(call)) notify({ id: order.id, text: actionDoneWords(action, timeZone), ...button });
    };
    return { ask, undo, takeBack, wake: queue.wake };
  }, [queue, timeZone]);

  const unsentIds = useShopTimeValue((now) =>
    possiblyLostActions(waiting, now, isSilent)
      .map(({ id }) => id)
      .join(),
  );
  const unsent = useMemo(() => waiting.filter(({ id }) => unsentIds.split(',').includes(id)), [waiting, unsentIds]);
  useEffect(() => unsent.forEach(sayKept), [unsent]);
  return { waiting, unsent, ...calls };
}

/** The notices of pending actions by action id. `isKept`: the notice says that the action waits for a connection. */
const notices = new Map<string, Pick<Notice, 'action'> & { isKept: boolean }>();

function sayKept({ id, orderId, number, call }: QueuedAction): void {
  const notice = notices.get(id);
  if (!notice || notice.isKept) return;
  const { action } = notice;
  notices.set(id, { ...notice, isKept: true });
  notify({
    id: orderId,
    text: m.kitchen_board_kept({ number, call: boardCallWords[call]() }),
    ...(action && { action }),
  });
}

/**
 * Reports an action as done. A delayed action was reported when its delay began, so only its notice about waiting is
 * removed.
 */
function sayDone(done: QueuedAction, timeZone: string): void {
  const notice = notices.get(done.id);
  notices.delete(done.id);
  if (!notice) return;
  const { action, isKept } = notice;
  if (!callsDelayedForUndo.has(done.call))
    notify({ id: done.orderId, text: actionDoneWords(done, timeZone), ...(action && { action }) });
  else if (isKept) dismissNotice(done.orderId);
}

/**
 * Reports that an action was refused, for example because a colleague was faster, and shows the order's current status.
 */
async function explainRefusal(
  action: QueuedAction,
  error: unknown,
  { learn, refetch }: Pick<StoreOrders, 'learn' | 'refetch'>,
): Promise<void> {
  const order = await fetchOrder(action.orderId).catch(() => null);
  if (order) learn(order);
  else refetch();
  notify({ id: action.orderId, text: actionRefusedWords(action, error, order), tone: 'bad' });
}
