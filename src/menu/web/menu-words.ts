import { m } from '#messages';
import type { AllergenCode, Allergens, Dietary, OptionGroup } from '#menu/contract.ts';

const allergenNames: Record<AllergenCode, () => string> = {
  celery: m.menu_allergen_celery,
  gluten: m.menu_allergen_gluten,
  crustaceans: m.menu_allergen_crustaceans,
  eggs: m.menu_allergen_eggs,
  fish: m.menu_allergen_fish,
  lupin: m.menu_allergen_lupin,
  milk: m.menu_allergen_milk,
  molluscs: m.menu_allergen_molluscs,
  mustard: m.menu_allergen_mustard,
  nuts: m.menu_allergen_nuts,
  peanuts: m.menu_allergen_peanuts,
  sesame: m.menu_allergen_sesame,
  soya: m.menu_allergen_soya,
  sulphites: m.menu_allergen_sulphites,
};

const dietaryNames: Record<Dietary, () => string> = {
  vegetarian: m.menu_diet_vegetarian,
  vegan: m.menu_diet_vegan,
  halal: m.menu_diet_halal,
  gluten_free: m.menu_diet_gluten_free,
};

/** What a dish contains in a sentence or two; "ask the shop" where it is not stated. */
export function allergenWords(allergens: Allergens): string {
  if (!allergens) return m.menu_allergens_not_stated();
  const { contains, may_contain } = allergens;
  const sentences = [];
  if (contains.length > 0) sentences.push(m.menu_contains({ list: nameAll(contains) }));
  if (may_contain.length > 0) sentences.push(m.menu_may_contain({ list: nameAll(may_contain) }));
  return sentences.join(' ') || m.menu_contains_none();
}

/** A vegan dish is vegetarian too; that need not be said. */
export function dietWords(dietary: readonly Dietary[]): string[] {
  return dietary
    .filter((diet) => diet !== 'vegetarian' || !dietary.includes('vegan'))
    .map((diet) => dietaryNames[diet]());
}

export function spiceWords(level: number): string {
  if (level >= 3) return m.menu_spice_hot();
  return level === 2 ? m.menu_spice_medium() : m.menu_spice_mild();
}

/** `Required · choose 1`, `Choose up to 3 · first 2 free` … */
export function groupRuleWords(group: Pick<OptionGroup, 'min_select' | 'max_select' | 'free_select'>): string {
  const { min_select: min, max_select: max, free_select: free } = group;
  const parts = [min > 0 ? m.menu_group_required() : m.menu_group_optional()];
  if (min > 0) parts.push(min === max ? m.menu_group_choose({ min }) : m.menu_group_choose_between({ min, max }));
  else if (max < 50) parts.push(m.menu_group_choose_up_to({ max }));
  if (free > 0) parts.push(m.menu_group_free({ free }));
  return parts.join(' · ');
}

/** Everything that the menu can be narrowed by, in words. */
export const dietChoices = Object.entries(dietaryNames);
export const allergenChoices = Object.entries(allergenNames);

export function allergenName(code: AllergenCode): string {
  return allergenNames[code]();
}

export function nameAll(codes: readonly AllergenCode[]): string {
  return codes.map(allergenName).join(', ');
}
