import { useBoardControls } from '#kitchen/web/board/board-controls.ts';
import classes from '#kitchen/web/board/panels.module.css';
import { TicketButton } from '#kitchen/web/ticket/ticket-head.tsx';
import { m } from '#messages';
import type { Order, PaidBy } from '#ordering/order.ts';
import { formatMoney } from '#platform/money.ts';
import { Dialog } from '#ui/web/office/dialogs.tsx';

interface DialogProps {
  order: Order;
  onPaid: (paidBy: PaidBy) => void;
  onClose: () => void;
}

/** Asks how an order was paid at its handover. The button of the order's own payment method has the focus. */
export function HandoverPaymentDialog({ order, onPaid, onClose }: DialogProps) {
  const { store } = useBoardControls();
  const likely = order.payment_method === 'cash' ? 'cash' : 'terminal';
  const button = (paidBy: PaidBy, words: string) => (
    <TicketButton
      look={paidBy === 'not_paid' ? 'plain' : 'yes'}
      data-autofocus={paidBy === likely || undefined}
      onClick={() => onPaid(paidBy)}
    >
      {words}
    </TicketButton>
  );
  return (
    <Dialog
      opened
      onClose={onClose}
      title={m.kitchen_paid_title({ number: order.number, amount: formatMoney(order.total, store.currency) })}
      classNames={{ title: classes.title ?? '' }}
    >
      <div className={classes.stack}>
        {button('cash', m.kitchen_paid_cash())}
        {button('terminal', m.kitchen_paid_terminal())}
        {button('not_paid', m.kitchen_paid_not())}
        <p className={classes.soft}>{m.kitchen_paid_hint()}</p>
      </div>
    </Dialog>
  );
}
