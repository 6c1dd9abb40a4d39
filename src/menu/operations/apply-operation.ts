import type { MenuParts } from '#menu/fields.ts';
import {
  type ChangeOperation,
  linkedChildIds,
  type CreateOperation,
  findPart,
  type LinkOperation,
  type LinkParent,
  partListNames,
  type MenuOperation,
  type MenuPart,
  type PartOf,
  type RemoveOperation,
  type ReorderOperation,
  type ReorderCategoriesOperation,
  newPartWithDefaults,
  type UnlinkOperation,
} from '#menu/operations/menu-operation.ts';
import { consistentAllergenFields } from '#menu/allergen-answers.ts';
import { normaliseStockFields } from '#menu/sold-out.ts';
import { isWithinAvailability } from '#menu/menu-availability.ts';
import type { Store } from '#store/contract.ts';

export function applyOperations(parts: MenuParts, operations: readonly MenuOperation[]): MenuParts {
  return operations.reduce(applyOperation, parts);
}

export function applyOperation(parts: MenuParts, operation: MenuOperation): MenuParts {
  switch (operation.kind) {
    case 'create':
      return applyCreate(parts, operation);
    case 'change':
      return applyChange(parts, operation);
    case 'remove':
      return applyRemove(parts, operation);
    case 'restore':
      // Only the server has the deleted part. The next read of the menu contains the part.
      return parts;
    case 'link':
      return applyLink(parts, operation);
    case 'unlink':
      return applyUnlink(parts, operation);
    case 'reorder': {
      const { children } = rebaseReorderOperation(parts, operation);
      if (operation.part === 'menu') return withCategoryOrder(parts, children);
      return withChildren(parts, operation.part, operation.id, children);
    }
  }
}

function applyCreate(parts: MenuParts, { part, fields }: CreateOperation): MenuParts {
  const list = partListNames[part];
  const known: readonly { id: string }[] = parts[list];
  if (known.some((one) => one.id === fields.id)) return parts;
  const owns = {
    menu: { store_id: parts.store_id, position: parts.menus.length },
    category: {
      item_ids: [],
      position: 'menu_id' in fields ? linkedChildIds(parts, 'menu', fields.menu_id).length : 0,
    },
    item: { option_groups: [] },
    group: { options: [] },
    option: {},
  }[part];
  // The cast is needed, because the compiler cannot tie the list's name to the operation's kind.
  return renumberPositions({
    ...parts,
    [list]: [...known, { ...newPartWithDefaults(part, fields), ...owns }],
  } as MenuParts);
}

function applyChange(parts: MenuParts, { part, id, fields }: ChangeOperation): MenuParts {
  const list = partListNames[part];
  const before = findPart(parts, part, id);
  if (!before) return parts;
  const known = 'allergens' in before ? before : undefined;
  const follows = {
    ...normaliseStockFields(fields),
    ...consistentAllergenFields(fields, known),
    ...changedLinks(before, fields),
  };
  const changed = { ...before, ...fields, ...follows };
  const all: readonly { id: string }[] = parts[list];
  // The cast is right: the list has parts of the operation's kind.
  const next = { ...parts, [list]: all.map((one) => (one.id === id ? changed : one)) } as MenuParts;
  if (!('menu_id' in before) || !('menu_id' in changed) || before.menu_id === changed.menu_id) return next;
  // A category that moves to another menu becomes that menu's last category.
  const isMoved = (category: PartOf<'category'>) => category.id === id;
  const others = next.categories.filter((category) => !isMoved(category));
  return renumberPositions({ ...next, categories: [...others, ...next.categories.filter(isMoved)] });
}

/** The part's links in their order, with the new values of the links that `fields` names. */
function changedLinks(before: PartOf<ChangeOperation['part']>, fields: ChangeOperation['fields']) {
  if ('option_groups' in before && 'option_groups' in fields && fields.option_groups)
    return { option_groups: mergeLinks(before.option_groups, fields.option_groups) };
  if ('options' in before && 'options' in fields && fields.options)
    return { options: mergeLinks(before.options, fields.options) };
  return {};
}

