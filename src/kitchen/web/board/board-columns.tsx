import { Tabs } from '@mantine/core';
import { createElement, type CSSProperties, Suspense, useEffect, useLayoutEffect, useState } from 'react';
import {
  type BoardStage,
  boardLanes,
  laneColumnCounts,
  type LaneColumnCounts,
  type LaneShares,
} from '#kitchen/board-layout.ts';
import { useBoardControls } from '#kitchen/web/board/board-controls.ts';
import classes from '#kitchen/web/board/board-columns.module.css';
import { lazyPanels } from '#kitchen/web/board/board-panels.tsx';
import { type BoardSettings, useBoardSettings } from '#kitchen/web/board/use-board-settings.ts';
import { TicketList, type TicketListData } from '#kitchen/web/board/ticket-list.tsx';
import { m } from '#messages';

const stageWords: Record<BoardStage, () => string> = {
  new: m.kitchen_board_stage_new,
  kitchen: m.kitchen_board_stage_kitchen,
  ready: m.kitchen_board_stage_ready,
  later: m.kitchen_board_stage_later,
  done: m.kitchen_board_stage_done,
  lost: m.kitchen_lost_title,
};

/** The tabs on a phone; lost orders are shown below all tickets. */
const tabs = [...boardLanes, 'later', 'done'] as const satisfies readonly BoardStage[];

interface ColumnsProps {
  lists: TicketListData;
  isNarrow: boolean;
  wantedId: string | null;
  onShown: () => void;
}

export function BoardColumns({ lists, isNarrow, wantedId, onShown }: ColumnsProps) {
  const { columns, layout, shares, orders } = lists;
  const { openDetails } = useBoardControls();
  const [tab, setTab] = useState<BoardStage>('new');
  const wantedStage = wantedId === null ? undefined : tabs.find((stage) => layout[stage].includes(wantedId));
  if (wantedStage && wantedStage !== tab) setTab(wantedStage);
  useEffect(() => {
    if (wantedId === null) return;
    const ticket = document.querySelector(`[aria-labelledby="ticket-${CSS.escape(wantedId)}"]`);
    const order = orders.get(wantedId);
    ticket?.scrollIntoView({ block: 'center' });
    ticket?.querySelector<HTMLElement>('[data-step]')?.focus({ preventScroll: true });
    if (!ticket && order) openDetails(order);
    onShown();
  }, [wantedId, onShown, orders, openDetails]);
  const { lanes, columns: across } = useLaneColumns(shares);
  if (!isNarrow) {
    return (
      <div className={classes.lanes} ref={lanes}>
        {boardLanes.map((stage) => (
          <section
            key={stage}
            className={classes.lane}
            aria-labelledby={`lane-${stage}`}
            data-lane={stage}
            data-narrow={shares[stage] === 0 || undefined}
            data-wide={across[stage] > 1 || undefined}
            // The cast is safe: React's types lack CSS variables.
            style={{ '--columns': across[stage] } as CSSProperties}
          >
            <h2 id={`lane-${stage}`}>
              {stageWords[stage]()} <span className={classes.count}>{columns[stage].length}</span>
            </h2>
            <TicketList {...lists} stage={stage} />
          </section>
        ))}
      </div>
    );
  }
  return (
    <Tabs
      value={tab}
      onChange={(value) => setTab(tabs.find((stage) => stage === value) ?? 'new')}
      keepMounted={false}
      className={classes.tabs}
      variant="unstyled"
    >
      <Tabs.List aria-label={m.kitchen_board_title()} className={classes.tabList}>
        {tabs.map((stage) => (
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
      {tabs.map((stage) => (
        // The panel scrolls, and without `tabIndex` an empty list could not be reached by keyboard.
        <Tabs.Panel key={stage} value={stage} className={classes.tabPanel} tabIndex={0}>
          <h2 className="visually-hidden">{stageWords[stage]()}</h2>
          {stage === 'done' ? (
            <Suspense>{createElement(lazyPanels.doneList(), { orders: columns.done })}</Suspense>
          ) : (
            <TicketList {...lists} stage={stage} />
          )}
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

/** The minimum width of a ticket in em, by text size. */
const leastTicket: Record<BoardSettings['text'], number> = { small: 12.5, medium: 15.5, large: 11.5 };
/** The gap between tickets (px). */
const GAP = 6;

/** Measures the lanes' element, and divides the ticket columns that fit it among the lanes. */
function useLaneColumns(shares: LaneShares): {
  lanes: (element: HTMLDivElement | null) => void;
  columns: LaneColumnCounts;
} {
  const { text } = useBoardSettings();
  const [element, lanes] = useState<HTMLDivElement | null>(null);
  const [room, setRoom] = useState(1);
  const hasReady = shares.ready > 0;
  const strips = boardLanes.filter((stage) => shares[stage] === 0).length;
  useLayoutEffect(() => {
    if (!element) return undefined;
    const measure = (): void => {
      const em = Number.parseFloat(getComputedStyle(element).fontSize);
      // The width (px) of a `ReadyLine`, as its style sheet sets it.
      const line = hasReady ? 80 + 10 * em : 0;
      // The width (px) of the names, scroll bars and paddings of three lanes. An empty lane takes less.
      const beside = 138 - 12 * strips;
      setRoom(Math.floor((element.clientWidth - beside - line + GAP) / (leastTicket[text] * em + GAP)));
    };
    measure();
    const watch = new ResizeObserver(measure);
    watch.observe(element);
    return () => watch.disconnect();
  }, [element, text, hasReady, strips]);
  return { lanes, columns: laneColumnCounts(shares, room) };
}
