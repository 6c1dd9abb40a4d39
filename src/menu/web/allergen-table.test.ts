import { expect, test } from 'vitest';
import { aGroup, aMenu, anItem, anOption } from '#ordering/testing/samples.ts';
import { allergenTableSections } from '#menu/web/allergen-table.tsx';

test('a dish that is in two menus stands in the table once, and one without a statement stays in it', () => {
  const soup = anItem('soup', { name: 'Soup', allergens: { contains: ['celery'], may_contain: [] } });
  const bread = anItem('bread', { name: 'Bread', allergens: null });
  const parts = allergenTableSections([aMenu([soup, bread]), aMenu([soup])]);
  const rows = parts.filter(({ name }) => name !== null).flatMap((part) => part.rows);
  expect(rows.map(({ name, allergens }) => [name, allergens])).toEqual([
    ['Soup', expect.objectContaining({ contains: ['celery'], may_contain: [] })],
    ['Bread', null],
  ]);
});

test('what every choice of a required group brings is in the row of the dish', () => {
  const burger = (id: string, ...more: 'eggs'[]) =>
    anOption(id, { allergens: { contains: ['milk', ...more], may_contain: [] } });
  const group = aGroup('burger', [burger('beef'), burger('chicken', 'eggs')], { min_select: 1, max_select: 1 });
  const [part] = allergenTableSections([aMenu([anItem('box', { option_groups: [group] })])]);
  expect(part?.rows[0]?.allergens).toMatchObject({ contains: ['milk'], by_choice: ['eggs'] });
});

test('toppings are sorted as people do', () => {
  const toppings = ['Sauce 10', 'Sauce 9', 'Éclair', 'eggs'].map((name) =>
    anOption(name, { name, allergens: { contains: ['milk'], may_contain: [] } }),
  );
  const parts = allergenTableSections([aMenu([anItem('box', { option_groups: [aGroup('Extras', toppings)] })])]);
  expect(parts.at(-1)?.rows.map(({ name }) => name)).toEqual(['Éclair', 'eggs', 'Sauce 9', 'Sauce 10']);
});

test('sizes without allergens of their own have no row, and those that nobody answered have one', () => {
  const none = { contains: [], may_contain: [] };
  const sizes = [anOption('small', { allergens: none }), anOption('party', { allergens: null })];
  const group = aGroup('size', sizes, { pricing: 'is_price', min_select: 1, max_select: 1 });
  const parts = allergenTableSections([aMenu([anItem('pizza', { allergens: none, option_groups: [group] })])]);
  expect(parts.at(-1)).toMatchObject({ name: null, rows: [{ id: 'party', allergens: null }] });
});

test('a dish of a deal has no second row, and one that only deals have has its row among the choices', () => {
  const milk = { contains: ['milk' as const], may_contain: [] };
  const choices = [
    anOption('a', { name: 'Korma (Hot)', item_id: 'korma', allergens: milk }),
    anOption('b', { name: 'Kulfi', item_id: 'kulfi', allergens: milk }),
  ];
  const deal = anItem('deal', { option_groups: [aGroup('Mains', choices)] });
  const parts = allergenTableSections([aMenu([deal, anItem('korma', { name: 'Korma', allergens: milk })])]);
  expect(parts.map(({ rows }) => rows.map(({ name }) => name))).toEqual([['deal', 'Korma'], ['Kulfi']]);
});
