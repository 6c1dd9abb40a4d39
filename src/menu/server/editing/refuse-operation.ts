import { m } from '#messages';
import { indexItem } from '#menu/menu-index.ts';
import type { MenuParts } from '#menu/fields.ts';
import {
  childrenOf,
  findPart,
  type ItemPart,
  listOf,
  type MenuOperation,
  type PartOf,
  startPart,
} from '#menu/operations/menu-operation.ts';
import { childrenField } from '#menu/operations/operation-calls.ts';
import { shownGroups } from '#menu/option-rules.ts';
import { priceLinksOf, refusedPriceLink, refusedPriceRule } from '#menu/price-group.ts';
import { AppError, invalid } from '#platform/errors.ts';

const childOf = { category: 'item', item: 'group', group: 'option' } as const;

/** Throws 422 for an operation that names something which this menu does not have, or that leads to a menu which cannot be. */
export function refuseOperation(before: MenuParts, after: MenuParts, operation: MenuOperation): void {
  switch (operation.kind) {
    case 'create':
      if (operation.part === 'group') refuseOddRules(startPart('group', operation.fields));
      return;
    case 'change':
      if (operation.part === 'category') refuseUnknownMenu(before, operation.fields.menu_id);
      if (operation.part === 'group') refuseOddGroup(before, after, operation.id, operation.fields);
      if (operation.part === 'item') refuseOddConditions(before, after, operation.id, operation.fields.option_groups);
      return;
    case 'remove':
      return;
    case 'restore': {
      if (!findPart(after, operation.part, operation.id))
        throw new AppError('conflict', m.menu_restore_without_parent());
      const refused = refusedPriceLink(priceLinksOf(after));
      if (refused) throw new AppError('conflict', refused);
      return;
    }
    case 'link':
    case 'unlink': {
      const { part, id, kind, children } = operation;
      refuseUnknown(childrenField(operation), children, before[listOf[childOf[part]]]);
      if (kind === 'link' && part === 'item') refuseOddPrices(after, id);
      return;
    }
    case 'reorder': {
      const [first = ''] = operation.children;
      const parent = operation.part === 'menu' ? findPart(before, 'category', first)?.menu_id : operation.id;
      const siblings = new Set(childrenOf(before, operation.part, parent ?? ''));
      // The body's schema refuses an id that is named twice.
      const isWhole = siblings.size === operation.children.length && operation.children.every((id) => siblings.has(id));
      if (!isWhole) throw invalid(childrenField(operation), m.menu_reorder_incomplete());
    }
  }
}

/** Each id is named once. */
function refuseUnknown(field: string, ids: readonly string[], known: readonly { id: string }[]): void {
  const all = new Set(known.map(({ id }) => id));
  if (new Set(ids).size < ids.length || !ids.every((id) => all.has(id))) throw invalid(field, m.menu_ids_unknown());
}

function refuseUnknownMenu(parts: MenuParts, menuId: string | undefined): void {
  if (menuId !== undefined && !findPart(parts, 'menu', menuId)) throw invalid('menu_id', m.menu_not_found());
}

function refuseOddRules(rules: Pick<PartOf<'group'>, 'pricing' | 'min_select' | 'max_select' | 'free_select'>): void {
  if (rules.min_select > rules.max_select) throw invalid('min_select', m.menu_group_min_over_max());
  if (rules.free_select > rules.max_select) throw invalid('free_select', m.menu_group_free_over_max());
  const refused = refusedPriceRule(rules);
  if (refused) throw invalid(refused.field, refused.words);
}

function refuseOddGroup(
  before: MenuParts,
  after: MenuParts,
  id: string,
  { pricing, options }: { pricing?: string | undefined; options?: readonly { id: string }[] | undefined },
): void {
  const group = findPart(after, 'group', id);
  if (group) refuseOddRules(group);
  const refused = pricing === 'is_price' ? refusedPriceLink(priceLinksOf(after)) : null;
  if (refused) throw invalid('pricing', refused);
  if (options) refuseUnknown('options', ids(options), findPart(before, 'group', id)?.options ?? []);
}

/** When the item's groups show: of its own groups and the store's options, and each can show. */
function refuseOddConditions(
  before: MenuParts,
  after: MenuParts,
  id: string,
  conditions: ItemPart['option_groups'] | undefined,
): void {
  const item = findPart(after, 'item', id);
  if (!conditions || !item) return;
  const triggers = conditions.flatMap(({ shown_when_option_id: option }) => option ?? []);
  refuseUnknown('option_groups', ids(conditions), findPart(before, 'item', id)?.option_groups ?? []);
  refuseUnknown('option_groups', [...new Set(triggers)], before.options);
  const groups = item.option_groups.flatMap((link) => {
    const group = findPart(after, 'group', link.id);
    return group
      ? [{ ...group, ...link, options: group.options.flatMap((one) => findPart(after, 'option', one.id) ?? []) }]
      : [];
  });
  const indexed = indexItem({ ...item, option_groups: groups });
  const everything = [...indexed.groups.values()].flatMap(({ options }) =>
    [...options.values()].map((option) => ({ ...option, quantity: 1 })),
  );
  if (shownGroups(indexed, everything).size < indexed.groups.size)
    throw invalid('option_groups', m.menu_group_never_shown());
  refuseOddPrices(after, id);
}

function refuseOddPrices(after: MenuParts, id: string): void {
  const refused = refusedPriceLink(priceLinksOf({ ...after, items: after.items.filter((item) => item.id === id) }));
  if (refused) throw invalid('option_groups', refused);
}

function ids(links: readonly { id: string }[]): string[] {
  return links.map(({ id }) => id);
}
