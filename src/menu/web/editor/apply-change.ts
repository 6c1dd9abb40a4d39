import type { MenuParts } from '#menu/endpoints-editing.ts';
import { type Change, deedOf, idsIn, type LinkParent } from '#menu/web/editor/menu-change.ts';
import { listOf, type PartKind } from '#menu/web/editor/menu-part.ts';

/** What a new thing is until the server says more: its defaults are the server's. */
const fresh: Record<PartKind, Record<string, unknown>> = {
  menu: { description: '', is_active: true, availability: null },
  category: { description: '', image: null, is_active: true, item_ids: [] },
  item: {
    kitchen_name: null,
    description: '',
    image: null,
    vat_rate: 2000,
    is_active: true,
    is_available: true,
    unavailable_until: null,
    allergens: null,
    dietary: [],
    spice_level: 0,
    min_age: null,
    prep_minutes: null,
    max_per_order: null,
    station: null,
    option_groups: [],
  },
  group: { min_select: 0, max_select: 1, free_select: 0, max_per_option: 1, options: [] },
  option: {
    price: 0,
    is_default: false,
    is_available: true,
    unavailable_until: null,
    vat_rate: null,
    allergens: null,
  },
};

/** The menu as it will be when the server has made these changes: what an editor shows at once. */
export function applyChanges(parts: MenuParts, changes: readonly Change[]): MenuParts {
  return changes.reduce(applyChange, parts);
}

export function applyChange(parts: MenuParts, change: Change): MenuParts {
  const deed = deedOf(change);
  const { id = '' } = change;
  switch (deed.kind) {
    case 'create':
      return applyCreate(parts, deed.part, change.body);
    case 'patch':
      return applyPatch(parts, deed.part, id, change.body);
    case 'delete':
      return applyDelete(parts, deed.part, id);
    case 'restore':
      // Only the server knows what comes back; the next reading shows it.
      return parts;
    case 'reorderCategories':
      return withCategoryOrder(parts, idsIn(change, 'ids'));
    default: {
      const ids = idsIn(change, deed.field);
      if (deed.kind === 'link')
        return relink(parts, deed.parent, id, (now) => [...now, ...ids.filter((one) => !now.includes(one))]);
      if (deed.kind === 'unlink')
        return dropLost(relink(parts, deed.parent, id, (now) => now.filter((one) => !ids.includes(one))));
      return relink(parts, deed.parent, id, (now) => ids.filter((one) => now.includes(one)));
    }
  }
}

function applyCreate(parts: MenuParts, kind: PartKind, body: Record<string, unknown>): MenuParts {
  const list = listOf[kind];
  const known: { id: string }[] = parts[list];
  if (known.some((one) => one.id === body['id'])) return parts;
  const position =
    kind === 'category' ? parts.categories.filter((one) => one.menu_id === body['menu_id']).length : known.length;
  const { store_id: _store, ...own } = body;
  const part = {
    ...fresh[kind],
    ...own,
    ...(kind === 'menu' && { store_id: parts.store_id }),
    ...((kind === 'menu' || kind === 'category') && { position }),
  };
  // The call's body was made by this editor for this very kind.
  return { ...parts, [list]: [...known, part] } as MenuParts;
}

function applyPatch(parts: MenuParts, kind: PartKind, id: string, body: Record<string, unknown>): MenuParts {
  const { was: _was, option_groups: conditions, options: prices, ...fields } = body;
  const list = listOf[kind];
  const change = <T extends { id: string }>(part: T): T => {
    if (part.id !== id) return part;
    const next = { ...part, ...fields };
    if (Array.isArray(conditions) && 'option_groups' in part)
      return { ...next, option_groups: mergeLinks(part.option_groups, conditions) };
    if (Array.isArray(prices) && 'options' in part) return { ...next, options: mergeLinks(part.options, prices) };
    return next;
  };
  const before = kind === 'category' ? parts.categories.find((one) => one.id === id) : undefined;
  const next = { ...parts, [list]: (parts[list] as { id: string }[]).map(change) } as MenuParts;
  if (!before || !('menu_id' in fields) || fields['menu_id'] === before.menu_id) return next;
  // A category that moves to another menu stands at its end.
  const moved = next.categories.find((one) => one.id === id);
  return { ...next, categories: [...next.categories.filter((one) => one.id !== id), ...(moved ? [moved] : [])] };
}

