import { Button } from '@mantine/core';
import type { QueuedAction } from '#kitchen/web/action-queue.ts';
import { useBoardControls } from '#kitchen/web/board-controls.ts';
import { callWords } from '#kitchen/web/board-words.ts';
import { useShopTime } from '#kitchen/web/shop-clock.ts';
import classes from '#kitchen/web/ticket.module.css';
import { m } from '#messages';
import { Icon } from '#office/web/icon.tsx';

/** A reject that is about to go out, with the way back. */
export function HeldAction({ action }: { action: QueuedAction }) {
  const now = useShopTime(1);
  const { takeBack } = useBoardControls();
  const seconds = Math.max(0, Math.floor((action.sendAt - now) / 1000));
  return (
    <div className={classes.held}>
      <p>{m.kitchen_board_sending_in({ call: callWords[action.call](), seconds })}</p>
      <Button variant="default" data-step leftSection={<Icon name="undo" />} onClick={() => takeBack(action)}>
        {m.platform_undo()}
      </Button>
    </div>
  );
}
