import { createElement, lazy, type ReactNode, Suspense, useCallback, useEffect, useMemo, useState } from 'react';
import { useMediaQuery } from '@mantine/hooks';
import { ordersAfterPendingActions } from '#kitchen/web/action-queue.ts';
import { BoardBanners } from '#kitchen/web/board/board-banners.tsx';
import { type BoardControls, BoardControlsContext } from '#kitchen/web/board/board-controls.ts';
import { BoardColumns } from '#kitchen/web/board/board-columns.tsx';
import { BoardPanels, type BoardPanel, type BoardListPanel } from '#kitchen/web/board/board-panels.tsx';
import { BoardToolbar } from '#kitchen/web/board/board-toolbar.tsx';
import classes from '#kitchen/web/board/board.module.css';
import { measureClockOffset, shopNow, useShopTime } from '#platform/web/clock.ts';
import { useShift } from '#kitchen/web/board/shift.ts';
import { type BoardActions, useBoardActions } from '#kitchen/web/use-board-actions.ts';
import { useAlarm } from '#kitchen/web/board/use-alarm.ts';
import { useBoardKeys } from '#kitchen/web/board/use-board-keys.ts';
import { useBoardConnection, useConnectionLostSince } from '#kitchen/web/board/use-board-connection.ts';
import { type StoreOrders, useStoreOrders } from '#kitchen/web/board/use-orders.ts';
import { useBoardSettings } from '#kitchen/web/board/use-board-settings.ts';
import { StationContext, type StationView, useStationView } from '#kitchen/web/board/use-station.ts';
import { useLivePrinting } from '#kitchen/web/use-printing.ts';
import { m } from '#messages';
import { useScreenLanguage } from '#platform/web/screen-language.ts';
import { lazyPart } from '#ui/web/lazy-part.ts';
import { notify } from '#ui/web/notify.ts';
import { OfficeLoadFailure } from '#ui/web/office/states.tsx';
import type { Store } from '#store/contract.ts';
import { Button } from '@mantine/core';
import { Banner, BannerStrip } from '#kitchen/web/board/banner-strip.tsx';
import keyLegendClasses from '#kitchen/web/board/key-legend.module.css';
import { alarmKey, stopConfirmationKey } from '#kitchen/board-alarms.ts';
import { boardStages, groupOrdersByStage, mustStopCooking, type TicketSort } from '#kitchen/board-layout.ts';
import { withoutDeadlinesWhileHeld } from '#kitchen/order-urgency.ts';
import { printReceipts } from '#kitchen/web/print-receipts.ts';
import { useFrozenLayout } from '#kitchen/web/board/use-frozen-layout.ts';
import type { OrderComplaint } from '#complaints/contract.ts';
import type { Order } from '#ordering/order.ts';
import columnClasses from '#kitchen/web/board/board-columns.module.css';
import toolbar from '#kitchen/web/board/board-toolbar.module.css';
import type { Print } from '#ordering/print.ts';
import { storeBoardsChannel } from '#kitchen/channels.ts';
import { storeOrdersChannelName } from '#ordering/channels.ts';
import { useChannel, usePresentMembers } from '#realtime/web/use-channel.ts';

const BoardPrinting = lazy(async () => ({
  default: (await import('#kitchen/web/board/board-printing.tsx')).BoardPrinting,
}));
const boardComplaints = lazyPart(
  async () => (await import('#kitchen/web/board/board-complaints.tsx')).BoardComplaints,
  () => null,
);
const LostOrders = lazy(async () => ({ default: (await import('#kitchen/web/board/lost-orders.tsx')).LostOrders }));

export type BoardPlacement = 'office' | 'wall';

