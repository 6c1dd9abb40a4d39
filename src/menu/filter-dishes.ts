import type { AllergenCode, Allergens, Item } from '#menu/menu-shapes.ts';
import { canBeHadWithout } from '#menu/dish-allergens.ts';

/** What a guest wants of a dish. Codes that nothing has are let through, since they come from an address. */
export interface DishFilter {
  diets: readonly string[];
  /** Allergens that must not be in it, nor possibly in it. */
  without: readonly string[];
}

/** Whether a dish can be had so. What is not stated is never taken for free of anything. */
export function passesFilter(item: Item, { diets, without }: DishFilter): boolean {
  return (
    diets.every((diet) => hasDiet(item, diet)) && (without.length === 0 || canBeHadWithout(item, new Set(without)))
  );
}

/** Those of `unwanted` that a dish with its choices contains or may contain. */
export function unwantedIn(allergens: Allergens, unwanted: readonly string[]): AllergenCode[] {
  if (!allergens) return [];
  return [...allergens.contains, ...allergens.may_contain].filter((code) => unwanted.includes(code));
}

/** What is vegan is vegetarian too, said or not. */
function hasDiet({ dietary }: Item, diet: string): boolean {
  return dietary.some((own) => own === diet || (diet === 'vegetarian' && own === 'vegan'));
}
