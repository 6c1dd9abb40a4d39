import { Drawer } from '@mantine/core';
import { lazy, Suspense } from 'react';
import type { BoardColumns } from '#kitchen/board-columns.ts';
import { useBoardControls } from '#kitchen/web/board-controls.ts';
import { DoneList } from '#kitchen/web/done-list.tsx';
import { ReasonDialog } from '#kitchen/web/reason-dialog.tsx';
import classes from '#kitchen/web/panels.module.css';
import { Ticket } from '#kitchen/web/ticket.tsx';
import { m } from '#messages';
import type { Order } from '#ordering/order.ts';

/** What is open over the board. */
export type Panel =
  | { kind: 'later' | 'done' }
  | { kind: 'details' | 'receipts' | 'reject' | 'cancel'; orderId: string };

const OrderDetails = lazy(async () => ({ default: (await import('#kitchen/web/order-details.tsx')).OrderDetails }));
const Receipts = lazy(async () => ({ default: (await import('#kitchen/web/receipts.tsx')).Receipts }));

interface PanelsProps {
  panel: Panel | null;
  setPanel: (panel: Panel | null) => void;
  orders: ReadonlyMap<string, Order>;
  columns: BoardColumns;
}

/** Lists and details that open over the board, one at a time. */
export function BoardPanels({ panel, setPanel, orders, columns }: PanelsProps) {
  const { ask } = useBoardControls();
  const close = (): void => setPanel(null);
  const order = panel && 'orderId' in panel ? orders.get(panel.orderId) : undefined;
  return (
    <>
      <Side title={m.kitchen_board_stage_done()} isOpen={panel?.kind === 'done'} onClose={close}>
        <DoneList orders={columns.done} />
      </Side>
      <Side title={m.kitchen_board_stage_later()} isOpen={panel?.kind === 'later'} onClose={close}>
        <div className={classes.later}>
          {columns.later.length === 0 && <p className={classes.empty}>{m.kitchen_board_empty_later()}</p>}
          {columns.later.map((later) => (
            <Ticket
              key={later.id}
              order={later}
              column="later"
              stage="later"
              waiting={undefined}
              isUnsent={false}
              isRinging={false}
            />
          ))}
        </div>
      </Side>
      <Side
        title={order ? m.kitchen_board_ticket({ number: order.number }) : ''}
        isOpen={panel?.kind === 'details' && order !== undefined}
        onClose={close}
      >
        <Suspense>{order && <OrderDetails order={order} />}</Suspense>
      </Side>
      <Side
        title={order ? m.kitchen_board_receipts_title({ number: order.number }) : ''}
        isOpen={panel?.kind === 'receipts' && order !== undefined}
        onClose={close}
      >
        <Suspense>{order && <Receipts order={order} />}</Suspense>
      </Side>
      {order && (panel?.kind === 'reject' || panel?.kind === 'cancel') && (
        <ReasonDialog
          order={order}
          call={panel.kind}
          onClose={close}
          onReason={(reason) => {
            close();
            ask(order, panel.kind === 'reject' ? 'reject' : 'cancel', { reason });
          }}
        />
      )}
    </>
  );
}

interface SideProps {
  title: string;
  isOpen: boolean;
  onClose: () => void;
  children: React.ReactNode;
}

function Side({ title, isOpen, onClose, children }: SideProps) {
  return (
    <Drawer
      opened={isOpen}
      onClose={onClose}
      position="right"
      size="30rem"
      title={title}
      closeButtonProps={{ 'aria-label': m.platform_close() }}
      classNames={{ title: classes.title ?? '' }}
    >
      {children}
    </Drawer>
  );
}
