import { m } from '#messages';
import { servedDays } from '#menu/menu-availability.ts';
import type { Category, Item, Menu } from '#menu/menu-shapes.ts';

export interface ShownCategory extends Category {
  items: Item[];
  /** When its menu is served, for one that is not served all day. */
  served: string | null;
}

/** The categories of a menu page, top to bottom, whose dishes are for sale at all. */
export function shownCategories(menus: readonly Menu[]): ShownCategory[] {
  const shown: ShownCategory[] = [];
  for (const menu of menus) {
    for (const category of menu.categories ?? []) {
      const items = (category.items ?? []).filter((item) => item.is_active);
      if (category.is_active && items.length > 0) shown.push({ ...category, items, served: servedWords(menu) });
    }
  }
  return shown;
}

function servedWords({ availability }: Menu): string | null {
  if (availability === null) return null;
  const { from, to } = availability;
  if (from !== to) return m.menu_served({ from, to });
  const days = servedDays(availability);
  return days && m.menu_served_days({ days });
}
