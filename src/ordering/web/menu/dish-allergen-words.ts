import { m } from '#messages';
import type { DishAllergens } from '#menu/dish-allergens.ts';
import { allergenWords, nameAll } from '#menu/web/allergen-words.ts';

/** What a dish contains before anything is chosen, and what choices can bring, in sentences. */
export function dishAllergenWords(dish: DishAllergens | null): string {
  if (!dish) return m.menu_allergens_not_stated();
  const sentences = [];
  if (dish.contains.length + dish.may_contain.length > 0) sentences.push(allergenWords(dish));
  if (dish.by_choice.length > 0) sentences.push(m.menu_by_choice({ list: nameAll(dish.by_choice) }));
  if (dish.by_extras.length > 0) sentences.push(m.menu_by_extras({ list: nameAll(dish.by_extras) }));
  if (dish.is_partly_unstated) sentences.push(m.menu_partly_unstated());
  return sentences.join(' ') || m.menu_contains_none();
}
