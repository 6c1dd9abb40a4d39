import classes from '#kitchen/web/board/key-legend.module.css';
import { m } from '#messages';

const legend: readonly (readonly [string, () => string])[] = [
  ['1…9', m.kitchen_board_keys_number],
  ['← → ↑ ↓', m.kitchen_board_keys_arrows],
  ['Enter', m.kitchen_board_keys_enter],
  ['+ −', m.kitchen_board_keys_minutes],
  ['R', m.kitchen_board_keys_reject],
  ['O', m.kitchen_board_keys_details],
  ['U', m.kitchen_board_keys_undo],
  ['S', m.kitchen_board_keys_silence],
];

/** A legend of the keys, shown while they are switched on. */
export function KeyLegend() {
  return (
    <footer className={classes.legend}>
      <h2 className="visually-hidden">{m.kitchen_board_keys_title()}</h2>
      <dl>
        {legend.map(([key, words]) => (
          <div key={key}>
            <dt>
              <kbd>{key}</kbd>
            </dt>
            <dd>{words()}</dd>
          </div>
        ))}
      </dl>
    </footer>
  );
}