/** Links keep their order; those named take what is said of them. */
function mergeLinks(links: unknown, said: readonly unknown[]): unknown {
  const about = new Map((said as { id: string }[]).map((one) => [one.id, one]));
  return (links as { id: string }[]).map((one) => about.get(one.id) ?? one);
}

function applyDelete(parts: MenuParts, kind: PartKind, id: string): MenuParts {
  const without = <T extends { id: string }>(list: readonly T[]): T[] => list.filter((one) => one.id !== id);
  switch (kind) {
    case 'menu':
      return {
        ...parts,
        menus: without(parts.menus),
        categories: parts.categories.filter((one) => one.menu_id !== id),
      };
    case 'category':
      return { ...parts, categories: without(parts.categories) };
    case 'item':
      return {
        ...parts,
        items: without(parts.items),
        categories: parts.categories.map((one) =>
          one.item_ids.includes(id) ? { ...one, item_ids: one.item_ids.filter((item) => item !== id) } : one,
        ),
      };
    case 'group':
      return dropLost({
        ...parts,
        option_groups: without(parts.option_groups),
        items: parts.items.map((one) =>
          one.option_groups.some((group) => group.id === id)
            ? { ...one, option_groups: without(one.option_groups) }
            : one,
        ),
      });
    case 'option':
      return dropLost({
        ...parts,
        options: without(parts.options),
        option_groups: parts.option_groups.map((one) =>
          one.options.some((option) => option.id === id) ? { ...one, options: without(one.options) } : one,
        ),
      });
  }
}

/** A group whose condition went away shows always, as on the server. */
function dropLost(parts: MenuParts): MenuParts {
  const offered = new Map(parts.option_groups.map((group) => [group.id, new Set(group.options.map(({ id }) => id))]));
  const isLost = (item: MenuParts['items'][number], group: MenuParts['items'][number]['option_groups'][number]) =>
    group.shown_when_option_id !== null &&
    !item.option_groups.some(
      (other) => other.id !== group.id && offered.get(other.id)?.has(group.shown_when_option_id ?? ''),
    );
  return {
    ...parts,
    items: parts.items.map((item) =>
      item.option_groups.some((group) => isLost(item, group))
        ? {
            ...item,
            option_groups: item.option_groups.map((group) =>
              isLost(item, group) ? { ...group, shown_when_option_id: null } : group,
            ),
          }
        : item,
    ),
  };
}

function relink(parts: MenuParts, parent: LinkParent, id: string, change: (now: string[]) => string[]): MenuParts {
  if (parent === 'category') {
    return {
      ...parts,
      categories: parts.categories.map((one) => (one.id === id ? { ...one, item_ids: change(one.item_ids) } : one)),
    };
  }
  if (parent === 'item') {
    return {
      ...parts,
      items: parts.items.map((one) =>
        one.id === id
          ? {
              ...one,
              option_groups: relisted(one.option_groups, change, (group) => ({
                id: group,
                shown_when_option_id: null,
              })),
            }
          : one,
      ),
    };
  }
  return {
    ...parts,
    option_groups: parts.option_groups.map((one) =>
      one.id === id
        ? { ...one, options: relisted(one.options, change, (option) => ({ id: option, price_override: null })) }
        : one,
    ),
  };
}

function relisted<T extends { id: string }>(
  now: readonly T[],
  change: (ids: string[]) => string[],
  make: (id: string) => T,
): T[] {
  const known = new Map(now.map((one) => [one.id, one]));
  return change(now.map((one) => one.id)).map((id) => known.get(id) ?? make(id));
}

function withCategoryOrder(parts: MenuParts, ids: readonly string[]): MenuParts {
  const place = new Map(ids.map((id, index) => [id, index]));
  const moved = parts.categories
    .filter((one) => place.has(one.id))
    .toSorted((a, b) => (place.get(a.id) ?? 0) - (place.get(b.id) ?? 0));
  return { ...parts, categories: parts.categories.map((one) => (place.has(one.id) ? (moved.shift() ?? one) : one)) };
}
