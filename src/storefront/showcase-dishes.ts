import type { Item, Menu } from '#menu/menu-shapes.ts';
import { canFillRequiredChoices } from '#menu/sold-out.ts';

/**
 * Picks up to `count` orderable dishes with a picture and no minimum age: first one from each category, then a second
 * and a third.
 */
export function pickShowcaseDishes(menus: readonly Menu[], count: number): Item[] {
  const columns = menus
    .flatMap((menu) => menu.categories ?? [])
    .map((category) =>
      (category.items ?? []).filter((item) => item.image && item.min_age === null && canBeOrdered(item)),
    );
  const picked = new Set<Item>();
  const seen = new Set<string>();
  for (let row = 0; row < 3; row++) {
    for (const column of columns) {
      const item = column[row];
      if (picked.size >= count) return [...picked];
      if (item && !seen.has(item.id)) picked.add(item);
      if (item) seen.add(item.id);
    }
  }
  return [...picked];
}

function canBeOrdered({ is_available: isAvailable, option_groups: groups = [] }: Item): boolean {
  return isAvailable && canFillRequiredChoices(groups, (option) => option.is_available);
}
