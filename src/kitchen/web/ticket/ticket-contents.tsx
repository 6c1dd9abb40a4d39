import { useState } from 'react';
import { RemovedLines } from '#kitchen/web/ticket/removed-lines.tsx';
import { TicketLines } from '#kitchen/web/ticket/ticket-lines.tsx';
import classes from '#kitchen/web/ticket/ticket-contents.module.css';
import lineClasses from '#kitchen/web/ticket/ticket-lines.module.css';
import { useFittingHeight } from '#kitchen/web/ticket/use-fitting-height.ts';
import { m } from '#messages';
import { Icon } from '#ui/web/office/icon.tsx';
import type { Order } from '#ordering/order.ts';
import { TypedText } from '#ui/web/typed-text.tsx';

/** The dishes of the order. A list that has no room is cut after a whole dish; a tap anywhere on it opens it. */
export function TicketContents({ order }: { order: Pick<Order, 'lines' | 'note' | 'removed'> }) {
  const { lines, note } = order;
  const [isOpen, setOpen] = useState(false);
  const { box, height } = useFittingHeight();
  const isLong = height !== null;
  return (
    <div className={classes.contents} data-open={(isLong && isOpen) || undefined}>
      <div
        ref={box}
        className={classes.fitting}
        data-list
        style={{ clipPath: isLong && !isOpen ? `inset(0 0 calc(100% - ${height}px) 0)` : undefined }}
      >
        <div>
          <RemovedLines order={order} />
          <TicketLines lines={lines} />
          {note && (
            <p className={lineClasses.note}>
              <strong>{m.kitchen_board_order_note()}:</strong> <TypedText text={note} />
            </p>
          )}
        </div>
      </div>
      {isLong && (
        <button type="button" className={classes.rest} aria-expanded={isOpen} onClick={() => setOpen(!isOpen)}>
          <span style={{ marginTop: isOpen ? undefined : height }}>
            <Icon name={isOpen ? 'up' : 'down'} />
            {isOpen
              ? m.kitchen_board_show_less()
              : note
                ? m.kitchen_board_show_all_and_note({ count: lines.length })
                : m.kitchen_board_show_all({ count: lines.length })}
          </span>
        </button>
      )}
    </div>
  );
}
