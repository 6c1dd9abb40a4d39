import { concernedDishes, type ConcernedDishes } from '#kitchen/concerned-dishes.ts';
import classes from '#kitchen/web/ticket/avoided-allergens.module.css';
import { m } from '#messages';
import { codesOf } from '#menu/allergen-conflicts.ts';
import { type AllergenCode, type ConflictKind, conflictKinds } from '#database/allergen-codes.ts';
import { nameAll } from '#menu/allergen-words.ts';
import type { Line, Order } from '#ordering/order.ts';
import { Icon } from '#ui/web/office/icon.tsx';

/** The allergens that its customer avoids, and the dishes concerned. Never shortened. */
export function AvoidedAllergens({ order: { allergies, lines } }: { order: Pick<Order, 'allergies' | 'lines'> }) {
  if (allergies.length === 0) return null;
  return (
    <div className={classes.avoided}>
      <Icon name="warning" />
      <div>
        <p>
          <strong>{m.kitchen_board_avoids({ list: nameAll(allergies) })}</strong>
        </p>
        {concernedDishes(lines).map((concerned) => (
          <p key={concerned.kind}>{dishWords(concerned)}</p>
        ))}
      </div>
    </div>
  );
}

/** At the dish: its avoided allergens. */
export function LineConflicts({ line }: { line: Line }) {
  return conflictKinds.map((kind) => {
    const codes = codesOf(line.allergen_conflicts ?? [], kind);
    return (
      codes.length > 0 && (
        <p key={kind} className={classes.conflict}>
          <Icon name="warning" /> {kindWords(kind, codes)}
        </p>
      )
    );
  });
}

function kindWords(kind: ConflictKind, codes: readonly AllergenCode[]): string {
  if (kind === 'not_stated') return m.kitchen_board_conflict_not_stated();
  const list = nameAll(codes);
  return kind === 'contains'
    ? m.kitchen_board_conflict_contains({ list })
    : m.kitchen_board_conflict_may_contain({ list });
}

/** `Contains nuts: Korma, Tikka masala`; with several allergens each dish says its own. */
function dishWords({ kind, dishes }: ConcernedDishes): string {
  const all = [...new Set(dishes.flatMap(({ codes }) => codes))];
  const isPlain = kind === 'not_stated' || dishes.every(({ codes }) => codes.length === all.length);
  const named = dishes.map(({ name, codes }) =>
    isPlain ? name : m.kitchen_board_conflict_dish({ dish: name, list: nameAll(codes) }),
  );
  return m.kitchen_board_conflict_dishes({ words: kindWords(kind, all), dishes: named.join(', ') });
}
