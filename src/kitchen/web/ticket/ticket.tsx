import { memo } from 'react';
import { ageLevel } from '#kitchen/board-age.ts';
import { alarmKey, paymentFailed, seenKey } from '#kitchen/board-alarms.ts';
import { wasStopped } from '#kitchen/board-columns.ts';
import { asksPayment, heldCalls } from '#kitchen/board-steps.ts';
import type { QueuedAction } from '#kitchen/web/action-queue.ts';
import { AnswerControls } from '#kitchen/web/ticket/answer-controls.tsx';
import { AvoidedAllergens } from '#kitchen/web/ticket/avoided-allergens.tsx';
import { useBoardControls } from '#kitchen/web/board/board-controls.ts';
import { callWords, statusWords } from '#kitchen/web/board-words.ts';
import { HoldWarning } from '#kitchen/web/ticket/hold-warning.tsx';
import { HeldAction } from '#kitchen/web/ticket/held-action.tsx';
import { PaymentBadge, TicketHead } from '#kitchen/web/ticket/ticket-head.tsx';
import { useShopValue } from '#platform/web/clock.ts';
import { TicketButton } from '#kitchen/web/ticket/ticket-button.tsx';
import { TicketContents } from '#kitchen/web/ticket/ticket-contents.tsx';
import classes from '#kitchen/web/ticket/ticket.module.css';
import { m } from '#messages';
import { isUnanswered } from '#ordering/order-status.ts';
import { Icon } from '#ui/web/office/icon.tsx';
import type { Order } from '#ordering/order.ts';
import { stepOf } from '#ordering/next-status.ts';
import { formatMoney } from '#platform/money.ts';
import { TypedText } from '#ui/web/typed-text.tsx';

interface TicketProps {
  order: Order;
  /** A touch holds the ticket in a column that its order has left. */
  isMoved: boolean;
  /** The last requested action without an answer. */
  waiting: QueuedAction | undefined;
  /** The action waits for a connection. */
  isUnsent: boolean;
  isRinging: boolean;
}

/** One order on the board. */
export const Ticket = memo(function Ticket({ order, isMoved, waiting, isUnsent, isRinging }: TicketProps) {
  const { store, acknowledge } = useBoardControls();
  const level = useShopValue((now) => ageLevel(order, store, now));
  const isHeld = waiting !== undefined && heldCalls.has(waiting.call) && !isUnsent;
  const mustStop = wasStopped(order);
  return (
    <article
      className={classes.ticket}
      aria-labelledby={`ticket-${order.id}`}
      data-ticket={order.id}
      data-status={order.status}
      data-unanswered={isUnanswered(order.status) || undefined}
      data-level={level}
      data-ringing={isRinging || undefined}
      data-stop={mustStop || undefined}
      data-moved={isMoved || undefined}
    >
      <TicketHead order={order} />
      {mustStop && (
        <p className={classes.alarm} role="alert">
          <Icon name="warning" /> {m.kitchen_board_stop_title()}
        </p>
      )}
      {paymentFailed(order) && (
        <div className={classes.alarm} role="alert">
          <Icon name="warning" />
          <p>
            <strong>{m.kitchen_board_payment_failed()}</strong> {m.kitchen_board_payment_failed_hint()}
          </p>
        </div>
      )}
      <HoldWarning order={order} />
      {order.allergy_note && (
        <p className={classes.allergy}>
          <Icon name="warning" />
          <span>
            <strong>{m.kitchen_board_allergy()}:</strong> <TypedText text={order.allergy_note} />
          </span>
        </p>
      )}
      <AvoidedAllergens order={order} />
      <TicketContents order={order} />
      <div className={classes.foot}>
        <p className={classes.contact}>
          <span className={classes.name}>{order.contact.name}</span>
          {order.fulfilment_type === 'delivery' && order.address && (
            <span className={classes.postcode}>{order.address.postcode}</span>
          )}
          <span className={classes.phone}>{order.contact.phone}</span>
        </p>
        <p className={classes.money}>
          <PaymentBadge order={order} />
          <strong className={classes.total}>{formatMoney(order.total, store.currency)}</strong>
        </p>
      </div>
      <div className={classes.actions}>
        {isHeld && <HeldAction action={waiting} />}
        {!isHeld && isMoved && (
          <p className={classes.moved}>{m.kitchen_board_gone_title({ status: statusWords[order.status]() })}</p>
        )}
        {!isHeld && !isMoved && mustStop && (
          <TicketButton look="stop" data-step onClick={() => acknowledge([alarmKey('stop', order), seenKey(order)])}>
            {m.kitchen_board_stop_seen()}
          </TicketButton>
        )}
        {!isHeld &&
          !isMoved &&
          !mustStop &&
          (isUnanswered(order.status) ? <AnswerControls order={order} /> : <Step order={order} />)}
        {isUnsent && (
          <p className={classes.waiting}>
            <Icon name="offline" /> {m.kitchen_board_waiting()}
          </p>
        )}
      </div>
    </article>
  );
});

function Step({ order }: { order: Order }) {
  const { ask, askPaid } = useBoardControls();
  const call = stepOf(order);
  if (!call) return null;
  return (
    <TicketButton look="step" data-step onClick={() => (asksPayment(order, call) ? askPaid : ask)(order, call)}>
      {callWords[call]()}
    </TicketButton>
  );
}
