import { useBoardControls } from '#kitchen/web/board/board-controls.ts';
import { holdStateOf } from '#kitchen/board-hold.ts';
import { useShopValue } from '#platform/web/clock.ts';
import { dueWords } from '#kitchen/web/board-words.ts';
import { TicketTimes } from '#kitchen/web/ticket/ticket-times.tsx';
import { TicketMenu } from '#kitchen/web/ticket/ticket-menu.tsx';
import classes from '#kitchen/web/ticket/ticket-head.module.css';
import { m } from '#messages';
import { Icon } from '#ui/web/office/icon.tsx';
import type { Order } from '#ordering/order.ts';

/** The order's number, whether it is collected or delivered, and the time. */
export function TicketHead({ order }: { order: Order }) {
  const { openDetails } = useBoardControls();
  const isDelivery = order.fulfilment_type === 'delivery';
  return (
    <header className={classes.head}>
      <h3 className={classes.number} id={`ticket-${order.id}`}>
        <button type="button" data-details onClick={() => openDetails(order)}>
          <span aria-hidden="true">{m.kitchen_board_number({ number: order.number })}</span>
          <span className="visually-hidden">{m.kitchen_board_open_details({ number: order.number })}</span>
        </button>
      </h3>
      <div className={classes.how}>
        <p className={classes.kind} data-kind={order.fulfilment_type}>
          <Icon name={isDelivery ? 'delivery' : 'bag'} />
          <span>{isDelivery ? m.kitchen_board_delivery() : m.kitchen_board_collection()}</span>
        </p>
        {order.channel === 'phone' && <p className={classes.channel}>{m.kitchen_board_channel_phone()}</p>}
        {order.channel === 'counter' && <p className={classes.channel}>{m.kitchen_board_channel_counter()}</p>}
        {order.payment.is_test && <p className={classes.channel}>{m.kitchen_board_test()}</p>}
      </div>
      <TicketTimes order={order} />
      <TicketMenu order={order} />
    </header>
  );
}

export function PaymentBadge({ order }: { order: Order }) {
  const isHoldEnded = useShopValue((now) => holdStateOf(order, now) ?? '') === 'ended';
  const isPaid = order.payment_status === 'paid' || order.payment_status === 'authorised';
  const tone = isHoldEnded || order.payment_status === 'failed' ? 'failed' : isPaid ? 'paid' : 'due';
  return (
    <span className={classes.payment} data-payment={tone}>
      {isHoldEnded ? m.kitchen_board_hold_ended() : dueWords(order)}
    </span>
  );
}
