import { type ComponentType, createElement, Suspense, useEffect } from 'react';
import { TicketList, type TicketListData } from '#kitchen/web/board/ticket-list.tsx';
import { useBoardControls } from '#kitchen/web/board/board-controls.ts';
import classes from '#kitchen/web/board/panels.module.css';
import { m } from '#messages';
import { fetchOrder } from '#kitchen/web/action-queue.ts';
import { useOneTimeParam } from '#ui/web/office/use-one-time-param.ts';
import { notify } from '#ui/web/notify.ts';
import { refusalWords } from '#ui/web/office/refusal-words.ts';
import { runWhenIdle } from '#platform/web/when-idle.ts';
import { Dialog, SideSheet } from '#ui/web/office/dialogs.tsx';
import type { Order } from '#ordering/order.ts';
import type { StaffCall } from '#ordering/status-row.ts';
import { lazyPart } from '#ui/web/lazy-part.ts';
import { PartLoadFailure } from '#ui/web/office/states.tsx';

export type BoardPanel =
  | { kind: BoardListPanel | 'new-order' | 'sold-out' | 'settings' | 'counts' }
  | { kind: 'receipts' | 'reject' | 'cancel' | 'take-off'; orderId: string }
  | { kind: 'paid'; orderId: string; call: StaffCall }
  /**
   * `order` is given because the board may not have loaded it. `from`: the list that the panel returns to; null: none.
   */
  | { kind: 'details'; orderId: string; order: Order; from: BoardListPanel | null };
export type BoardListPanel = 'later' | 'done' | 'history';

interface PanelsProps {
  panel: BoardPanel | null;
  setPanel: (panel: BoardPanel | null) => void;
  lists: TicketListData;
  onPlaced: (order: Order) => void;
}

export function BoardPanels({ panel, setPanel, lists, onPlaced }: PanelsProps) {
  const { store } = useBoardControls();
  useEffect(() => runWhenIdle(loadPanels), []);
  useOrderOfAddress();
  const close = (): void => setPanel(panel?.kind === 'details' && panel.from ? { kind: panel.from } : null);
  const kind = panel?.kind;
  const order = orderOf(panel, lists);
  return (
    <>
      <BoardSheet title={m.kitchen_board_stage_done()} isOpen={kind === 'done'} onClose={close}>
        {createElement(lazyPanels.doneList(), { orders: lists.columns.done })}
      </BoardSheet>
      <BoardSheet title={m.kitchen_board_stage_later()} isOpen={kind === 'later'} onClose={close}>
        <TicketList {...lists} stage="later" />
      </BoardSheet>
      <BoardSheet
        title={order ? m.kitchen_board_ticket({ number: order.number }) : ''}
        isOpen={kind === 'details' && order !== undefined}
        onClose={close}
      >
        {order && createElement(lazyPanels.orderDetails(), { order })}
      </BoardSheet>
      <BoardSheet
        title={order ? m.kitchen_board_receipts_title({ number: order.number }) : ''}
        isOpen={kind === 'receipts' && order !== undefined}
        onClose={close}
      >
        {order && createElement(lazyPanels.receipts(), { order })}
      </BoardSheet>
      <BoardSheet title={m.kitchen_stock_title()} isOpen={kind === 'sold-out'} onClose={close}>
        {createElement(lazyPanels.soldOut())}
      </BoardSheet>
      <BoardSheet title={m.kitchen_counts_title()} isOpen={kind === 'counts'} onClose={close}>
        {createElement(lazyPanels.counts(), { orders: [...lists.columns.kitchen, ...lists.columns.new] })}
      </BoardSheet>
      <BoardSheet title={m.kitchen_settings_title()} isOpen={kind === 'settings'} onClose={close}>
        {createElement(lazyPanels.settings())}
      </BoardSheet>
      <BoardSheet title={m.kitchen_history_title()} isOpen={kind === 'history'} onClose={close}>
        {createElement(lazyPanels.orderHistory())}
      </BoardSheet>
      <Suspense>
        {kind === 'new-order' && createElement(lazyPanels.newOrder(), { store, onClose: close, onPlaced })}
        {order && panel && <OrderDialog panel={panel} order={order} onClose={close} />}
      </Suspense>
    </>
  );
}

