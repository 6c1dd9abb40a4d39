import { m } from '#messages';
import { unlimitedMaxSelect } from '#menu/option-rules.ts';
import type { Dietary, OptionGroup } from '#menu/menu-shapes.ts';

const dietaryNames: Record<Dietary, () => string> = {
  vegetarian: m.menu_diet_vegetarian,
  vegan: m.menu_diet_vegan,
  halal: m.menu_diet_halal,
  gluten_free: m.menu_diet_gluten_free,
};

/** The words of a dish's diets. A vegan dish is always vegetarian, so only "vegan" is shown. */
export function dietWords(dietary: readonly Dietary[]): string[] {
  return dietary
    .filter((diet) => diet !== 'vegetarian' || !dietary.includes('vegan'))
    .map((diet) => dietaryNames[diet]());
}

export function spiceWords(level: number): string {
  if (level >= 3) return m.menu_spice_hot();
  return level === 2 ? m.menu_spice_medium() : m.menu_spice_mild();
}

export const dietNameEntries = Object.entries(dietaryNames);

/** A group's rules in a few words: `Required · choose 1`, `Choose up to 3 · first 2 free` … */
export function groupRuleWords(group: Pick<OptionGroup, 'min_select' | 'max_select' | 'free_select'>): string {
  const { min_select: min, max_select: max, free_select: free } = group;
  const parts = [min > 0 ? m.menu_group_required() : m.menu_group_optional()];
  if (min > 0) parts.push(min === max ? m.menu_group_choose({ min }) : m.menu_group_choose_between({ min, max }));
  else if (max < unlimitedMaxSelect) parts.push(m.menu_group_choose_up_to({ max }));
  if (free > 0) parts.push(m.menu_group_free({ free }));
  return parts.join(' · ');
}
