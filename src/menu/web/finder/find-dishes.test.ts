import { expect, test } from 'vitest';
import { filterCategories, indexDishes } from '#menu/web/finder/find-dishes.ts';
import { aGroup, anItem, anOption } from '#ordering/testing.ts';

const categories = [
  {
    id: 'grill',
    name: 'Charcoal grill',
    items: [
      anItem('wings', { name: 'Chicken wings', description: 'Smoky and sticky.' }),
      anItem('popper', { name: 'Jalapeño poppers', description: 'Filled with cheese.', dietary: ['vegetarian'] }),
    ],
  },
  {
    id: 'sides',
    name: 'Sides',
    items: [
      anItem('chips', {
        name: 'Chips',
        description: 'Cut here.',
        option_groups: [aGroup('dip', [anOption('mayo', { name: 'Garlic mayonnaise' })])],
      }),
    ],
  },
];

const idsFor = async (text: string) => (await indexDishes(categories)).find(text).map(({ id }) => id);

test.each([
  ['chiken', 'wings'],
  ['chicen wigns', 'wings'],
  ['JALAPENO', 'popper'],
  ['stick', 'wings'],
  ['mayonaise', 'chips'],
  ['grill pop', 'popper'],
])('"%s" finds %s first', async (text, id) => {
  expect((await idsFor(text))[0]).toBe(id);
});

test('a name counts for more than a description, and nothing is found for what nobody cooks', async () => {
  expect((await idsFor('chips'))[0]).toBe('chips');
  expect(await idsFor('xylophone')).toEqual([]);
});

test('narrowing leaves out empty categories and hands on untouched those that all pass', () => {
  const vegetarian = filterCategories(categories, { diets: ['vegetarian'], without: [] });
  expect(vegetarian.map(({ id, items }) => [id, items.length])).toEqual([['grill', 1]]);
  expect(filterCategories(categories, { diets: [], without: [] })[0]).toBe(categories[0]);
});
