import type { Item } from '#menu/menu-shapes.ts';

/** The choices of a dish that have not all fourteen answers, by name and group. */
export function unstatedChoices({ option_groups: groups = [] }: Pick<Item, 'option_groups'>): string[] {
  return groups.flatMap((group) =>
    (group.options ?? []).filter(({ allergens }) => !allergens).map(({ name }) => `${name} (${group.name})`),
  );
}
