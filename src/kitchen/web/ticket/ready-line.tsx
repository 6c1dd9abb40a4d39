import { memo } from 'react';
import { orderUrgency } from '#kitchen/order-urgency.ts';
import { asksHowPaid } from '#kitchen/board-steps.ts';
import type { QueuedAction } from '#kitchen/web/action-queue.ts';
import { boardCallWords, boardStatusWords, timeLeftWords } from '#kitchen/web/board-words.ts';
import { useBoardControls } from '#kitchen/web/board/board-controls.ts';
import classes from '#kitchen/web/ticket/ready-line.module.css';
import { PaymentBadge, TicketButton } from '#kitchen/web/ticket/ticket-head.tsx';
import { HeldAction } from '#kitchen/web/ticket/ticket.tsx';
import { m } from '#messages';
import { nextStepCall } from '#ordering/next-status.ts';
import type { Order } from '#ordering/order.ts';
import { useShopValue } from '#platform/web/clock.ts';
import { Icon } from '#ui/web/office/office-icon.tsx';

interface LineProps {
  order: Order;
  isMoved: boolean;
  isUnsent: boolean;
  /** The call that is delayed for undo. */
  held: QueuedAction | null;
}

/** A packed order in one line: its number, its way, its customer, its money and its next step. */
export const ReadyLine = memo(function ReadyLine({ order, isMoved, isUnsent, held }: LineProps) {
  const { store, openDetails } = useBoardControls();
  const level = useShopValue((now) => orderUrgency(order, store, now));
  const left = useShopValue((now) => timeLeftWords(order, store, now));
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
      <h3 className={classes.number} id={`ticket-${order.id}`}>
        <button type="button" data-details onClick={() => openDetails(order)}>
          <span aria-hidden="true">{m.kitchen_board_number({ number: order.number })}</span>
          <span className="visually-hidden">{m.kitchen_board_open_details({ number: order.number })}</span>
        </button>
      </h3>
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
        {(order.allergy_note || order.allergies.length > 0) && (
          <p className={classes.allergy}>
            <Icon name="warning" size="1em" /> {m.kitchen_board_allergy()}
          </p>
        )}
      </div>
      <div className={classes.step}>{held ? <HeldAction action={held} /> : !isMoved && <Step order={order} />}</div>
    </article>
  );
});

function Step({ order }: { order: Order }) {
  const { ask, askPaid } = useBoardControls();
  const call = nextStepCall(order);
  if (!call) return null;
  return (
    <TicketButton
      look="step"
      data-step
      aria-label={boardCallWords[call]()}
      title={boardCallWords[call]()}
      onClick={() => (asksHowPaid(order, call) ? askPaid : ask)(order, call)}
    >
      <Icon name="check" size="1.5em" />
      <span className={classes.stepWord}>{boardCallWords[call]()}</span>
    </TicketButton>
  );
}