export function OrderBoard({ store, face }: { store: Store; face: BoardPlacement }) {
  const shift = useShift();
  const { text, sort } = useBoardSettings();
  const orders = useStoreOrders(store);
  const line = useBoardConnection(store.id);
  const actions = useBoardActions(store.id, store.timezone, orders, line === 'dead');
  const boards = useOrderUpdatesAndPresence(store.id, orders, shift.isOn, actions.wake);

  const now = useShopTime(5);
  const { unsent, waiting } = actions;
  const known = useMemo(() => withoutDeadlinesWhileHeld(orders.orders, store), [orders.orders, store]);
  const shown = useMemo(() => ordersAfterPendingActions(known, waiting, now), [known, waiting, now]);
  const printing = useLivePrinting(store.id);
  const view = useStationView(shown);
  const lostSince = useConnectionLostSince(store.id, orders.query.dataUpdatedAt);
  const [openedAt] = useState(shopNow);
  const [complaints, setComplaints] = useState<OrderComplaint[]>([]);
  const alarm = useAlarm(store, view.orders, printing, lostSince, openedAt, complaints);
  const { acknowledge, isHeard } = alarm;
  const stopSeen = useCallback(
    (order: Order) => isHeard(stopConfirmationKey(order)) || !mustStopCooking(order, openedAt, openedAt),
    [isHeard, openedAt],
  );
  const { columns, layout, shares, rows, touch } = useColumns(view.orders, store, now, stopSeen, sort);
  const [panel, setPanel] = useState<BoardPanel | null>(null);
  const [wantedId, setWantedId] = useState<string | null>(null);
  const keys = useBoardKeys(face === 'wall', columns, layout);
  const isNarrow = useMediaQuery('(max-width: 47.99em)', undefined, { getInitialValueInEffect: false });

  const controls = useControls({ store, actions, acknowledge, showOrder: setWantedId, setPanel });
  useTitle(columns.new.length);
  if (orders.query.isPending) return <BoardSkeleton />;
  if (!orders.query.data) return <OfficeLoadFailure error={orders.query.error} onRetry={orders.refetch} />;
  const { ringing } = alarm;
  const lists = { layout, shares, rows, orders: shown, columns, waiting, unsent, ringing };
  return (
    <BoardParts controls={controls} station={view.station}>
      <section
        className={classes.board}
        aria-label={m.kitchen_board_title()}
        data-face={face}
        data-text={text}
        data-alarm={ringing.length > 0 ? 'ringing' : 'silent'}
        data-sound={shift.isOn ? shift.sound : 'off'}
        data-ready
        {...touch}
      >
        <BoardToolbar columns={columns} boards={boards} keys={keys} isNarrow={isNarrow} openPanel={setPanel} />
        <BoardColumns lists={lists} isNarrow={isNarrow} wantedId={wantedId} onShown={() => setWantedId(null)} />
        <div className={classes.bottom}>
          {keys.areOn && !isNarrow && <KeyLegend />}
          <BannerStrip>
            <BoardBanners alarm={alarm} unsent={unsent.length} query={orders.query} />
            <Suspense>{createElement(boardComplaints(), { onComplaints: setComplaints })}</Suspense>
            <Suspense fallback={null}>
              {layout.lost.length > 0 && <LostOrders lists={lists} />}
              {printing?.has_printer && <BoardPrinting printing={printing} orders={shown} />}
            </Suspense>
            <StationBanner view={view} />
          </BannerStrip>
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

function BoardParts(parts: { controls: BoardControls; station: string; children: ReactNode }) {
  return (
    <BoardControlsContext value={parts.controls}>
      <StationContext value={parts.station}>{parts.children}</StationContext>
    </BoardControlsContext>
  );
}

function StationBanner({ view: { station, others, showsAll, showAll } }: { view: StationView }) {
  if (station === '') return null;
  return (
    <Banner
      icon="board"
      buttons={
        <Button variant="default" size="compact-md" onClick={() => showAll(!showsAll)}>
          {showsAll ? m.kitchen_station_show_own({ station }) : m.kitchen_station_show_all()}
        </Button>
      }
    >
      {showsAll ? m.kitchen_station_all({ station }) : m.kitchen_station_own({ station, count: others })}
    </Banner>
  );
}

const legend: readonly (readonly [string, () => string])[] = [
  ['1…9', m.kitchen_board_keys_number],
  ['← → ↑ ↓', m.kitchen_board_keys_arrows],
  ['Enter', m.kitchen_board_keys_enter],
  ['+ −', m.kitchen_board_keys_minutes],
  ['R', m.kitchen_board_keys_reject],
  ['O', m.kitchen_board_keys_details],
  ['U', m.kitchen_board_keys_undo],
  ['S', m.kitchen_board_keys_silence],
];

function KeyLegend() {
  return (
    <footer className={keyLegendClasses.legend}>
      <h2 className="visually-hidden">{m.kitchen_board_keys_title()}</h2>
      <dl>
        {legend.map(([key, words]) => (
          <div key={key}>
            <dt>
              <kbd>{key}</kbd>
            </dt>
            <dd>{words()}</dd>
          </div>
        ))}
      </dl>
    </footer>
  );
}

/** Sorts the orders into columns at `now` (epoch ms); while a column is touched, its layout is frozen. */
function useColumns(
  shown: ReadonlyMap<string, Order>,
  store: Store,
  now: number,
  stopSeen: (order: Order) => boolean,
  sort: TicketSort,
) {
  const columns = useMemo(
    () => groupOrdersByStage(shown.values(), store, now, stopSeen, sort),
    [shown, store, now, stopSeen, sort],
  );
  const wanted = useMemo(
    () =>
      Object.fromEntries(boardStages.map((stage) => [stage, columns[stage].map(({ id }) => id)])) as Record<
        (typeof boardStages)[number],
        string[]
      >,
    [columns],
  );
  return { columns, ...useFrozenLayout(wanted) };
}

interface ControlParts {
  store: Store;
  actions: BoardActions;
  acknowledge: BoardControls['acknowledge'];
  showOrder: (id: string) => void;
  setPanel: (panel: BoardPanel | ((shown: BoardPanel | null) => BoardPanel)) => void;
}

/** The actions of tickets and panels. The object is stable while its dependencies are. */
function useControls({ store, actions, acknowledge, showOrder, setPanel }: ControlParts): BoardControls {
  const { ask, undo, takeBack } = actions;
  return useMemo<BoardControls>(
    () => ({
      store,
      ask: (order, call, input) => {
        // Answering or cancelling an order also acknowledges its alarm.
        acknowledge([
          alarmKey('new', order),
          ...(call === 'cancel' ? [alarmKey('stop', order), stopConfirmationKey(order)] : []),
        ]);
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

function useTitle(unanswered: number): void {
  useScreenLanguage();
  const title = unanswered > 0 ? m.kitchen_board_page_title({ count: unanswered }) : m.kitchen_board_title();
  useEffect(() => {
    document.title = title;
  }, [title]);
}

function listOf(panel: BoardPanel | null): BoardListPanel | null {
  return panel?.kind === 'history' || panel?.kind === 'done' || panel?.kind === 'later' ? panel.kind : null;
}

const lanes = [['a', 'b'], ['c', 'd', 'e'], ['f']];

/** The board's outline while it loads; hidden for the first 300 ms. */
function BoardSkeleton() {
  return (
    <div className={classes.board} data-late>
      <output className="visually-hidden">{m.platform_loading()}</output>
      <div className={toolbar.toolbar} aria-hidden="true">
        <div className={columnClasses.bone} data-part="tools" />
      </div>
      <div className={columnClasses.lanes} aria-hidden="true">
        {lanes.map((tickets) => (
          <div key={tickets.join()} className={columnClasses.lane}>
            <div className={columnClasses.bone} data-part="title" />
            {tickets.map((ticket) => (
              <div key={ticket} className={columnClasses.bone} data-part="ticket" />
            ))}
          </div>
        ))}
      </div>
    </div>
  );
}

interface OrdersEvents {
  'order.placed': { order: Order };
  'order.updated': { order: Order };
  'print.updated': { print: Print };
}

/**
 * Updates a store's orders by its channel. A board that is switched on joins the presence channel. Returns the number
 * of present boards; null while unknown.
 */
export function useOrderUpdatesAndPresence(
  storeId: string,
  orders: StoreOrders,
  isOn: boolean,
  onReconnect?: () => void,
): number | null {
  useEffect(() => void measureClockOffset(), []);
  useChannel<OrdersEvents>(
    storeOrdersChannelName(storeId),
    {
      'order.placed': ({ order }) => orders.learn(order),
      'order.updated': ({ order }) => orders.learn(order),
      'print.updated': ({ print }) => orders.mergePrint(print),
    },
    {
      onCaughtUp: () => {
        orders.refetch();
        onReconnect?.();
        void measureClockOffset();
      },
    },
  );
  return usePresentMembers(isOn ? storeBoardsChannel(storeId) : null)?.length ?? null;
}
