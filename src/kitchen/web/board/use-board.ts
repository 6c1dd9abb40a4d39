import { useEffect, useMemo } from 'react';
import { alarmKey, seenKey } from '#kitchen/board-alarms.ts';
import { boardStages, groupOrders } from '#kitchen/board-columns.ts';
import type { BoardControls } from '#kitchen/web/board/board-controls.ts';
import type { Panel, PanelList } from '#kitchen/web/board/board-panels.tsx';
import { printReceipts } from '#kitchen/web/print-receipts.ts';
import type { BoardActions } from '#kitchen/web/use-actions.ts';
import { useHeldLayout } from '#kitchen/web/board/use-held-layout.ts';
import { m } from '#messages';
import type { Order } from '#ordering/order.ts';
import type { Store } from '#store/contract.ts';

/** The orders in their columns at `now` (epoch ms), and the layout, which a touch holds still. */
export function useColumns(
  shown: ReadonlyMap<string, Order>,
  store: Store,
  now: number,
  isHeard: (key: string) => boolean,
) {
  const columns = useMemo(
    () => groupOrders(shown.values(), store, now, (order) => isHeard(seenKey(order))),
    [shown, store, now, isHeard],
  );
  const wanted = useMemo(
    () =>
      Object.fromEntries(boardStages.map((stage) => [stage, columns[stage].map(({ id }) => id)])) as Record<
        (typeof boardStages)[number],
        string[]
      >,
    [columns],
  );
  return { columns, ...useHeldLayout(wanted) };
}

interface ControlParts {
  store: Store;
  actions: BoardActions;
  acknowledge: BoardControls['acknowledge'];
  showOrder: (id: string) => void;
  setPanel: (panel: Panel | ((shown: Panel | null) => Panel)) => void;
}

/** What tickets and panels can do; the same object until something that it uses changes. */
export function useControls({ store, actions, acknowledge, showOrder, setPanel }: ControlParts): BoardControls {
  const { ask, undo, takeBack } = actions;
  return useMemo<BoardControls>(
    () => ({
      store,
      ask: (order, call, input) => {
        // Answering an order also acknowledges its alarm; cancelling does too.
        acknowledge([alarmKey('new', order), ...(call === 'cancel' ? [alarmKey('stop', order), seenKey(order)] : [])]);
        ask(order, call, input);
      },
      undo,
      takeBack,
      acknowledge,
      showOrder,
      openDetails: (order) => setPanel((shown) => ({ kind: 'details', orderId: order.id, order, from: listOf(shown) })),
      openReceipts: (order) => setPanel({ kind: 'receipts', orderId: order.id }),
      askReason: (order, call) => setPanel({ kind: call, orderId: order.id }),
      askPaid: (order, call) => setPanel({ kind: 'paid', orderId: order.id, call }),
      askTakeOff: (order) => setPanel({ kind: 'take-off', orderId: order.id }),
      print: (order, choice) => void printReceipts(order, choice),
    }),
    [store, ask, undo, takeBack, acknowledge, showOrder, setPanel],
  );
}

/** The page's title says how many orders wait for an answer. */
export function useTitle(unanswered: number): void {
  useEffect(() => {
    document.title = unanswered > 0 ? m.kitchen_board_page_title({ count: unanswered }) : m.kitchen_board_title();
  }, [unanswered]);
}

function listOf(panel: Panel | null): PanelList | null {
  return panel?.kind === 'history' || panel?.kind === 'done' || panel?.kind === 'later' ? panel.kind : null;
}
