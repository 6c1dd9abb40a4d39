import { memo } from 'react';
import { isCustomerHere } from '#kitchen/board-alarms.ts';
import { orderUrgency } from '#kitchen/order-urgency.ts';
import type { QueuedAction } from '#kitchen/web/action-queue.ts';
import { boardStatusWords, timeLeftWords } from '#kitchen/web/board-words.ts';
import { useBoardControls } from '#kitchen/web/board/board-controls.ts';
import classes from '#kitchen/web/ticket/ready-line.module.css';
import { PaymentBadge, TicketNumber } from '#kitchen/web/ticket/ticket-head.tsx';
import { DelayedCallNotice, NextStepButton } from '#kitchen/web/ticket/ticket.tsx';
import { m } from '#messages';
import { useScreenLanguage } from '#platform/web/screen-language.ts';
import type { Order } from '#ordering/order.ts';
import { useShopTimeValue } from '#platform/web/clock.ts';
import { Icon } from '#ui/web/office/office-icon.tsx';

interface LineProps {
  order: Order;
  isMoved: boolean;
  isUnsent: boolean;
  /** The order's call that is delayed for undo; null: none. */
  held: QueuedAction | null;
}

/** A packed order in one row: number, fulfilment type, customer, payment and next step. */
export const ReadyLine = memo(function ReadyLine({ order, isMoved, isUnsent, held }: LineProps) {
  useScreenLanguage();
  const { store } = useBoardControls();
  const level = useShopTimeValue((now) => orderUrgency(order, store, now));
  const left = useShopTimeValue((now) => timeLeftWords(order, store, now));
  const isDelivery = order.fulfilment_type === 'delivery';
  return (
    <article
      className={classes.line}
      aria-labelledby={`ticket-${order.id}`}
      data-ticket={order.id}
      data-status={order.status}
      data-level={level}
      data-moved={isMoved || undefined}
    >
      <TicketNumber order={order} className={classes.number} />
      <p className={classes.way}>
        <Icon name={isDelivery ? 'delivery' : 'bag'} size="1em" />
        <span className={classes.wayWord}>
          {isDelivery ? m.kitchen_board_delivery() : m.kitchen_board_collection()}
        </span>
      </p>
      <div className={classes.about}>
        {isDelivery && order.address && <strong className={classes.postcode}>{order.address.postcode}</strong>}
        <PaymentBadge order={order} />
        <p className={classes.name}>{order.contact.name}</p>
        <p className={classes.left}>
          {isUnsent && <Icon name="offline" />}
          {isUnsent ? m.kitchen_board_waiting() : isMoved ? boardStatusWords[order.status]() : left}
        </p>
        {isCustomerHere(order) && <p className={classes.arrived}>{m.kitchen_board_arrived()}</p>}
        {(order.allergy_note || order.allergies.length > 0) && (
          <p className={classes.allergy}>
            <Icon name="warning" size="1em" /> {m.kitchen_board_allergy()}
          </p>
        )}
      </div>
      <div className={classes.step}>
        {held ? (
          <DelayedCallNotice action={held} />
        ) : (
          !isMoved && <NextStepButton order={order} mark={<Icon name="check" size="1.5em" />} />
        )}
      </div>
    </article>
  );
});
