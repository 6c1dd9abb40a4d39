import { ageLevel, type AgeLevel, countdown, minutesLeft, minutesOld, secondsToAnswer } from '#kitchen/board-age.ts';
import { beginsAt } from '#kitchen/board-columns.ts';
import { useBoardControls } from '#kitchen/web/board/board-controls.ts';
import { ageWords, momentWords } from '#kitchen/web/board-words.ts';
import { shopNow, useShopValue } from '#platform/web/clock.ts';
import classes from '#kitchen/web/ticket/ticket-times.module.css';
import { m } from '#messages';
import { Icon } from '#ui/web/office/icon.tsx';
import { isInHand, isInKitchen, isUnanswered } from '#ordering/order-status.ts';
import type { Order } from '#ordering/order.ts';

const levelWords: Record<AgeLevel, () => string> = {
  calm: () => '',
  soon: m.kitchen_board_soon_label,
  late: m.kitchen_board_late_label,
};

/** The promise and its urgency, as a colour and as text. The only part of a ticket that changes with the clock. */
export function TicketTimes({ order }: { order: Order }) {
  const isNew = isUnanswered(order.status);
  const { store } = useBoardControls();
  const begins = isInKitchen(order.status) && order.requested_for ? beginsAt(order, store) : 0;
  // Every value that the text below depends on, so that a ticket renders again only when the text changes.
  useShopValue((time) =>
    isNew
      ? Math.floor(time / 1000)
      : [minutesLeft(order, store, time), minutesOld(order, time), ageLevel(order, store, time), begins > time].join(),
  );
  const now = shopNow();
  const level = ageLevel(order, store, now);
  const wanted = isNew ? order.requested_for : (order.promised_at ?? order.requested_for);
  const isWaiting = begins > now;
  const startWords = momentWords(new Date(begins).toISOString(), now, store.timezone);
  return (
    <div className={classes.times} data-level={level}>
      <p className={classes.when}>
        {wanted && <span>{isNew ? m.kitchen_board_asked_for() : m.kitchen_board_promised()}</span>}
        <strong>{wanted ? momentWords(wanted, now, store.timezone) : m.kitchen_board_asap()}</strong>
      </p>
      {isNew ? (
        <Deadline order={order} now={now} />
      ) : (
        <p className={classes.age}>
          {level === 'soon' && <span className="visually-hidden">{levelWords[level]()} </span>}
          <strong>{isWaiting ? m.kitchen_board_starts_at({ time: startWords }) : ageWords(order, store, now)}</strong>
          {isInHand(order.status) && order.promised_at && (
            <span>{m.kitchen_board_age({ minutes: minutesOld(order, now) })}</span>
          )}
        </p>
      )}
    </div>
  );
}

/** The time that is left to answer: as text, and as a bar that becomes shorter. */
function Deadline({ order, now }: { order: Order; now: number }) {
  const left = secondsToAnswer(order, now);
  if (left === null) return null;
  const whole = Math.max(
    1,
    (Date.parse(order.answer_by ?? '') - Date.parse(order.placed_at ?? order.created_at)) / 1000,
  );
  return (
    <div className={classes.deadline}>
      <p className={classes.age}>
        <Icon name="clock" size="1.1em" />
        <span className={classes.within}>
          {left > 0 ? m.kitchen_board_answer_within() : m.kitchen_board_answer_over()}
        </span>
        <strong role="timer">{countdown(left)}</strong>
      </p>
      <div className={classes.bar} aria-hidden="true">
        <div style={{ transform: `scaleX(${Math.min(1, left / whole)})` }} />
      </div>
    </div>
  );
}