function mergeLinks<T extends { id: string }>(links: readonly T[], said: readonly T[]): T[] {
  const about = new Map(said.map((one) => [one.id, one]));
  return links.map((one) => about.get(one.id) ?? one);
}

function applyRemove(parts: MenuParts, { part, id }: RemoveOperation): MenuParts {
  const without = <T extends { id: string }>(list: readonly T[]): T[] => list.filter((one) => one.id !== id);
  const isIn = (links: readonly { id: string }[]): boolean => links.some((one) => one.id === id);
  switch (part) {
    case 'menu': {
      const categories = parts.categories.filter((one) => one.menu_id !== id);
      return renumberPositions({ ...parts, menus: without(parts.menus), categories });
    }
    case 'category':
      return renumberPositions({ ...parts, categories: without(parts.categories) });
    case 'item': {
      const items = without(parts.items);
      return parts.categories.reduce((now, category) => withoutChildren(now, 'category', category.id, [id]), {
        ...parts,
        items,
      });
    }
    case 'group': {
      const items = parts.items.map((one) =>
        isIn(one.option_groups) ? { ...one, option_groups: without(one.option_groups) } : one,
      );
      return removeDanglingConditions({ ...parts, option_groups: without(parts.option_groups), items });
    }
    case 'option': {
      const groups = parts.option_groups.map((one) =>
        isIn(one.options) ? { ...one, options: without(one.options) } : one,
      );
      return removeDanglingConditions({ ...parts, options: without(parts.options), option_groups: groups });
    }
  }
}

function applyLink(parts: MenuParts, { part, id, children }: LinkOperation): MenuParts {
  const now = linkedChildIds(parts, part, id);
  return withChildren(parts, part, id, [...now, ...children.filter((child) => !now.includes(child))]);
}

function applyUnlink(parts: MenuParts, { part, id, children }: UnlinkOperation): MenuParts {
  return removeDanglingConditions(withoutChildren(parts, part, id, children));
}

/** Removes an item's conditions on options that its other groups no longer offer. The groups are then always shown. */
export function removeDanglingConditions(parts: MenuParts): MenuParts {
  const offered = new Map(parts.option_groups.map((group) => [group.id, new Set(group.options.map(({ id }) => id))]));
  const isLost = ({ option_groups: links }: PartOf<'item'>, own: PartOf<'item'>['option_groups'][number]) =>
    own.shown_when_option_id !== null &&
    !links.some((other) => other.id !== own.id && offered.get(other.id)?.has(own.shown_when_option_id ?? ''));
  const items = parts.items.map((item) => {
    if (!item.option_groups.some((own) => isLost(item, own))) return item;
    const links = item.option_groups.map((own) => (isLost(item, own) ? { ...own, shown_when_option_id: null } : own));
    return { ...item, option_groups: links };
  });
  return { ...parts, items };
}

function withoutChildren(parts: MenuParts, part: LinkParent, id: string, gone: readonly string[]): MenuParts {
  const now = linkedChildIds(parts, part, id);
  const left = now.filter((child) => !gone.includes(child));
  return left.length === now.length ? parts : withChildren(parts, part, id, left);
}

/**
 * Gives a part this list of children. Links that existed keep their values. A newly linked group has no condition, a
 * newly linked option its own price.
 */
function withChildren(parts: MenuParts, part: LinkParent, id: string, children: readonly string[]): MenuParts {
  const change = <T extends { id: string }>(list: readonly T[], next: (one: T) => T): T[] =>
    list.map((one) => (one.id === id ? next(one) : one));
  switch (part) {
    case 'category':
      return { ...parts, categories: change(parts.categories, (one) => ({ ...one, item_ids: [...children] })) };
    case 'item': {
      const begin = (group: string) => ({ id: group, shown_when_option_id: null });
      const links = (one: PartOf<'item'>) => relist(one.option_groups, children, begin);
      return { ...parts, items: change(parts.items, (one) => ({ ...one, option_groups: links(one) })) };
    }
    case 'group': {
      const begin = (option: string) => ({ id: option, price_override: null });
      const links = (one: PartOf<'group'>) => relist(one.options, children, begin);
      return { ...parts, option_groups: change(parts.option_groups, (one) => ({ ...one, options: links(one) })) };
    }
  }
}

