import { m } from '#messages';
import type { DishAllergens } from '#menu/dish-allergens.ts';
import type { AllergenCode, Allergens } from '#menu/menu-shapes.ts';

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

export const allergenNameEntries = Object.entries(allergenNames);

/** The allergens of a dish in one or two sentences; "ask the shop" if they are not stated. */
export function allergenWords(allergens: Allergens): string {
  if (!allergens) return m.menu_allergens_not_stated();
  const { contains, may_contain } = allergens;
  const sentences = [];
  if (contains.length > 0) sentences.push(m.menu_contains({ list: allergenListWords(contains) }));
  if (may_contain.length > 0) sentences.push(m.menu_may_contain({ list: allergenListWords(may_contain) }));
  return sentences.join(' ') || m.menu_contains_none();
}

/** Returns sentences about the allergens that a dish has before any choice, and about those that choices can add. */
export function dishAllergenWords(dish: DishAllergens | null): string {
  if (!dish) return m.menu_allergens_not_stated();
  const sentences = [];
  if (dish.contains.length + dish.may_contain.length > 0) sentences.push(allergenWords(dish));
  if (dish.by_choice.length > 0) sentences.push(m.menu_by_choice({ list: allergenListWords(dish.by_choice) }));
  if (dish.by_extras.length > 0) sentences.push(m.menu_by_extras({ list: allergenListWords(dish.by_extras) }));
  if (dish.is_partly_unstated) sentences.push(m.menu_partly_unstated());
  return sentences.join(' ') || m.menu_contains_none();
}

export function allergenName(code: AllergenCode): string {
  return allergenNames[code]();
}

export function allergenListWords(codes: readonly AllergenCode[]): string {
  return codes.map(allergenName).join(', ');
}
