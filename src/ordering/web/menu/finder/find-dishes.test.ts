import { describe, expect, test } from 'vitest';
import { demoShop } from '#demo/demo-shop.ts';
import { filterCategories, indexDishes } from '#ordering/web/menu/finder/find-dishes.ts';
import { aGroup, anItem, anOption } from '#ordering/testing/samples.ts';

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

test.each([
  ['fish and chips', 'fish'],
  ['fish n chips', 'fish'],
  ['poppadum', 'papad'],
  ['Pappadoms', 'papad'],
  ['no cheese', 'plain'],
  ['without cheese', 'plain'],
  ['鸡丁', 'kungpao'],
  ['ยำ', 'tomyum'],
  ['dönerteller', 'doner'],
  ['grosser', 'doner'],
])('"%s" finds just %s', async (text, id) => {
  const items = [
    anItem('fish', { name: 'Fish & chips', description: '' }),
    anItem('papad', { name: 'Popadoms', description: '' }),
    anItem('pizza', { name: 'Pizza', description: 'With cheese.' }),
    anItem('plain', { name: 'Plain burger (no cheese)', description: '' }),
    anItem('kungpao', { name: '宫保鸡丁', description: '' }),
    anItem('tomyum', { name: 'ต้มยำกุ้ง', description: '' }),
    anItem('doner', { name: 'Großer Dönerteller', description: '' }),
  ];
  const search = await indexDishes([{ id: 'all', name: 'All', items }]);
  expect(search.find(text).map(({ id: found }) => found)).toEqual([id]);
  expect(search.find('cheese').map(({ id: found }) => found)).toEqual(['pizza']);
});

test('a name counts for more than a description, and nothing is found for what nobody cooks', async () => {
  expect((await idsFor('chips'))[0]).toBe('chips');
  expect(await idsFor('xylophone')).toEqual([]);
});

describe('on a large menu', async () => {
  const search = await indexDishes(demoCategories());
  const namesFor = (text: string) => search.find(text).map(({ name }) => name);

  test.each([
    ['nan', /\bnaan\b/i],
    ['naan', /\bnaan\b/i],
    ['coke', /^cola\b/i],
    ['pappadom', /popadoms/i],
    ['poppadum', /popadoms/i],
    ['chese burger', /^classic cheeseburger$/i],
    ['cheese burger', /^classic cheeseburger$/i],
    ['garlik bred', /^garlic bread$/i],
    ['vegan pizza', /^marinara$/i],
    ['frytki', /chips|fries/i],
    ['skrzydełka', /wings/i],
    ['krążki cebulowe', /onion rings/i],
    ['wegańska pizza', /^marinara$/i],
    ['bez glutenu kurczak', /chicken/i],
  ])('"%s" finds %s first', (text, name) => {
    expect(namesFor(text)[0]).toMatch(name);
  });

  test('a diet in the words is a filter', () => {
    const found = search.find('vegan pizza');
    expect(found.length).toBeGreaterThan(0);
    expect(found.every(({ dietary }) => dietary.includes('vegan'))).toBe(true);
    expect(search.find('halal').every(({ dietary }) => dietary.includes('halal'))).toBe(true);
  });

  test('what is spelt right is not mixed with guesses', () => {
    expect(namesFor('cola').every((name) => !/cold|col[^a]/i.test(name))).toBe(true);
  });
});

test('narrowing leaves out empty categories and hands on untouched those that all pass', () => {
  const vegetarian = filterCategories(categories, { diets: ['vegetarian'], without: [] });
  expect(vegetarian.map(({ id, items }) => [id, items.length])).toEqual([['grill', 1]]);
  expect(filterCategories(categories, { diets: [], without: [] })[0]).toBe(categories[0]);
});

/** The demo shop's menu with the names of all that can be chosen, and a dish whose name two others share a word with. */
function demoCategories() {
  const optionNames = new Map(demoShop.options.map(({ key, name }) => [key, name]));
  const groups = new Map(demoShop.option_groups.map((group) => [group.key, group]));
  const items = demoShop.items.map(({ key, name, description, dietary, option_groups: shown }) =>
    anItem(key, {
      name,
      description,
      dietary,
      option_groups: shown.map(({ option_group: id }) =>
        aGroup(
          id,
          (groups.get(id)?.options ?? []).map(({ option }) =>
            anOption(option, { name: optionNames.get(option) ?? '' }),
          ),
        ),
      ),
    }),
  );
  return demoShop.categories.map(({ key, name, items: keys }) => ({
    id: key,
    name,
    items: [
      ...items.filter(({ id }) => keys.includes(id)),
      ...(key === 'sides' ? [anItem('garlic-bread', { name: 'Garlic bread' })] : []),
    ],
  }));
}
