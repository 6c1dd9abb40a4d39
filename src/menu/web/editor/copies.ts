import { v7 as newId } from 'uuid';
import { allergenAnswersOf, awaitsAllergenConfirmation } from '#menu/allergen-answers.ts';
import {
  type CategoryPart,
  makeChangeOperation,
  linkedChildIds,
  makeCreateOperation,
  type GroupPart,
  type ItemPart,
  makeLinkOperation,
  type MenuOperation,
  type PartKind,
  type PartsIndex,
  makeReorderOperation,
  makeReorderCategoriesOperation,
  makeUnlinkOperation,
} from '#menu/operations/menu-operation.ts';
import type { MenuParts } from '#menu/fields.ts';

export interface CopyPlan {
  id: string;
  operations: MenuOperation[];
}

interface Menu {
  parts: MenuParts;
  index: PartsIndex;
}

/**
 * Plans a copy of a dish with the same groups, placed behind the dish in the category. If the copy has another name,
 * its allergens must be confirmed again, and incomplete answers are not copied.
 */
function copyItem(menu: Menu, item: ItemPart, name: string, categoryId: string | null): CopyPlan {
  const { id: _id, option_groups: groups, ...own } = item;
  const id = newId();
  const answers = item.allergens || awaitsAllergenConfirmation(item) ? allergenAnswersOf(item) : null;
  const fields = { ...own, ...(name !== item.name && { allergens: null, allergen_answers: answers }) };
  const conditions = groups.filter((group) => group.shown_when_option_id !== null);
  const operations: MenuOperation[] = [
    makeCreateOperation('item', { ...fields, store_id: menu.parts.store_id, name, id }),
    makeLinkOperation(
      'item',
      id,
      groups.map((group) => group.id),
    ),
    ...(conditions.length > 0 ? [makeChangeOperation('item', id, { option_groups: conditions })] : []),
  ];
  if (categoryId === null) return { id, operations };
  const order = after(linkedChildIds(menu.parts, 'category', categoryId), item.id, id);
  return {
    id,
    operations: [
      ...operations,
      makeLinkOperation('category', categoryId, [id]),
      makeReorderOperation('category', categoryId, order),
    ],
  };
}

/** Plans a copy of a category, placed behind the category in the same menu, with copies of its dishes. */
function copyCategory(menu: Menu, category: CategoryPart, name: string): CopyPlan {
  const { id: _id, item_ids: items, position: _position, ...fields } = category;
  const id = newId();
  const copies = items.flatMap((itemId) => {
    const item = menu.index.items.get(itemId);
    return item ? [copyItem(menu, item, item.name, null)] : [];
  });
  return {
    id,
    operations: [
      makeCreateOperation('category', { ...fields, name, id }),
      ...copies.flatMap((copy) => copy.operations),
      makeLinkOperation(
        'category',
        id,
        copies.map((copy) => copy.id),
      ),
      makeReorderCategoriesOperation(after(linkedChildIds(menu.parts, 'menu', category.menu_id), category.id, id)),
    ],
  };
}

/** Plans an independent copy of a group and its options. `options` maps the options' old ids to the new ones. */
function copyGroup(
  { parts, index }: Menu,
  group: GroupPart,
  name: string,
): CopyPlan & { options: Map<string, string> } {
  const { id: _id, options: links, ...fields } = group;
  const id = newId();
  const ids = new Map(links.map((one) => [one.id, newId()]));
  const operations: MenuOperation[] = [makeCreateOperation('group', { ...fields, store_id: parts.store_id, name, id })];
  for (const [old, copy] of ids) {
    const option = index.options.get(old);
    if (option) operations.push(makeCreateOperation('option', { ...option, store_id: parts.store_id, id: copy }));
  }
  operations.push(makeLinkOperation('group', id, [...ids.values()]));
  const prices = links
    .filter((one) => one.price_override !== null)
    .map((one) => ({ id: ids.get(one.id) ?? one.id, price_override: one.price_override }));
  if (prices.length > 0) operations.push(makeChangeOperation('group', id, { options: prices }));
  return { id, operations, options: ids };
}

/**
 * Plans to replace a shared group of a dish by a copy that only this dish has. The copy takes the place of the group.
 */
export function planSharedGroupReplacement(menu: Menu, item: ItemPart, group: GroupPart, name: string): CopyPlan {
  const copy = copyGroup(menu, group, name);
  const links = item.option_groups.map((one) => ({
    id: one.id === group.id ? copy.id : one.id,
    shown_when_option_id: copy.options.get(one.shown_when_option_id ?? '') ?? one.shown_when_option_id,
  }));
  const conditions = links.filter((one) => one.shown_when_option_id !== null);
  return {
    id: copy.id,
    operations: [
      ...copy.operations,
      // The shared group is unlinked first, because a dish has at most one group whose choices are its price.
      makeUnlinkOperation('item', item.id, [group.id]),
      makeLinkOperation('item', item.id, [copy.id]),
      makeReorderOperation(
        'item',
        item.id,
        links.map((one) => one.id),
      ),
      ...(conditions.length > 0 ? [makeChangeOperation('item', item.id, { option_groups: conditions })] : []),
    ],
  };
}

/** Plans to replace a shared option of a group by a copy that only this group has; null if the option was removed. */
export function planSharedOptionReplacement(
  menu: Menu,
  group: GroupPart,
  optionId: string,
  name: string,
): CopyPlan | null {
  const option = menu.index.options.get(optionId);
  if (!option) return null;
  const id = newId();
  const price = group.options.find((one) => one.id === optionId)?.price_override ?? option.price;
  return {
    id,
    operations: [
      makeCreateOperation('option', { ...option, store_id: menu.parts.store_id, name, price, id }),
      makeLinkOperation('group', group.id, [id]),
      makeUnlinkOperation('group', group.id, [optionId]),
      makeReorderOperation(
        'group',
        group.id,
        group.options.map((one) => (one.id === optionId ? id : one.id)),
      ),
    ],
  };
}

/** Plans the copy of a category, a dish or a group; null for other kinds. */
export function planCopy(
  menu: Menu,
  kind: PartKind,
  id: string,
  parentId: string | null,
  name: (old: string) => string,
): CopyPlan | null {
  const { index } = menu;
  const [category, item, group] = [index.categories.get(id), index.items.get(id), index.groups.get(id)];
  if (kind === 'category' && category) return copyCategory(menu, category, name(category.name));
  if (kind === 'item' && item) return copyItem(menu, item, name(item.name), parentId);
  if (kind === 'group' && group) {
    const copy = copyGroup(menu, group, name(group.name));
    // The copy of a price group is not linked to the dish, because a dish has at most one price group.
    if (parentId === null || group.pricing === 'is_price') return copy;
    const order = after(linkedChildIds(menu.parts, 'item', parentId), id, copy.id);
    return {
      id: copy.id,
      operations: [
        ...copy.operations,
        makeLinkOperation('item', parentId, [copy.id]),
        makeReorderOperation('item', parentId, order),
      ],
    };
  }
  return null;
}

function after(list: readonly string[], id: string, added: string): string[] {
  const at = list.indexOf(id);
  return at < 0 ? [...list, added] : [...list.slice(0, at + 1), added, ...list.slice(at + 1)];
}
