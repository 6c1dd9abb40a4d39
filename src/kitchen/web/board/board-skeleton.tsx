import columns from '#kitchen/web/board/board-columns.module.css';
import toolbar from '#kitchen/web/board/board-toolbar.module.css';
import board from '#kitchen/web/board/board.module.css';
import { m } from '#messages';

const lanes = [['a', 'b'], ['c', 'd', 'e'], ['f']];

/** The shape of the board while it loads; unseen for the first 300 ms. */
export function BoardSkeleton() {
  return (
    <div className={board.board} data-late>
      <output className="visually-hidden">{m.platform_loading()}</output>
      <div className={toolbar.toolbar} aria-hidden="true">
        <div className={columns.bone} data-part="tools" />
      </div>
      <div className={columns.lanes} aria-hidden="true">
        {lanes.map((tickets) => (
          <div key={tickets.join()} className={columns.lane}>
            <div className={columns.bone} data-part="title" />
            {tickets.map((ticket) => (
              <div key={ticket} className={columns.bone} data-part="ticket" />
            ))}
          </div>
        ))}
      </div>
    </div>
  );
}
