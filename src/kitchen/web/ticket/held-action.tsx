import type { QueuedAction } from '#kitchen/web/action-queue.ts';
import { useBoardControls } from '#kitchen/web/board/board-controls.ts';
import { callWords } from '#kitchen/web/board-words.ts';
import { useShopTime } from '#platform/web/clock.ts';
import { TicketButton } from '#kitchen/web/ticket/ticket-button.tsx';
import classes from '#kitchen/web/ticket/held-action.module.css';
import { m } from '#messages';
import { Icon } from '#ui/web/office/icon.tsx';

/** A held reject, with a button to take it back. */
export function HeldAction({ action }: { action: QueuedAction }) {
  const now = useShopTime(1);
  const { takeBack } = useBoardControls();
  const seconds = Math.max(0, Math.floor((action.sendAt - now) / 1000));
  return (
    <div className={classes.held}>
      <p>{m.kitchen_board_sending_in({ call: callWords[action.call](), seconds })}</p>
      <TicketButton data-step onClick={() => takeBack(action)}>
        <Icon name="undo" /> {m.platform_undo()}
      </TicketButton>
    </div>
  );
}
