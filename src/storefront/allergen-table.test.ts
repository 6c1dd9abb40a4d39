import { expect, test } from 'vitest';
import { aMenu, anItem } from '#ordering/testing.ts';
import { listAllergens } from '#storefront/allergen-table.ts';

test('a dish that is in two menus stands in the table once, and one without a statement stays in it', () => {
  const soup = anItem('soup', { name: 'Soup', allergens: { contains: ['celery'], may_contain: [] } });
  const bread = anItem('bread', { name: 'Bread', allergens: null });
  const parts = listAllergens([aMenu([soup, bread]), aMenu([soup])]);
  const rows = parts.filter(({ name }) => name !== null).flatMap((part) => part.rows);
  expect(rows.map(({ name, allergens }) => [name, allergens])).toEqual([
    ['Soup', { contains: ['celery'], may_contain: [] }],
    ['Bread', null],
  ]);
});