function relist<T extends { id: string }>(now: readonly T[], ids: readonly string[], begin: (id: string) => T): T[] {
  const known = new Map(now.map((one) => [one.id, one]));
  return ids.map((id) => known.get(id) ?? begin(id));
}

function withCategoryOrder(parts: MenuParts, ids: readonly string[]): MenuParts {
  const moved = ids.flatMap((id) => findPart(parts, 'category', id) ?? []);
  const isMoved = new Set(ids);
  return renumberPositions({
    ...parts,
    categories: parts.categories.map((one) => (isMoved.has(one.id) ? (moved.shift() ?? one) : one)),
  });
}

/**
 * Numbers menus and categories by position: 0 … n−1 without gaps. A part whose position is right stays the same object.
 */
export function renumberPositions(parts: MenuParts): MenuParts {
  const places = new Map<string, number>();
  const next = (list: string): number => {
    const place = places.get(list) ?? 0;
    places.set(list, place + 1);
    return place;
  };
  return {
    ...parts,
    menus: parts.menus.map((menu, position) => at(menu, position)),
    categories: parts.categories.map((category) => at(category, next(category.menu_id))),
  };
}

function at<T extends { position: number }>(part: T, position: number): T {
  return part.position === position ? part : { ...part, position };
}

/**
 * Applies a requested order to the current list. Ids that the list no longer has are dropped. Ids that are new in the
 * list follow their predecessor.
 */
export function mergeRequestedSequence(wished: readonly string[], today: readonly string[]): string[] {
  const merged = wished.filter((id) => today.includes(id));
  for (const [index, id] of today.entries()) {
    if (merged.includes(id)) continue;
    const before = today[index - 1];
    merged.splice(before === undefined ? 0 : merged.indexOf(before) + 1, 0, id);
  }
  return merged;
}

/** Adapts a reorder to the list in `parts`. A reorder of categories that no longer exist is returned unchanged. */
export function rebaseReorderOperation<T extends ReorderOperation | ReorderCategoriesOperation>(
  parts: MenuParts,
  operation: T,
): T {
  const { children } = operation;
  if (operation.part !== 'menu')
    return {
      ...operation,
      children: mergeRequestedSequence(children, linkedChildIds(parts, operation.part, operation.id)),
    };
  const menuId = children.map((id) => findPart(parts, 'category', id)?.menu_id).find((id) => id !== undefined);
  if (menuId === undefined) return operation;
  return { ...operation, children: mergeRequestedSequence(children, linkedChildIds(parts, 'menu', menuId)) };
}

export function menusTakenOffSale(
  store: Pick<Store, 'timezone'>,
  parts: MenuParts,
  operations: readonly MenuOperation[],
  now: Date,
): MenuPart[] {
  const left = new Set(offeredMenus(store, applyOperations(parts, operations), now).map(({ id }) => id));
  return offeredMenus(store, parts, now).filter(({ id }) => !left.has(id));
}

function offeredMenus(store: Pick<Store, 'timezone'>, parts: MenuParts, now: Date): MenuPart[] {
  const shown = new Set(parts.items.flatMap(({ id, is_active }) => (is_active ? [id] : [])));
  const filled = new Set(
    parts.categories.flatMap(({ menu_id, is_active, item_ids }) =>
      is_active && item_ids.some((id) => shown.has(id)) ? [menu_id] : [],
    ),
  );
  return parts.menus.filter(
    ({ id, is_active, availability }) => is_active && filled.has(id) && isWithinAvailability(store, availability, now),
  );
}
