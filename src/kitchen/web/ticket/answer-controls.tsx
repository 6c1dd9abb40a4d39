import { useState } from 'react';
import { cardHoldState } from '#kitchen/order-urgency.ts';
import { useBoardControls } from '#kitchen/web/board/board-controls.ts';
import { boardMomentWords } from '#kitchen/web/board-words.ts';
import { shopNow, useShopTime, useShopTimeValue } from '#platform/web/clock.ts';
import { TicketButton } from '#kitchen/web/ticket/ticket-head.tsx';
import classes from '#kitchen/web/ticket/answer-controls.module.css';
import { m } from '#messages';
import { Icon } from '#ui/web/office/office-icon.tsx';
import type { Order } from '#ordering/order.ts';
import { orderLeadTime } from '#ordering/promise.ts';
import type { Store } from '#store/contract.ts';
import { timeWords } from '#platform/date-words.ts';

const STEP = 5;

/** The buttons that accept or reject an order. After the card hold's end an order can only be rejected. */
export function AnswerControls({ order }: { order: Order }) {
  const isHoldEnded = useShopTimeValue((now) => cardHoldState(order, now)) === 'ended';
  if (!isHoldEnded) return <AcceptOrReject order={order} />;
  return (
    <div className={classes.answers} data-only>
      <Reject order={order} data-step />
    </div>
  );
}

/**
 * The buttons that accept or reject an order. Staff choose the minutes of the promise; a scheduled order is promised
 * for its requested time.
 */
function AcceptOrReject({ order }: { order: Order }) {
  const { store, ask } = useBoardControls();
  const [chosen, setChosen] = useState<number | null>(null);
  const minutes = chosen ?? usualMinutes(order, store);
  const accept = (): void => {
    if (order.requested_for) ask(order, 'accept');
    else ask(order, 'accept', { readyAt: shopNow() + minutes * 60_000 });
  };
  // The call sends the promise in minutes, so the shown time changes each minute.
  const now = useShopTime(60);
  const time = order.requested_for
    ? boardMomentWords(order.requested_for, now, store.timezone)
    : timeWords(new Date(now + minutes * 60_000), store.timezone);
  return (
    <div className={classes.answers} data-minutes={order.requested_for === null || undefined}>
      {!order.requested_for && (
        <TicketButton
          data-minutes="less"
          aria-label={m.kitchen_board_fewer_minutes()}
          aria-description={m.kitchen_board_minutes({ minutes })}
          disabled={minutes <= STEP}
          onClick={() => setChosen(minutes - STEP)}
        >
          <Icon name="minus" />
        </TicketButton>
      )}
      <TicketButton look="yes" data-step onClick={accept}>
        <span className={classes.accept}>
          {m.kitchen_board_accept()}{' '}
          <span>
            {!order.requested_for && <span>{m.kitchen_board_minutes({ minutes })}</span>}{' '}
            <span className={classes.clock}>{time}</span>
          </span>
        </span>
      </TicketButton>
      {!order.requested_for && (
        <TicketButton
          data-minutes="more"
          aria-label={m.kitchen_board_more_minutes()}
          aria-description={m.kitchen_board_minutes({ minutes })}
          disabled={minutes >= 240}
          onClick={() => setChosen(minutes + STEP)}
        >
          <Icon name="plus" />
        </TicketButton>
      )}
      <Reject order={order} />
    </div>
  );
}

/** The Reject button. `data-step` marks it as the ticket's next step for the keyboard. */
function Reject({ order, ...step }: { order: Order; 'data-step'?: boolean }) {
  const { askReason } = useBoardControls();
  return (
    <TicketButton
      look="no"
      data-reject
      {...step}
      title={m.kitchen_board_reject()}
      onClick={() => askReason(order, 'reject')}
    >
      <span className={classes.reject}>
        <Icon name="close" />
        <span>{m.kitchen_board_reject()}</span>
      </span>
    </TicketButton>
  );
}

/** The default promise in minutes: the slowest dish's minutes, plus the shop's busy and delivery minutes. */
function usualMinutes(order: Order, store: Store): number {
  return Math.max(STEP, orderLeadTime(store, order).fromNow / 60_000);
}
