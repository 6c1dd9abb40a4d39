import type { MenuIndex } from '#menu/menu-index.ts';
import { compareNames } from '#platform/compare-names.ts';
import { nameFinder } from '#menu/search-names.ts';
import { isSoldOut } from '#menu/sold-out.ts';

/** Something that can be sold out. */
export interface Stock {
  kind: 'item' | 'option';
  id: string;
  name: string;
  /** The names of the option's groups, separated by commas. */
  group: string;
  is_available: boolean;
  unavailable_until: string | null;
}

/** Dishes and options whose name contains every word of `text`: those sold out at `now` first, then dishes, then options. */
export function findStock({ items }: MenuIndex, text: string, now: Date): Stock[] {
  const found = new Map<string, Stock & { groups: Set<string> }>();
  for (const { item, groups } of items.values()) {
    const { id, name, is_available, unavailable_until } = item;
    found.set(id, { kind: 'item', id, name, group: '', is_available, unavailable_until, groups: new Set() });
    for (const { group, options } of groups.values()) {
      for (const { option } of options.values()) {
        const known = found.get(option.id);
        if (known) known.groups.add(group.name);
        else found.set(option.id, { ...option, kind: 'option', group: '', groups: new Set([group.name]) });
      }
    }
  }
  const isFound = nameFinder(text);
  return [...found.values()]
    .filter(({ name }) => isFound(name))
    .map(({ groups, kind, id, name, is_available, unavailable_until }) => ({
      kind,
      id,
      name,
      group: [...groups].join(', '),
      is_available,
      unavailable_until,
    }))
    .sort((a, b) => rank(a, now) - rank(b, now) || compareNames(a.name, b.name));
}

function rank(thing: Stock, now: Date): number {
  if (isSoldOut(thing, now)) return 0;
  return thing.kind === 'item' ? 1 : 2;
}