/** Opens the order that the page's address names, e.g. from the office's search. */
function useOrderOfAddress(): void {
  const { openDetails } = useBoardControls();
  const id = useOneTimeParam('order');
  useEffect(() => {
    if (id === null) return;
    fetchOrder(id).then(
      (order) => order && openDetails(order),
      (error: unknown) => notify({ text: refusalWords(error), tone: 'bad' }),
    );
  }, [id, openDetails]);
}

function orderOf(panel: BoardPanel | null, { orders }: TicketListData): Order | undefined {
  const known = panel && 'orderId' in panel ? orders.get(panel.orderId) : undefined;
  return known ?? (panel?.kind === 'details' ? panel.order : undefined);
}

/** The dialog for the input that an order's step needs, such as a reason or a payment method. */
function OrderDialog({ panel, order, onClose }: { panel: BoardPanel; order: Order; onClose: () => void }) {
  const { ask } = useBoardControls();
  const send: typeof ask = (...call) => {
    onClose();
    ask(...call);
  };
  switch (panel.kind) {
    case 'take-off':
      return createElement(lazyPanels.takeOff(), {
        order,
        onClose,
        onTakeOff: (input) => send(order, 'lines/remove', input),
      });
    case 'paid':
      return createElement(lazyPanels.paid(), {
        order,
        onClose,
        onPaid: (paidBy) => send(order, panel.call, { paidBy }),
      });
    case 'reject':
    case 'cancel':
      return createElement(lazyPanels.reason(), {
        order,
        call: panel.kind,
        onClose,
        onReason: (reason) => send(order, panel.kind === 'reject' ? 'reject' : 'cancel', { reason }),
      });
    default:
      return null;
  }
}

interface SideProps {
  title: string;
  isOpen: boolean;
  onClose: () => void;
  children: React.ReactNode;
}

export function BoardSheet({ title, isOpen, onClose, children }: SideProps) {
  return (
    <SideSheet
      opened={isOpen}
      onClose={onClose}
      position="right"
      size="30rem"
      title={title}
      classNames={{ title: classes.title ?? '' }}
    >
      <Suspense>{children}</Suspense>
    </SideSheet>
  );
}

const loads: (() => Promise<unknown>)[] = [];

function panel<P extends object>(load: () => Promise<ComponentType<P>>, missing: ComponentType<P>) {
  loads.push(load);
  return lazyPart(load, missing);
}

/** The panels, which are loaded after the board's first view. */
export const lazyPanels = {
  doneList: panel(async () => (await import('#kitchen/web/ticket/done-list.tsx')).DoneList, PartLoadFailure),
  orderDetails: panel(async () => (await import('#kitchen/web/order/order-details.tsx')).OrderDetails, PartLoadFailure),
  receipts: panel(async () => (await import('#kitchen/web/order/receipts.tsx')).OrderReceipts, PartLoadFailure),
  soldOut: panel(async () => (await import('#kitchen/web/board/sold-out.tsx')).SoldOutPanel, PartLoadFailure),
  settings: panel(
    async () => (await import('#kitchen/web/board/board-sheets.tsx')).BoardSettingsPanel,
    PartLoadFailure,
  ),
  counts: panel(async () => (await import('#kitchen/web/board/board-sheets.tsx')).DishCounts, PartLoadFailure),
  orderHistory: panel(async () => (await import('#kitchen/web/order/order-history.tsx')).OrderHistory, PartLoadFailure),
  newOrder: panel(async () => (await import('#kitchen/web/till/new-order.tsx')).NewOrderDialog, DialogLoadFailure),
  takeOff: panel(
    async () => (await import('#kitchen/web/order/remove-dishes-dialog.tsx')).RemoveDishesDialog,
    DialogLoadFailure,
  ),
  reason: panel(async () => (await import('#kitchen/web/order/reason-dialog.tsx')).ReasonDialog, DialogLoadFailure),
  paid: panel(
    async () => (await import('#kitchen/web/order/handover-payment-dialog.tsx')).HandoverPaymentDialog,
    DialogLoadFailure,
  ),
};

/**
 * Loads all panels, so that they open without a connection. Also loads the style sheet of the fonts for non-Latin
 * writing.
 */
function loadPanels(): void {
  import('#platform/web/fonts/receipt-scripts.css').catch(() => undefined);
  for (const load of loads) load().catch(() => undefined);
}

export function DialogLoadFailure({ onClose }: { onClose: () => void }) {
  return (
    <Dialog opened onClose={onClose} title={m.platform_trouble_title()}>
      <PartLoadFailure />
    </Dialog>
  );
}
