import { expect, test } from 'vitest';
import { m } from '#messages';
import { ItemFields } from '#menu/fields.ts';
import { applyOperations } from '#menu/operations/apply-operation.ts';
import { linkedChildIds, makeCreateOperation, findPart } from '#menu/operations/menu-operation.ts';
import { planDraftedMenu, parseDraftCategories } from '#menu/web/editor/starting-menu.tsx';

const empty = { store_id: 's', version: 1, menus: [], categories: [], items: [], option_groups: [], options: [] };

test('only dishes with a price are created, in their categories and their order', () => {
  const draft = parseDraftCategories('Fish: Cod, Haddock, Plaice; Pies: Steak pie; Sides: Chips, Peas');
  const prices: Record<string, number> = { 'Fish: Plaice': 900, 'Fish: Cod': 850, 'Sides: Peas': 0 };
  const plan = planDraftedMenu(draft, (key) => prices[key], { storeId: 's', name: 'Menu', emptyMenuId: null });
  const parts = applyOperations(empty, plan.operations);
  const shown = parts.categories.map(({ id, name }) => [
    name,
    ...linkedChildIds(parts, 'category', id).map((item) => findPart(parts, 'item', item)?.name),
  ]);
  expect(shown).toEqual([
    ['Fish', 'Cod', 'Plaice'],
    ['Sides', 'Peas'],
  ]);
  expect([plan.count, parts.items.map(({ price }) => price), parts.items.map(({ allergens }) => allergens)]).toEqual([
    3,
    [850, 900, 0],
    [null, null, null],
  ]);
});

test('a menu without dishes, such as the one of a new shop, gets them', () => {
  const before = applyOperations(empty, [makeCreateOperation('menu', { id: 'first', name: 'Menu' })]);
  const to = { storeId: 's', name: 'Menu', emptyMenuId: 'first' };
  const { operations } = planDraftedMenu(parseDraftCategories('Fish: Cod'), () => 850, to);
  const parts = applyOperations(before, operations);
  expect(parts.menus.map(({ id }) => id)).toEqual(['first']);
  expect(parts.categories).toMatchObject([{ name: 'Fish', menu_id: 'first', item_ids: [expect.any(String)] }]);
});

test.each([
  m.menu_start_fish_bar_list,
  m.menu_start_pizzeria_list,
  m.menu_start_curry_house_list,
  m.menu_start_kebab_list,
  m.menu_start_chinese_list,
  m.menu_start_chicken_list,
  m.menu_start_cafe_list,
])('each list has named categories of named dishes, each once', (list) => {
  const draft = parseDraftCategories(list());
  expect(draft.length).toBeGreaterThan(2);
  const names = draft.flatMap(({ name, dishes }) => dishes.map((dish) => `${name}: ${dish}`));
  expect(new Set(names).size).toBe(names.length);
  expect(
    draft.every(
      ({ name, dishes }) => name !== '' && dishes.every((dish) => ItemFields.shape.name.safeParse(dish).success),
    ),
  ).toBe(true);
});
