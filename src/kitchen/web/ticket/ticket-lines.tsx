import classes from '#kitchen/web/ticket/ticket-lines.module.css';
import { hasDishOfStation, sortOwnStationFirst, useStation } from '#kitchen/web/board/use-station.ts';
import { m } from '#messages';
import type { Line, Order } from '#ordering/order.ts';
import { TypedText } from '#ui/web/typed-text.tsx';
import removedLinesClasses from '#kitchen/web/ticket/removed-lines.module.css';
import { optionsForKitchen, chosenOptionWords } from '#ordering/order-words.ts';
import avoidedAllergensClasses from '#kitchen/web/ticket/avoided-allergens.module.css';
import { conflictCodes } from '#menu/allergen-conflicts.ts';
import { type AllergenCode, type ConflictKind, conflictKinds } from '#database/page-values.ts';
import { allergenListWords } from '#menu/allergen-words.ts';
import { Icon } from '#ui/web/office/office-icon.tsx';

interface LinesProps {
  lines: Line[];
  /** The line's formatted total; if missing, no prices are shown. */
  priceOf?: (line: Line) => string;
  /** Ticks or unticks a line as cooked. Null: ticks are shown, but cannot be changed; undefined: ticks are hidden. */
  tick?: ((line: Line) => void) | null | undefined;
}

/** The dishes to cook, those of the board's station first, each with its options indented below. */
export function TicketLines({ lines, priceOf, tick }: LinesProps) {
  const station = useStation();
  return (
    <ul className={classes.lines} data-priced={priceOf !== undefined || undefined}>
      {sortOwnStationFirst(lines, station).map((line) => (
        <li
          key={line.id}
          data-other={!hasDishOfStation(line, station) || undefined}
          data-cooked={tick !== undefined && line.done_at ? true : undefined}
        >
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
                {optionsForKitchen(line.options).map(({ option_group_id, option_id, quantity, name, station: own }) => (
                  <li key={`${option_group_id} ${option_id}`}>
                    {quantity > 1 ? m.kitchen_board_option_many({ quantity, name }) : name}
                    {own && <span className={classes.station}>{own}</span>}
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
          {tick && <Tick line={line} tick={tick} />}
        </li>
      ))}
    </ul>
  );
}

/** A button over the whole line, so that a wet finger can hit it. */
function Tick({ line, tick }: { line: Line; tick: (line: Line) => void }) {
  const { quantity, name, kitchen_name: kitchenName } = line;
  return (
    <button
      type="button"
      className={classes.tick}
      aria-label={m.kitchen_tick_line({ quantity, dish: kitchenName ?? name })}
      aria-pressed={Boolean(line.done_at)}
      onClick={() => tick(line)}
    />
  );
}

export function RemovedLines({ order: { removed } }: { order: Pick<Order, 'removed'> }) {
  if (removed.length === 0) return null;
  return (
    <div className={removedLinesClasses.removed}>
      <strong>{m.kitchen_take_off_done()}</strong>
      <ul>
        {removed.map(({ line_id, at, quantity, name, kitchen_name, options }) => (
          <li key={line_id + at}>
            <s>
              {[
                m.kitchen_take_off_of({ quantity, name: kitchen_name ?? name }),
                chosenOptionWords(optionsForKitchen(options)),
              ]
                .filter(Boolean)
                .join(', ')}
            </s>
          </li>
        ))}
      </ul>
    </div>
  );
}

/** The avoided allergens and the dishes with them. The text is never shortened. */
export function AvoidedAllergens({ order: { allergies, lines } }: { order: Pick<Order, 'allergies' | 'lines'> }) {
  if (allergies.length === 0) return null;
  return (
    <div className={avoidedAllergensClasses.avoided}>
      <Icon name="warning" />
      <div>
        <p>
          <strong>{m.kitchen_board_avoids({ list: allergenListWords(allergies) })}</strong>
        </p>
        {dishesWithAvoidedAllergens(lines).map((concerned) => (
          <p key={concerned.kind}>{dishWords(concerned)}</p>
        ))}
      </div>
    </div>
  );
}

function LineConflicts({ line }: { line: Line }) {
  return conflictKinds.map((kind) => {
    const codes = conflictCodes(line.allergen_conflicts ?? [], kind);
    return (
      codes.length > 0 && (
        <p key={kind} className={avoidedAllergensClasses.conflict}>
          <Icon name="warning" /> {kindWords(kind, codes)}
        </p>
      )
    );
  });
}

function kindWords(kind: ConflictKind, codes: readonly AllergenCode[]): string {
  if (kind === 'not_stated') return m.kitchen_board_conflict_not_stated();
  const list = allergenListWords(codes);
  return kind === 'contains'
    ? m.kitchen_board_conflict_contains({ list })
    : m.kitchen_board_conflict_may_contain({ list });
}

/** Formats `Contains nuts: Korma, Tikka masala`. If the dishes' allergens differ, each dish is followed by its own. */
function dishWords({ kind, dishes }: AffectedDishes): string {
  const all = [...new Set(dishes.flatMap(({ codes }) => codes))];
  const isPlain = kind === 'not_stated' || dishes.every(({ codes }) => codes.length === all.length);
  const named = dishes.map(({ name, codes }) =>
    isPlain ? name : m.kitchen_board_conflict_dish({ dish: name, list: allergenListWords(codes) }),
  );
  return m.kitchen_board_conflict_dishes({ words: kindWords(kind, all), dishes: named.join(', ') });
}

interface AffectedDishes {
  kind: ConflictKind;
  /** Each dish once, by its kitchen name. */
  dishes: { name: string; codes: AllergenCode[] }[];
}

/** The dishes with avoided allergens, grouped by certainty, the most certain first; empty groups are left out. */
export function dishesWithAvoidedAllergens(
  lines: readonly Pick<Line, 'name' | 'kitchen_name' | 'allergen_conflicts'>[],
): AffectedDishes[] {
  return conflictKinds.flatMap((kind) => {
    const dishes = new Map<string, Set<AllergenCode>>();
    for (const { name, kitchen_name: kitchenName, allergen_conflicts: conflicts = [] } of lines) {
      const codes = conflictCodes(conflicts, kind);
      const known = dishes.get(kitchenName ?? name) ?? new Set();
      if (codes.length > 0) dishes.set(kitchenName ?? name, new Set([...known, ...codes]));
    }
    if (dishes.size === 0) return [];
    return [{ kind, dishes: [...dishes].map(([name, codes]) => ({ name, codes: [...codes] })) }];
  });
}
