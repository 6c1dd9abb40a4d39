import type { MenuParts } from '#menu/fields.ts';
import { applyOperations } from '#menu/operations/apply-operation.ts';
import { create, link } from '#menu/operations/menu-operation.ts';
import { priceLinksOf, priceRules, findPriceLinkProblem, findPriceRuleProblem } from '#menu/price-group.ts';

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
    create('menu', { id: 'm1', name: 'All day' }),
    create('menu', { id: 'm2', name: 'Lunch' }),
    create('category', { id: 'starters', name: 'Starters', menu_id: 'm1' }),
    create('category', { id: 'mains', name: 'Mains', menu_id: 'm1' }),
    create('item', { id: 'soup', name: 'Soup', price: 450 }),
    create('item', { id: 'pizza', name: 'Pizza', price: 950 }),
    create('item', { id: 'loose', name: 'Loose', price: 100 }),
    create('group', { id: 'size', name: 'Size', min_select: 1 }),
    create('group', { id: 'topping', name: 'Toppings', max_select: 3 }),
    create('option', { id: 'small', name: 'Small' }),
    create('option', { id: 'large', name: 'Large', price: 300 }),
    create('option', { id: 'olives', name: 'Olives', price: 100 }),
    link('group', 'size', ['small', 'large']),
    link('group', 'topping', ['olives']),
    link('item', 'pizza', ['size', 'topping']),
    link('category', 'mains', ['soup', 'pizza']),
  ]);
}

/** Makes a group one whose choices are the price. */
export const asPrice = { pricing: 'is_price', ...priceRules } as const;

/** Whether the server takes this menu's groups whose choices are the price. */
export function hasRightPrices(parts: MenuParts): boolean {
  return (
    findPriceLinkProblem(priceLinksOf(parts)) === null && parts.option_groups.every((one) => !findPriceRuleProblem(one))
  );
}
