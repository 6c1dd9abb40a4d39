import classes from '#kitchen/web/ticket/removed-lines.module.css';
import { m } from '#messages';
import { optionWords } from '#ordering/order-words.ts';
import type { Order } from '#ordering/order.ts';

/** The dishes that were taken off the order since; nothing if it is as it was placed. */
export function RemovedLines({ order: { removed } }: { order: Pick<Order, 'removed'> }) {
  if (removed.length === 0) return null;
  return (
    <div className={classes.removed}>
      <strong>{m.kitchen_take_off_done()}</strong>
      <ul>
        {removed.map(({ line_id, at, quantity, name, kitchen_name, options }) => (
          <li key={line_id + at}>
            <s>
              {[m.kitchen_take_off_of({ quantity, name: kitchen_name ?? name }), optionWords(options)]
                .filter(Boolean)
                .join(', ')}
            </s>
          </li>
        ))}
      </ul>
    </div>
  );
}
