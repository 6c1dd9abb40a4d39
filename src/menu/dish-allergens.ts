import { type AllergenCode, allergenCodes } from '#database/page-values.ts';
import type { Allergens, Item, Option, OptionGroup } from '#menu/menu-shapes.ts';
import { canFillRequiredChoices } from '#menu/sold-out.ts';

/** Values of the query parameter `category` on the allergens page: every section, or the section that lists options. */
export const everyCategory = 'all';
export const choicesCategory = 'choices';

export type DishWithAllergens = Pick<Item, 'allergens' | 'option_groups'>;

export interface MadeChoice {
  group: OptionGroup;
  option: Option;
  quantity: number;
}

/** A dish's allergens before a customer chooses. The lists go from the most certain to the least. */
export interface DishAllergens {
  /** Allergens that the dish contains whichever options are chosen. */
  contains: AllergenCode[];
  /** Allergens that the dish may contain whichever options are chosen. */
  may_contain: AllergenCode[];
  /**
   * Allergens that some required or default options bring. An allergen of `may_contain` is listed here as well if such
   * an option contains it for certain.
   */
  by_choice: AllergenCode[];
  /** Like `by_choice`, but for allergens that some optional extra brings and no required or default option brings. */
  by_extras: AllergenCode[];
  /** Whether some option's allergens are not stated, so that no allergen can be excluded. */
  is_partly_unstated: boolean;
}

/**
 * Combines the allergens of a dish with those of its options, including sold-out options. Returns null if the dish does
 * not state its allergens. Also returns null if a required group cannot be filled with options whose allergens are
 * stated. Customers then read “ask the shop”.
 */
export function dishAllergens(item: DishWithAllergens): DishAllergens | null {
  const { allergens: own, option_groups: groups = [] } = item;
  if (!own || !canFillRequiredChoices(groups, ({ allergens }) => allergens !== null)) return null;
  const options = groups.flatMap((group) => (group.options ?? []).map((option) => ({ group, option })));
  const dish: DishAllergens = {
    contains: [],
    may_contain: [],
    by_choice: [],
    by_extras: [],
    is_partly_unstated: false,
  };
  dish.is_partly_unstated = options.some(({ option }) => option.allergens === null);
  const chosen = options.filter(({ group, option }) => group.min_select > 0 || option.is_default);
  for (const code of allergenCodes) {
    const unwanted = new Set([code]);
    const canBeLeftOut = canFillRequiredChoices(groups, ({ allergens }) => !allergens?.contains.includes(code));
    if (own.contains.includes(code) || !canBeLeftOut) {
      dish.contains.push(code);
      continue;
    }
    const isPossible = !canBeHadWithoutAllergens(item, unwanted);
    if (isPossible) dish.may_contain.push(code);
    const bring = ({ option: { allergens } }: { option: Option }) =>
      allergens !== null && (isPossible ? allergens.contains.includes(code) : !isFree(allergens, unwanted));
    if (chosen.some(bring)) dish.by_choice.push(code);
    else if (options.some(bring)) dish.by_extras.push(code);
  }
  return dish;
}

/**
 * Returns the dish after the choices so far. The chosen options' allergens join the dish's own, and only groups that
 * still need a choice remain.
 */
export function dishAfterChoices(item: DishWithAllergens, selected: readonly MadeChoice[]): DishWithAllergens {
  const isChosen = (id: string) => selected.some(({ option }) => option.id === id);
  const countOf = ({ id }: OptionGroup) =>
    selected.reduce((sum, { group, quantity }) => sum + (group.id === id ? quantity : 0), 0);
  const open = (item.option_groups ?? [])
    .filter((group) => countOf(group) < group.min_select)
    .map((group) => (isChosen(group.shown_when_option_id ?? '') ? { ...group, shown_when_option_id: null } : group));
  // A group with a condition counts only if the option in its condition can still be chosen.
  const needsAnswer = ({ shown_when_option_id: trigger }: OptionGroup, seen: readonly OptionGroup[]): boolean =>
    !trigger ||
    open.some(
      (other) =>
        !seen.includes(other) &&
        other.options?.some(({ id }) => id === trigger) === true &&
        needsAnswer(other, [...seen, other]),
    );
  return {
    allergens: joinAllergens([item.allergens, ...selected.map(({ option }) => option.allergens)]),
    option_groups: open.filter((group) => needsAnswer(group, [group])),
  };
}

/**
 * Joins the allergens of a dish and its choices; null if any part's allergens are not stated. A contained allergen is
 * not repeated in `may_contain`.
 */
export function joinAllergens(parts: readonly Allergens[]): Allergens {
  const contains = new Set<NonNullable<Allergens>['contains'][number]>();
  const may = new Set<NonNullable<Allergens>['contains'][number]>();
  for (const part of parts) {
    if (part === null) return null;
    for (const code of part.contains) contains.add(code);
    for (const code of part.may_contain) may.add(code);
  }
  return { contains: [...contains], may_contain: [...may].filter((code) => !contains.has(code)) };
}

/**
 * Whether a dish can be ordered without these allergens. The dish must state that it lacks them. Enough options for its
 * required groups must state the same.
 */
export function canBeHadWithoutAllergens(
  { allergens, option_groups: groups = [] }: DishWithAllergens,
  unwanted: ReadonlySet<string>,
): boolean {
  return isFree(allergens, unwanted) && canFillRequiredChoices(groups, (option) => isFree(option.allergens, unwanted));
}

function isFree(allergens: Allergens, unwanted: ReadonlySet<string>): boolean {
  return (
    allergens !== null &&
    !allergens.contains.some((code) => unwanted.has(code)) &&
    !allergens.may_contain.some((code) => unwanted.has(code))
  );
}

export function choicesWithoutStatedAllergens({
  option_groups: groups = [],
}: Pick<DishWithAllergens, 'option_groups'>): string[] {
  return groups.flatMap((group) =>
    (group.options ?? []).filter(({ allergens }) => !allergens).map(({ name }) => `${name} (${group.name})`),
  );
}
