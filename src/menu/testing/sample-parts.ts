import type { MenuParts } from '#menu/fields.ts';
import { applyOperations } from '#menu/operations/apply-operation.ts';
import { makeCreateOperation, makeLinkOperation } from '#menu/operations/menu-operation.ts';
import {
  priceGroupLinksOf,
  priceGroupRules,
  findPriceGroupLinkProblem,
  findPriceGroupRuleProblem,
} from '#menu/price-group.ts';

/** Two menus, two categories, three dishes and two groups, for tests. */
export function sampleParts(): MenuParts {
  const empty: MenuParts = {
    store_id: 's1',
    version: 1,
    menus: [],
    categories: [],
    items: [],
    option_groups: [],
    options: [],
  };
  return applyOperations(empty, [
    makeCreateOperation('menu', { id: 'm1', name: 'All day' }),
    makeCreateOperation('menu', { id: 'm2', name: 'Lunch' }),
    makeCreateOperation('category', { id: 'starters', name: 'Starters', menu_id: 'm1' }),
    makeCreateOperation('category', { id: 'mains', name: 'Mains', menu_id: 'm1' }),
    makeCreateOperation('item', { id: 'soup', name: 'Soup', price: 450 }),
    makeCreateOperation('item', { id: 'pizza', name: 'Pizza', price: 950 }),
    makeCreateOperation('item', { id: 'loose', name: 'Loose', price: 100 }),
    makeCreateOperation('group', { id: 'size', name: 'Size', min_select: 1 }),
    makeCreateOperation('group', { id: 'topping', name: 'Toppings', max_select: 3 }),
    makeCreateOperation('option', { id: 'small', name: 'Small' }),
    makeCreateOperation('option', { id: 'large', name: 'Large', price: 300 }),
    makeCreateOperation('option', { id: 'olives', name: 'Olives', price: 100 }),
    makeLinkOperation('group', 'size', ['small', 'large']),
    makeLinkOperation('group', 'topping', ['olives']),
    makeLinkOperation('item', 'pizza', ['size', 'topping']),
    makeLinkOperation('category', 'mains', ['soup', 'pizza']),
  ]);
}

/** Makes a group one whose choices are the price. */
export const asPrice = { pricing: 'is_price', ...priceGroupRules } as const;

/** Whether the server takes this menu's groups whose choices are the price. */
export function hasRightPrices(parts: MenuParts): boolean {
  return (
    findPriceGroupLinkProblem(priceGroupLinksOf(parts)) === null &&
    parts.option_groups.every((one) => !findPriceGroupRuleProblem(one))
  );
}
