import { m } from '#messages';
import type { OptionGroup } from '#menu/menu-shapes.ts';

/** `Required · choose 1`, `Choose up to 3 · first 2 free` … */
export function groupRuleWords(group: Pick<OptionGroup, 'min_select' | 'max_select' | 'free_select'>): string {
  const { min_select: min, max_select: max, free_select: free } = group;
  const parts = [min > 0 ? m.menu_group_required() : m.menu_group_optional()];
  if (min > 0) parts.push(min === max ? m.menu_group_choose({ min }) : m.menu_group_choose_between({ min, max }));
  else if (max < 50) parts.push(m.menu_group_choose_up_to({ max }));
  if (free > 0) parts.push(m.menu_group_free({ free }));
  return parts.join(' · ');
}
