import { type AllergenCode, allergenCodes, type ConflictKind } from '#menu/allergen-codes.ts';
import { dishAllergens } from '#menu/dish-allergens.ts';
import type { Allergens, Item } from '#menu/menu-shapes.ts';

/** An allergen that somebody avoids, in a dish or a choice. */
export interface AllergenConflict {
  code: AllergenCode;
  kind: ConflictKind;
}

/**
 * Those of the avoided allergens that these parts have together, or about which one of them says nothing. What one part
 * is known to contain counts, also when another part's allergens are not stated.
 */
export function conflictsOf(parts: readonly Allergens[], avoided: readonly string[]): AllergenConflict[] {
  const says = (field: 'contains' | 'may_contain', code: AllergenCode) =>
    parts.some((part) => part?.[field].includes(code));
  return allergenCodes.flatMap((code): AllergenConflict[] => {
    if (!avoided.includes(code)) return [];
    if (says('contains', code)) return [{ code, kind: 'contains' }];
    if (says('may_contain', code)) return [{ code, kind: 'may_contain' }];
    return parts.includes(null) ? [{ code, kind: 'not_stated' }] : [];
  });
}

/** The same of a dish before anything is chosen: what only some choices bring is marked at those choices. */
export function dishConflicts(
  item: Pick<Item, 'allergens' | 'option_groups'>,
  avoided: readonly string[],
): AllergenConflict[] {
  if (avoided.length === 0) return [];
  const dish = dishAllergens(item);
  return conflictsOf(dish ? [dish] : [item.allergens, null], avoided);
}

/** The codes of one kind, in the law's order. */
export function codesOf(conflicts: readonly AllergenConflict[], kind: ConflictKind): AllergenCode[] {
  return conflicts.filter((conflict) => conflict.kind === kind).map(({ code }) => code);
}
