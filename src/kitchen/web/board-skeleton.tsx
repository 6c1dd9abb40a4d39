import { Skeleton } from '@mantine/core';
import classes from '#kitchen/web/board.module.css';
import { m } from '#messages';

const lanes = [['a', 'b'], ['c', 'd', 'e'], ['f']];

/** The shape of the board while it loads; unseen for the first 300 ms. */
export function BoardSkeleton() {
  return (
    <div className={classes.board} data-late>
      <output className="visually-hidden">{m.platform_loading()}</output>
      <div className={classes.lanes} aria-hidden="true">
        {lanes.map((tickets) => (
          <div key={tickets.join()} className={classes.lane}>
            <Skeleton height={28} width="50%" mb={12} />
            {tickets.map((ticket) => (
              <Skeleton key={ticket} height={180} mb={12} />
            ))}
          </div>
        ))}
      </div>
    </div>
  );
}
