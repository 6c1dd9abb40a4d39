import classes from '#kitchen/web/board.module.css';
import { m } from '#messages';

const lanes = [['a', 'b'], ['c', 'd', 'e'], ['f']];

/** The shape of the board while it loads; unseen for the first 300 ms. */
export function BoardSkeleton() {
  return (
    <div className={classes.board} data-late>
      <output className="visually-hidden">{m.platform_loading()}</output>
      <div className={classes.toolbar} aria-hidden="true">
        <div className={classes.bone} data-part="tools" />
      </div>
      <div className={classes.lanes} aria-hidden="true">
        {lanes.map((tickets) => (
          <div key={tickets.join()} className={classes.lane}>
            <div className={classes.bone} data-part="title" />
            {tickets.map((ticket) => (
              <div key={ticket} className={classes.bone} data-part="ticket" />
            ))}
          </div>
        ))}
      </div>
    </div>
  );
}
