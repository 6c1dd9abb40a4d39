import { useBoardControls } from '#kitchen/web/board/board-controls.ts';
import {
  orderUrgency,
  type OrderUrgency,
  countdownWords,
  cardHoldState,
  minutesUntilDue,
  minutesSincePlaced,
  secondsToAnswer,
} from '#kitchen/order-urgency.ts';
import { shopNow, useShopTimeValue } from '#platform/web/clock.ts';
import { timeLeftWords, handoverPaymentWords, boardMomentWords } from '#kitchen/web/board-words.ts';
import classes from '#kitchen/web/ticket/ticket-head.module.css';
import { m } from '#messages';
import { Icon } from '#ui/web/office/office-icon.tsx';
import type { Order } from '#ordering/order.ts';
import { Menu } from '@mantine/core';
import { type ComponentProps, useRef, useState } from 'react';
import { canBoardCancel } from '#kitchen/board-steps.ts';
import ticketMenuClasses from '#kitchen/web/ticket/ticket-menu.module.css';
import { useHasPrinter } from '#kitchen/web/use-printing.ts';
import { statusAllowsCall, isInHand, isInKitchen, isUnanswered } from '#ordering/order-status.ts';
import { cookingBeginsAt } from '#kitchen/board-layout.ts';
import ticketTimesClasses from '#kitchen/web/ticket/ticket-times.module.css';
import { isCustomerHere } from '#kitchen/board-alarms.ts';
import ticketButtonClasses from '#kitchen/web/ticket/ticket-button.module.css';

export function TicketHead({ order }: { order: Order }) {
  const isDelivery = order.fulfilment_type === 'delivery';
  return (
    <header className={classes.head}>
      <TicketNumber order={order} className={classes.number} />
      <div className={classes.how}>
        <p className={classes.kind} data-kind={order.fulfilment_type}>
          <Icon name={isDelivery ? 'delivery' : 'bag'} />
          <span>{isDelivery ? m.kitchen_board_delivery() : m.kitchen_board_collection()}</span>
        </p>
        {order.channel === 'phone' && <p className={classes.channel}>{m.kitchen_board_channel_phone()}</p>}
        {order.channel === 'counter' && <p className={classes.channel}>{m.kitchen_board_channel_counter()}</p>}
        {order.payment.is_test && <p className={classes.channel}>{m.kitchen_board_test()}</p>}
        {isCustomerHere(order) && (
          <p className={classes.channel} data-arrived>
            {m.kitchen_board_arrived()}
          </p>
        )}
      </div>
      <TicketTimes order={order} />
      <TicketMenu order={order} />
    </header>
  );
}

export function TicketNumber({ order, className }: { order: Order; className: string | undefined }) {
  const { openDetails } = useBoardControls();
  return (
    <h3 className={className} id={`ticket-${order.id}`}>
      <button type="button" className={classes.numberButton} data-details onClick={() => openDetails(order)}>
        <span aria-hidden="true">{m.kitchen_board_number({ number: order.number })}</span>
        <span className="visually-hidden">{m.kitchen_board_open_details({ number: order.number })}</span>
      </button>
    </h3>
  );
}

export function PaymentBadge({ order }: { order: Order }) {
  const isHoldEnded = useShopTimeValue((now) => cardHoldState(order, now) ?? '') === 'ended';
  const isPaid = order.payment.is_test || order.payment_status === 'paid' || order.payment_status === 'authorised';
  const tone = isHoldEnded || order.payment_status === 'failed' ? 'failed' : isPaid ? 'paid' : 'due';
  return (
    <span className={classes.payment} data-payment={tone}>
      {isHoldEnded ? m.kitchen_board_hold_ended() : handoverPaymentWords(order)}
    </span>
  );
}

/**
 * The menu of the ticket's other actions. The menu is created only while it is open, because at most one of 200 tickets
 * has an open menu.
 */
function TicketMenu({ order }: { order: Order }) {
  const [isOpen, setOpen] = useState(false);
  const button = useRef<HTMLButtonElement>(null);
  const id = `more-${order.id}`;
  const close = (): void => {
    setOpen(false);
    button.current?.focus({ preventScroll: true });
  };
  return (
    <div className={ticketMenuClasses.more}>
      <TicketButton
        ref={button}
        look="quiet"
        id={id}
        aria-label={m.kitchen_board_more({ number: order.number })}
        aria-haspopup="menu"
        aria-expanded={isOpen}
        onClick={() => setOpen(true)}
      >
        <Icon name="more" />
      </TicketButton>
      {isOpen && (
        <Menu opened onClose={close} position="bottom-end" width={260}>
          <Menu.Target>
            <span className={ticketMenuClasses.moreOpen} aria-hidden="true" />
          </Menu.Target>
          <Menu.Dropdown aria-labelledby={id}>
            <Entries order={order} />
          </Menu.Dropdown>
        </Menu>
      )}
    </div>
  );
}

