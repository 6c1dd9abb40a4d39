import type { MenuParts } from '#menu/fields.ts';
import { applyOperations } from '#menu/operations/apply-operation.ts';
import { createOperation, linkOperation } from '#menu/operations/menu-operation.ts';
import { priceLinksOf, priceGroupRules, findPriceLinkProblem, findPriceRuleProblem } from '#menu/price-group.ts';

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
    createOperation('menu', { id: 'm1', name: 'All day' }),
    createOperation('menu', { id: 'm2', name: 'Lunch' }),
    createOperation('category', { id: 'starters', name: 'Starters', menu_id: 'm1' }),
    createOperation('category', { id: 'mains', name: 'Mains', menu_id: 'm1' }),
    createOperation('item', { id: 'soup', name: 'Soup', price: 450 }),
    createOperation('item', { id: 'pizza', name: 'Pizza', price: 950 }),
    createOperation('item', { id: 'loose', name: 'Loose', price: 100 }),
    createOperation('group', { id: 'size', name: 'Size', min_select: 1 }),
    createOperation('group', { id: 'topping', name: 'Toppings', max_select: 3 }),
    createOperation('option', { id: 'small', name: 'Small' }),
    createOperation('option', { id: 'large', name: 'Large', price: 300 }),
    createOperation('option', { id: 'olives', name: 'Olives', price: 100 }),
    linkOperation('group', 'size', ['small', 'large']),
    linkOperation('group', 'topping', ['olives']),
    linkOperation('item', 'pizza', ['size', 'topping']),
    linkOperation('category', 'mains', ['soup', 'pizza']),
  ]);
}

/** Makes a group one whose choices are the price. */
export const asPrice = { pricing: 'is_price', ...priceGroupRules } as const;

/** Whether the server takes this menu's groups whose choices are the price. */
export function hasRightPrices(parts: MenuParts): boolean {
  return (
    findPriceLinkProblem(priceLinksOf(parts)) === null && parts.option_groups.every((one) => !findPriceRuleProblem(one))
  );
}
