import { holdStateOf } from '#kitchen/board-hold.ts';
import { useBoardControls } from '#kitchen/web/board/board-controls.ts';
import { useShopValue } from '#platform/web/clock.ts';
import classes from '#kitchen/web/ticket/ticket.module.css';
import { m } from '#messages';
import { Icon } from '#ui/web/office/icon.tsx';
import type { Order } from '#ordering/order.ts';
import { timeWords } from '#platform/date-words.ts';

/** Says that an order's money is not held any more, or not for long. */
export function HoldWarning({ order }: { order: Order }) {
  const { store } = useBoardControls();
  const state = useShopValue((now) => holdStateOf(order, now));
  if (state === null) return null;
  return (
    <div className={classes.alarm} role="alert">
      <Icon name="warning" />
      <p>
        {state === 'ended'
          ? m.kitchen_board_hold_ended_hint()
          : m.kitchen_board_hold_ends({ time: timeWords(order.payment.held_until ?? '', store.timezone) })}
      </p>
    </div>
  );
}
