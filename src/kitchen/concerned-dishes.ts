import { codesOf } from '#menu/allergen-conflicts.ts';
import { type AllergenCode, type ConflictKind, conflictKinds } from '#database/allergen-codes.ts';
import type { Line } from '#ordering/order.ts';

/** The dishes of an order with allergens that its customer avoids, all of one kind of certainty. */
export interface ConcernedDishes {
  kind: ConflictKind;
  /** Each once, as the kitchen calls it. */
  dishes: { name: string; codes: AllergenCode[] }[];
}

/** The surest first; a kind that no dish has is left out. */
export function concernedDishes(
  lines: readonly Pick<Line, 'name' | 'kitchen_name' | 'allergen_conflicts'>[],
): ConcernedDishes[] {
  return conflictKinds.flatMap((kind) => {
    const dishes = new Map<string, Set<AllergenCode>>();
    for (const { name, kitchen_name: kitchenName, allergen_conflicts: conflicts = [] } of lines) {
      const codes = codesOf(conflicts, kind);
      const known = dishes.get(kitchenName ?? name) ?? new Set();
      if (codes.length > 0) dishes.set(kitchenName ?? name, new Set([...known, ...codes]));
    }
    if (dishes.size === 0) return [];
    return [{ kind, dishes: [...dishes].map(([name, codes]) => ({ name, codes: [...codes] })) }];
  });
}
