import type { Item } from '#menu/menu-shapes.ts';
import { canBeHadWithoutAllergens } from '#menu/dish-allergens.ts';

/** A customer's filter. Unknown codes are accepted, because a page's address may contain them. */
export interface DishFilter {
  diets: readonly string[];
  without: readonly string[];
}

/** Whether a dish passes the filter. Unstated allergens never count as absent. */
export function passesDishFilter(item: Item, { diets, without }: DishFilter): boolean {
  return (
    diets.every((diet) => hasDiet(item, diet)) &&
    (without.length === 0 || canBeHadWithoutAllergens(item, new Set(without)))
  );
}

/** Whether a dish has a diet. A vegan dish counts as vegetarian. */
function hasDiet({ dietary }: Item, diet: string): boolean {
  return dietary.some((own) => own === diet || (diet === 'vegetarian' && own === 'vegan'));
}
