import { m } from '#messages';
import type { Dietary } from '#menu/menu-shapes.ts';

const dietaryNames: Record<Dietary, () => string> = {
  vegetarian: m.menu_diet_vegetarian,
  vegan: m.menu_diet_vegan,
  halal: m.menu_diet_halal,
  gluten_free: m.menu_diet_gluten_free,
};

/** A vegan dish is always vegetarian, so only "vegan" is shown. */
export function dietWords(dietary: readonly Dietary[]): string[] {
  return dietary
    .filter((diet) => diet !== 'vegetarian' || !dietary.includes('vegan'))
    .map((diet) => dietaryNames[diet]());
}

export function spiceWords(level: number): string {
  if (level >= 3) return m.menu_spice_hot();
  return level === 2 ? m.menu_spice_medium() : m.menu_spice_mild();
}

/** Every diet by code, with its name. */
export const dietChoices = Object.entries(dietaryNames);