function Entries({ order }: { order: Order }) {
  const { print, openDetails, openReceipts, askReason, askTakeOff, ask } = useBoardControls();
  const hasPrinter = useHasPrinter();
  const isPromisable = statusAllowsCall(order.status, 'promise');
  return (
    <>
      <Menu.Item onClick={() => openDetails(order)}>{m.kitchen_board_details()}</Menu.Item>
      {isPromisable && (
        <>
          <Menu.Divider />
          <Menu.Label>{m.kitchen_board_promise()}</Menu.Label>
          {[10, 20].map((minutes) => (
            <Menu.Item
              key={minutes}
              leftSection={<Icon name="clock" />}
              onClick={() => ask(order, 'promise', { readyAt: promisedTimeAfterDelay(order, minutes) })}
            >
              {m.kitchen_board_promise_more({ minutes })}
            </Menu.Item>
          ))}
        </>
      )}
      <Menu.Divider />
      {hasPrinter && (
        <>
          <Menu.Label>{m.kitchen_board_print()}</Menu.Label>
          <Menu.Item leftSection={<Icon name="print" />} onClick={() => print(order, 'kitchen')}>
            {m.kitchen_board_print_kitchen()}
          </Menu.Item>
          <Menu.Item leftSection={<Icon name="print" />} onClick={() => print(order, 'customer')}>
            {m.kitchen_board_print_customer()}
          </Menu.Item>
          <Menu.Item leftSection={<Icon name="print" />} onClick={() => print(order, 'both')}>
            {m.kitchen_board_print_both()}
          </Menu.Item>
        </>
      )}
      <Menu.Item onClick={() => openReceipts(order)}>{m.kitchen_board_receipts()}</Menu.Item>
      {statusAllowsCall(order.status, 'lines/remove') && (
        <>
          <Menu.Divider />
          <Menu.Item onClick={() => askTakeOff(order)}>{m.kitchen_take_off()}</Menu.Item>
        </>
      )}
      {canBoardCancel(order) && (
        <>
          <Menu.Divider />
          <Menu.Item color="bad" onClick={() => askReason(order, 'cancel')}>
            {m.kitchen_board_cancel()}
          </Menu.Item>
        </>
      )}
    </>
  );
}

const levelWords: Record<OrderUrgency, () => string> = {
  calm: () => '',
  soon: m.kitchen_board_soon_label,
  late: m.kitchen_board_late_label,
};

/** The promised time, and the time left until it or until the answer deadline. */
export function TicketTimes({ order }: { order: Order }) {
  const isNew = isUnanswered(order.status);
  const { store } = useBoardControls();
  const begins = isInKitchen(order.status) && order.requested_for ? cookingBeginsAt(order, store) : 0;
  // The hook compares every value of the text below, so that the component re-renders only when a value changes.
  useShopTimeValue((time) =>
    isNew
      ? Math.floor(time / 1000)
      : [
          minutesUntilDue(order, store, time),
          minutesSincePlaced(order, time),
          orderUrgency(order, store, time),
          begins > time,
        ].join(),
  );
  const now = shopNow();
  const level = orderUrgency(order, store, now);
  const wanted = isNew ? order.requested_for : (order.promised_at ?? order.requested_for);
  const isWaiting = begins > now;
  const startWords = boardMomentWords(new Date(begins).toISOString(), now, store.timezone);
  return (
    <div className={ticketTimesClasses.times} data-level={level}>
      <p className={ticketTimesClasses.when}>
        {wanted && <span>{isNew ? m.kitchen_board_asked_for() : m.kitchen_board_promised()}</span>}
        <strong>{wanted ? boardMomentWords(wanted, now, store.timezone) : m.kitchen_board_asap()}</strong>
      </p>
      {isNew ? (
        <Deadline order={order} now={now} />
      ) : (
        <p className={ticketTimesClasses.age}>
          {level === 'soon' && <span className="visually-hidden">{levelWords[level]()} </span>}
          <strong>
            {isWaiting ? m.kitchen_board_starts_at({ time: startWords }) : timeLeftWords(order, store, now)}
          </strong>
          {isInHand(order.status) && order.promised_at && (
            <span>{m.kitchen_board_age({ minutes: minutesSincePlaced(order, now) })}</span>
          )}
        </p>
      )}
    </div>
  );
}

function Deadline({ order, now }: { order: Order; now: number }) {
  const left = secondsToAnswer(order, now);
  if (left === null) return null;
  const whole = Math.max(
    1,
    (Date.parse(order.answer_by ?? '') - Date.parse(order.placed_at ?? order.created_at)) / 1000,
  );
  return (
    <div className={ticketTimesClasses.deadline}>
      <p className={ticketTimesClasses.age}>
        <Icon name="clock" size="1.1em" />
        <span className={ticketTimesClasses.within}>
          {left > 0 ? m.kitchen_board_answer_within() : m.kitchen_board_answer_over()}
        </span>
        <strong role="timer">{countdownWords(left)}</strong>
      </p>
      <div className={ticketTimesClasses.bar} aria-hidden="true">
        <div style={{ transform: `scaleX(${Math.min(1, left / whole)})` }} />
      </div>
    </div>
  );
}

/**
 * The new promised time after a delay (epoch ms). The minutes count from the old promise, or from now if it has passed.
 */
export function promisedTimeAfterDelay(order: Pick<Order, 'promised_at'>, minutes: number): number {
  const from = order.promised_at === null ? 0 : Date.parse(order.promised_at);
  return Math.max(from, shopNow()) + minutes * 60_000;
}

interface TicketButtonProps extends Omit<ComponentProps<'button'>, 'type' | 'className'> {
  /** `step`: the order's next step; `quiet`: an icon without a border. */
  look?: 'step' | 'yes' | 'no' | 'stop' | 'plain' | 'quiet';
}

/** A ticket's button is a plain `button`, because a busy board has a thousand of them. */
export function TicketButton({ look = 'plain', ...rest }: TicketButtonProps) {
  return <button type="button" className={ticketButtonClasses.button} data-look={look} {...rest} />;
}
