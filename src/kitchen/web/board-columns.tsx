import { Tabs } from '@mantine/core';
import { useEffect, useMemo, useState } from 'react';
import type { Alarm } from '#kitchen/board-alarms.ts';
import { type BoardColumns as Columns, type BoardStage, boardStages } from '#kitchen/board-columns.ts';
import type { BoardLayout } from '#kitchen/board-layout.ts';
import type { QueuedAction } from '#kitchen/web/action-queue.ts';
import { DoneList } from '#kitchen/web/done-list.tsx';
import classes from '#kitchen/web/board.module.css';
import { Ticket } from '#kitchen/web/ticket.tsx';
import { m } from '#messages';
import type { Order } from '#ordering/order.ts';

export const stageWords: Record<BoardStage, () => string> = {
  new: m.kitchen_board_stage_new,
  kitchen: m.kitchen_board_stage_kitchen,
  ready: m.kitchen_board_stage_ready,
  later: m.kitchen_board_stage_later,
  done: m.kitchen_board_stage_done,
};

const emptyWords: Record<BoardStage, () => string> = {
  new: m.kitchen_board_empty_new,
  kitchen: m.kitchen_board_empty_kitchen,
  ready: m.kitchen_board_empty_ready,
  later: m.kitchen_board_empty_later,
  done: m.kitchen_board_empty_done,
};

/** The stages that stand beside each other; the others open over them. */
const lanes = ['new', 'kitchen', 'ready'] as const satisfies readonly BoardStage[];

interface ColumnsProps {
  layout: BoardLayout;
  orders: ReadonlyMap<string, Order>;
  columns: Columns;
  waiting: readonly QueuedAction[];
  /** Those that wait for a connection. */
  unsent: readonly QueuedAction[];
  ringing: readonly Alarm[];
  isNarrow: boolean;
  /** A ticket to bring into sight. */
  wantedId: string | null;
  onShown: () => void;
}

/** The columns beside each other; on a phone one at a time, behind tabs. */
export function BoardColumns(props: ColumnsProps) {
  const { columns, layout, isNarrow, wantedId, onShown } = props;
  const [tab, setTab] = useState<BoardStage>('new');
  const wantedStage = wantedId === null ? undefined : boardStages.find((stage) => layout[stage].includes(wantedId));
  if (wantedStage && wantedStage !== tab) setTab(wantedStage);
  useEffect(() => {
    if (wantedId === null) return;
    const ticket = document.querySelector(`[aria-labelledby="ticket-${CSS.escape(wantedId)}"]`);
    ticket?.scrollIntoView({ block: 'center' });
    ticket?.querySelector<HTMLElement>('[data-step]')?.focus({ preventScroll: true });
    onShown();
  }, [wantedId, onShown]);
  if (!isNarrow) {
    return (
      <div className={classes.lanes}>
        {lanes.map((stage) => (
          <section key={stage} className={classes.lane} aria-labelledby={`lane-${stage}`}>
            <h2 id={`lane-${stage}`}>
              {stageWords[stage]()} <span className={classes.count}>{columns[stage].length}</span>
            </h2>
            <TicketList {...props} stage={stage} />
          </section>
        ))}
      </div>
    );
  }
  return (
    <Tabs
      value={tab}
      onChange={(value) => setTab(boardStages.find((stage) => stage === value) ?? 'new')}
      keepMounted={false}
      className={classes.tabs}
      variant="unstyled"
    >
      <Tabs.List aria-label={m.kitchen_board_title()} className={classes.tabList}>
        {boardStages.map((stage) => (
          <Tabs.Tab
            key={stage}
            value={stage}
            className={classes.tab}
            data-alert={(stage === 'new' && columns.new.length > 0) || undefined}
          >
            <span className={classes.tabWord}>{shortWords[stage]()}</span>
            <span className={classes.count}>{columns[stage].length}</span>
          </Tabs.Tab>
        ))}
      </Tabs.List>
      {boardStages.map((stage) => (
        <Tabs.Panel key={stage} value={stage} className={classes.tabPanel}>
          <h2 className="visually-hidden">{stageWords[stage]()}</h2>
          {stage === 'done' ? <DoneList orders={columns.done} /> : <TicketList {...props} stage={stage} />}
        </Tabs.Panel>
      ))}
    </Tabs>
  );
}

const shortWords: Record<BoardStage, () => string> = {
  ...stageWords,
  kitchen: m.kitchen_board_short_kitchen,
  ready: m.kitchen_board_short_ready,
};

export function TicketList({
  stage,
  layout,
  orders,
  columns,
  waiting,
  unsent,
  ringing,
}: Omit<ColumnsProps, 'isNarrow' | 'wantedId' | 'onShown'> & { stage: BoardStage }) {
  const stages = useMemo(
    () => new Map(boardStages.flatMap((each) => columns[each].map((order) => [order.id, each] as const))),
    [columns],
  );
  const tickets = layout[stage].flatMap((id) => orders.get(id) ?? []);
  if (tickets.length === 0) {
    return (
      <div className={classes.empty}>
        <p>{emptyWords[stage]()}</p>
        {stage === 'new' && <p>{m.kitchen_board_quiet_hint()}</p>}
      </div>
    );
  }
  return (
    <div className={classes.tickets} data-column={stage}>
      {tickets.map((order) => (
        <Ticket
          key={order.id}
          order={order}
          column={stage}
          stage={stages.get(order.id) ?? null}
          waiting={waiting.findLast((action) => action.orderId === order.id)}
          isUnsent={unsent.some((action) => action.orderId === order.id)}
          isRinging={ringing.some((alarm) => alarm.orderId === order.id)}
        />
      ))}
    </div>
  );
}
