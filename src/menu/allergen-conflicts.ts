import { type AllergenCode, allergenCodes, type ConflictKind } from '#database/page-values.ts';
import { dishAfterChoices, dishAllergens, type MadeChoice, type DishWithAllergens } from '#menu/dish-allergens.ts';
import type { Allergens, Option } from '#menu/menu-shapes.ts';

/**
 * An allergen that a customer avoids. `kind` says whether a dish or choice contains it, may contain it or does not
 * state it.
 */
export interface AllergenConflict {
  code: AllergenCode;
  kind: ConflictKind;
}

/**
 * Returns the avoided allergens that these parts contain, may contain or do not state. If one part contains an allergen
 * and another does not state its allergens, the conflict's `kind` is `contains`.
 */
export function allergenConflictsOf(parts: readonly Allergens[], avoided: readonly string[]): AllergenConflict[] {
  const says = (field: 'contains' | 'may_contain', code: AllergenCode) =>
    parts.some((part) => part?.[field].includes(code));
  return allergenCodes.flatMap((code): AllergenConflict[] => {
    if (!avoided.includes(code)) return [];
    if (says('contains', code)) return [{ code, kind: 'contains' }];
    if (says('may_contain', code)) return [{ code, kind: 'may_contain' }];
    return parts.includes(null) ? [{ code, kind: 'not_stated' }] : [];
  });
}

/**
 * The conflicts of a dish after the choices so far. A conflict that depends on further choices is left out, because
 * each choice shows its own conflicts.
 */
export function dishConflicts(
  item: DishWithAllergens,
  avoided: readonly string[],
  selected: readonly MadeChoice[] = [],
): AllergenConflict[] {
  if (avoided.length === 0) return [];
  const dish = dishAllergens(dishAfterChoices(item, selected));
  if (dish) return allergenConflictsOf([dish], avoided);
  const known = { ...dishAfterChoices(item, selected), allergens: nothing };
  const open = known.option_groups?.map((group) => ({ ...group, options: group.options?.map(statedOnly) }));
  const own = [item.allergens, ...selected.map(({ option }) => option.allergens)];
  return allergenConflictsOf([...own, dishAllergens({ ...known, option_groups: open }), null], avoided);
}

/**
 * A dish's answer about an avoided allergen. `by_choice`: the allergen depends on the customer's choices. `free`: the
 * dish and all of its options state that they lack the allergen.
 */
export interface AllergenAnswer {
  code: AllergenCode;
  kind: ConflictKind | 'by_choice' | 'free';
}

/** Returns the answer about each avoided allergen before the customer chooses. */
export function avoidedAllergenAnswers(item: DishWithAllergens, avoided: readonly AllergenCode[]): AllergenAnswer[] {
  if (avoided.length === 0) return [];
  const conflicts = dishConflicts(item, avoided);
  const dish = dishAllergens(item);
  return avoided.map((code): AllergenAnswer => {
    const conflict = conflicts.find((each) => each.code === code);
    if (conflict) return conflict;
    if (dish?.by_choice.includes(code) || dish?.by_extras.includes(code)) return { code, kind: 'by_choice' };
    return { code, kind: !dish || dish.is_partly_unstated ? 'not_stated' : 'free' };
  });
}

const nothing = { contains: [], may_contain: [] };

function statedOnly(option: Option): Option {
  return { ...option, allergens: option.allergens ?? nothing };
}

export function conflictCodes<Kind extends string>(
  conflicts: readonly { code: AllergenCode; kind: Kind }[],
  kind: Kind,
): AllergenCode[] {
  return conflicts.filter((conflict) => conflict.kind === kind).map(({ code }) => code);
}
