import { type MouseEvent, useDeferredValue, useMemo } from 'react';
import { type Alarm, hasFailedPayment } from '#kitchen/board-alarms.ts';
import {
  type OrdersByStage,
  type BoardLayout,
  type BoardStage,
  boardStages,
  isCancelledTestOrder,
  type LaneShares,
  wasCancelledAfterAccept,
} from '#kitchen/board-layout.ts';
import { callsDelayedForUndo, stepOnTicketTap } from '#kitchen/board-steps.ts';
import type { QueuedAction } from '#kitchen/web/action-queue.ts';
import { useBoardControls } from '#kitchen/web/board/board-controls.ts';
import { useBoardSettings } from '#kitchen/web/board/use-board-settings.ts';
import classes from '#kitchen/web/board/board-columns.module.css';
import { ReadyLine } from '#kitchen/web/ticket/ready-line.tsx';
import { Ticket } from '#kitchen/web/ticket/ticket.tsx';
import { useColumnFit } from '#kitchen/web/board/use-column-fit.ts';
import type { FrozenRowHeights } from '#kitchen/web/board/use-frozen-layout.ts';
import { m } from '#messages';
import type { Order } from '#ordering/order.ts';

export interface TicketListData {
  layout: BoardLayout;
  shares: LaneShares;
  rows: FrozenRowHeights;
  orders: ReadonlyMap<string, Order>;
  columns: OrdersByStage;
  waiting: readonly QueuedAction[];
  unsent: readonly QueuedAction[];
  ringing: readonly Alarm[];
}

const emptyWords: Record<BoardStage, () => string> = {
  new: m.kitchen_board_empty_new,
  kitchen: m.kitchen_board_empty_kitchen,
  ready: m.kitchen_board_empty_ready,
  later: m.kitchen_board_empty_later,
  done: m.kitchen_board_empty_done,
  lost: m.kitchen_lost_none,
};

/** The number of tickets that render first: more than a column of a wall screen holds. */
const DRAWN_FIRST = 12;

export function TicketList({
  stage,
  layout,
  rows,
  orders,
  columns,
  waiting,
  unsent,
  ringing,
}: TicketListData & { stage: BoardStage }) {
  const stages = useMemo(
    () => new Map(boardStages.flatMap((each) => columns[each].map((order) => [order.id, each] as const))),
    [columns],
  );
  // The first tickets render at once, the others when the browser is idle.
  const isWhole = useDeferredValue(true, false);
  const places = layout[stage];
  const ids = useMemo(() => (isWhole ? places : places.slice(0, DRAWN_FIRST)), [isWhole, places]);
  const tickets = ids.flatMap((id) => orders.get(id) ?? []).filter((order) => !isCancelledTestOrder(order));
  const { column, onClickCapture } = useColumnFit(ids, rows[stage] !== undefined);
  const makeStep = useStepByTap(orders, stage);
  if (tickets.length === 0) {
    return (
      <div className={classes.empty}>
        <p>{emptyWords[stage]()}</p>
        {stage === 'new' && <p>{m.kitchen_board_quiet_hint()}</p>}
      </div>
    );
  }
  return (
    <div
      ref={column}
      className={classes.tickets}
      data-column={stage}
      data-held={rows[stage] !== undefined || undefined}
      style={{ gridTemplateRows: rows[stage] }}
      onClickCapture={(event) => {
        onClickCapture(event);
        // A prevented click was refused, because another ticket had just moved there.
        if (!event.defaultPrevented) makeStep?.(event);
      }}
    >
      {tickets.map((order) => {
        const action = waiting.findLast(({ orderId }) => orderId === order.id);
        const isUnsent = unsent.some(({ orderId }) => orderId === order.id);
        const isMoved = stages.get(order.id) !== stage;
        if (stage === 'ready' && !needsWholeTicket(order)) {
          const held = action && callsDelayedForUndo.has(action.call) && !isUnsent ? action : null;
          return <ReadyLine key={order.id} order={order} isMoved={isMoved} isUnsent={isUnsent} held={held} />;
        }
        return (
          <Ticket
            key={order.id}
            order={order}
            isMoved={isMoved}
            waiting={action}
            isUnsent={isUnsent}
            isRinging={ringing.some((alarm) => alarm.orderId === order.id)}
          />
        );
      })}
    </div>
  );
}

/** Makes the next step of a ticket that is tapped beside its buttons, if the board's setting `tap` says so. */
function useStepByTap(orders: TicketListData['orders'], stage: BoardStage) {
  const { tap } = useBoardSettings();
  const { ask } = useBoardControls();
  if (tap === 'nothing' || (stage !== 'kitchen' && stage !== 'ready')) return undefined;
  return ({ target }: MouseEvent) => {
    if (!(target instanceof Element) || target.closest('button, a, [role="menu"]')) return;
    const ticket = target.closest<HTMLElement>('[data-ticket]:not([data-moved])');
    const order = orders.get(ticket?.dataset['ticket'] ?? '');
    const call = order ? stepOnTicketTap(order) : null;
    if (order && call) ask(order, call);
  };
}

/**
 * Whether a ready order is shown as a whole ticket, because the one-line form would hide an alarm: a cancellation, or a
 * failed payment.
 */
function needsWholeTicket(order: Order): boolean {
  return wasCancelledAfterAccept(order) || hasFailedPayment(order);
}
