import { LineConflicts } from '#kitchen/web/ticket/avoided-allergens.tsx';
import classes from '#kitchen/web/ticket/ticket-lines.module.css';
import { isOfStation, ownFirst } from '#kitchen/station-view.ts';
import { useStation } from '#kitchen/web/board/use-station.ts';
import { m } from '#messages';
import type { Line } from '#ordering/order.ts';
import { TypedText } from '#ui/web/typed-text.tsx';

interface LinesProps {
  lines: Line[];
  /** Where prices are told: the line's price in all, in words. */
  priceOf?: (line: Line) => string;
}

/** The dishes to cook, those of the board's station first: each item with its options indented below it. */
export function TicketLines({ lines, priceOf }: LinesProps) {
  const station = useStation();
  return (
    <ul className={classes.lines} data-priced={priceOf !== undefined || undefined}>
      {ownFirst(lines, station).map((line) => (
        <li key={line.id} data-other={!isOfStation(line, station) || undefined}>
          <span className={classes.quantity} data-many={line.quantity > 1 || undefined}>
            {m.kitchen_board_quantity({ quantity: line.quantity })}
          </span>
          <div>
            <span className={classes.item}>{line.kitchen_name ?? line.name}</span>
            {line.station && <span className={classes.station}>{line.station}</span>}
            {line.min_age && (
              <strong className={classes.ageLimit}>{m.kitchen_board_line_age({ age: line.min_age })}</strong>
            )}
            {line.options.length > 0 && (
              <ul className={classes.options}>
                {line.options.map((option) => (
                  <li key={`${option.option_group_id} ${option.option_id}`}>
                    {option.quantity > 1
                      ? m.kitchen_board_option_many({ quantity: option.quantity, name: option.name })
                      : option.name}
                  </li>
                ))}
              </ul>
            )}
            <LineConflicts line={line} />
            {line.note && (
              <p className={classes.lineNote}>
                <TypedText text={line.note} />
              </p>
            )}
          </div>
          {priceOf && <span className={classes.price}>{priceOf(line)}</span>}
        </li>
      ))}
    </ul>
  );
}
