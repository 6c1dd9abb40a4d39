import type { Menu } from '#menu/menu-shapes.ts';
import { type DishAllergens, dishAllergens } from '#menu/dish-allergens.ts';
import { compareNames } from '#platform/compare-names.ts';

export interface AllergenRow {
  id: string;
  name: string;
  /** With what must and can be chosen; null: ask the shop. */
  allergens: DishAllergens | null;
}

/** A category's dishes; the last part, without a name, has what can be chosen with them. */
export interface AllergenPart {
  name: string | null;
  rows: AllergenRow[];
}

/** Every dish once, under the first category it stands in, and every option once, however many groups offer it. */
export function listAllergens(menus: readonly Menu[]): AllergenPart[] {
  const seen = new Set<string>();
  const extras = new Map<string, AllergenRow>();
  const parts: AllergenPart[] = [];
  for (const category of menus.flatMap((menu) => menu.categories ?? [])) {
    const rows: AllergenRow[] = [];
    for (const item of category.items ?? []) {
      const { id, name } = item;
      if (seen.has(id)) continue;
      seen.add(id);
      rows.push({ id, name, allergens: dishAllergens(item) });
      for (const option of (item.option_groups ?? []).flatMap((group) => group.options ?? [])) {
        const key = `${option.name.toLowerCase()} ${JSON.stringify(option.allergens)}`;
        if (extras.has(key)) continue;
        extras.set(key, {
          id: option.id,
          name: option.name,
          allergens: dishAllergens({ allergens: option.allergens }),
        });
      }
    }
    if (rows.length > 0) parts.push({ name: category.name, rows });
  }
  const chosen = [...extras.values()].toSorted((a, b) => compareNames(a.name, b.name));
  return chosen.length > 0 ? [...parts, { name: null, rows: chosen }] : parts;
}
