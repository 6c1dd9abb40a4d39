import { lazy, type ReactNode, Suspense, useEffect, useMemo, useState } from 'react';
import { useMediaQuery } from '@mantine/hooks';
import { withPending } from '#kitchen/web/action-queue.ts';
import { BoardBanners } from '#kitchen/web/board/board-banners.tsx';
import { type BoardControls, BoardControlsContext } from '#kitchen/web/board/board-controls.ts';
import { BoardColumns } from '#kitchen/web/board/board-columns.tsx';
import { BoardPanels, type Panel } from '#kitchen/web/board/board-panels.tsx';
import { BoardSkeleton } from '#kitchen/web/board/board-skeleton.tsx';
import { BoardToolbar } from '#kitchen/web/board/board-toolbar.tsx';
import classes from '#kitchen/web/board/board.module.css';
import { KeyLegend } from '#kitchen/web/board/key-legend.tsx';
import { setClock, useShopTime } from '#platform/web/clock.ts';
import { useShift } from '#kitchen/web/board/shift.ts';
import { useActions } from '#kitchen/web/use-actions.ts';
import { useAlarm } from '#kitchen/web/board/use-alarm.ts';
import { useBoardKeys } from '#kitchen/web/board/use-board-keys.ts';
import { useColumns, useControls, useTitle } from '#kitchen/web/board/use-board.ts';
import { useLine, useLostSince } from '#kitchen/web/board/use-line.ts';
import { useLiveOrders } from '#kitchen/web/board/use-live-orders.ts';
import { useOrders } from '#kitchen/web/board/use-orders.ts';
import { StationBanner } from '#kitchen/web/board/station-banner.tsx';
import { StationContext, useStationView } from '#kitchen/web/board/use-station.ts';
import { useLivePrinting } from '#kitchen/web/use-printing.ts';
import { m } from '#messages';
import { notify } from '#ui/web/notify.ts';
import { Trouble } from '#ui/web/office/states.tsx';
import type { Store } from '#store/contract.ts';

const BoardPrinting = lazy(async () => ({
  default: (await import('#kitchen/web/board/board-printing.tsx')).BoardPrinting,
}));
const LostOrders = lazy(async () => ({ default: (await import('#kitchen/web/board/lost-orders.tsx')).LostOrders }));

export type BoardFace = 'office' | 'wall';

/** The orders of one store, in columns from new to done. */
export function OrderBoard({ store, face }: { store: Store; face: BoardFace }) {
  const shift = useShift();
  const orders = useOrders(store);
  const line = useLine(store.id);
  const actions = useActions(store.id, store.timezone, orders, line === 'dead');
  const boards = useLiveOrders(store.id, orders, shift.isOn, actions.wake);
  useEffect(() => void setClock(), []);

  const now = useShopTime(5);
  const shown = useMemo(() => withPending(orders.orders, actions.waiting, now), [orders.orders, actions.waiting, now]);
  const { unsent } = actions;
  const printing = useLivePrinting(store.id);
  const view = useStationView(shown);
  const lostSince = useLostSince(store.id, orders.query.dataUpdatedAt);
  const alarm = useAlarm(store, view.orders, printing, lostSince);
  const { acknowledge, isHeard } = alarm;
  const { columns, layout, shares, rows, touch } = useColumns(view.orders, store, now, isHeard);
  const [panel, setPanel] = useState<Panel | null>(null);
  const [wantedId, setWantedId] = useState<string | null>(null);
  const keys = useBoardKeys(face === 'wall', columns, layout);
  const isNarrow = useMediaQuery('(max-width: 47.99em)', undefined, { getInitialValueInEffect: false });

  const controls = useControls({ store, actions, acknowledge, showOrder: setWantedId, setPanel });
  useTitle(columns.new.length);
  if (orders.query.isPending) return <BoardSkeleton />;
  if (!orders.query.data) return <Trouble error={orders.query.error} onRetry={orders.refetch} />;
  const lists = {
    layout,
    shares,
    rows,
    orders: shown,
    columns,
    waiting: actions.waiting,
    unsent,
    ringing: alarm.ringing,
  };
  return (
    <BoardParts controls={controls} station={view.station}>
      <section
        className={classes.board}
        aria-label={m.kitchen_board_title()}
        data-face={face}
        data-alarm={alarm.ringing.length > 0 ? 'ringing' : 'silent'}
        data-sound={shift.isOn ? shift.sound : 'off'}
        data-ready
        {...touch}
      >
        <BoardToolbar columns={columns} boards={boards} keys={keys} isNarrow={isNarrow} openPanel={setPanel} />
        <BoardColumns lists={lists} isNarrow={isNarrow} wantedId={wantedId} onShown={() => setWantedId(null)} />
        <div className={classes.bottom}>
          {keys.areOn && !isNarrow && <KeyLegend />}
          <Suspense fallback={null}>
            {layout.lost.length > 0 && <LostOrders lists={lists} />}
            {printing?.has_printer && <BoardPrinting printing={printing} orders={shown} />}
          </Suspense>
          <StationBanner view={view} />
          <BoardBanners alarm={alarm} unsent={unsent.length} query={orders.query} />
        </div>
        <BoardPanels
          panel={panel}
          setPanel={setPanel}
          lists={lists}
          onPlaced={(order) => {
            orders.learn(order);
            notify({ id: order.id, text: m.kitchen_till_placed({ number: order.number }) });
          }}
        />
      </section>
    </BoardParts>
  );
}

/** What the tickets of the board use. */
function BoardParts(parts: { controls: BoardControls; station: string; children: ReactNode }) {
  return (
    <BoardControlsContext value={parts.controls}>
      <StationContext value={parts.station}>{parts.children}</StationContext>
    </BoardControlsContext>
  );
}
