import * as fc from 'fast-check';
import { beforeAll, describe, expect, test } from 'vitest';
import type { MenuParts } from '#menu/fields.ts';
import { allAllergensAbsent } from '#menu/allergen-answers.ts';
import { applyOperations } from '#menu/operations/apply-operation.ts';
import { makeCreateOperation, makeLinkOperation } from '#menu/operations/menu-operation.ts';
import { sampleParts } from '#menu/testing/sample-parts.ts';
import { exampleMenuSheets, exportMenu, type ExportSheet } from '#menu/import/export-menu.ts';
import { type ImportPlan, planImport } from '#menu/import/plan-import.ts';
import { readTable } from '#menu/import/table.ts';

let made = 0;
const newId = () => `00000000-0000-4000-8000-${String((made += 1)).padStart(12, '0')}`;
const options = { currency: 'GBP', hidesMissing: false, statesAllergens: false, meant: {}, newId };
const empty: MenuParts = {
  store_id: 's1',
  version: 1,
  menus: [],
  categories: [],
  items: [],
  option_groups: [],
  options: [],
};
let parts: MenuParts;
beforeAll(() => {
  parts = sampleParts();
});

const asSheets = (sheets: readonly ExportSheet[]) =>
  sheets.map(({ kind, heads, lines }) => ({ name: kind === 'item' ? 'Items' : 'Options', cells: [heads, ...lines] }));
const csv = (text: string) => [
  {
    name: '',
    cells: text
      .trim()
      .split('\n')
      .map((line) => line.split(',').map((cell) => cell.trim())),
  },
];
const plan = (sheets: Parameters<typeof readTable>[0], into = parts, change: Partial<typeof options> = {}) =>
  planImport(readTable(sheets), into, { ...options, ...change });
const problems = ({ rows }: ImportPlan) =>
  rows.flatMap((row) => row.problems.map(({ column }) => [row.number, column]));
const outcomes = ({ rows }: ImportPlan) => rows.map(({ name, outcome }) => [name, outcome]);

test('a name that a chat copied with invisible signs is the dish that looks the same', () => {
  const { operations, rows } = plan(csv('Category,Name,Price\nMains,So\u200bup\u200e,8.50'));
  expect(rows.map(({ outcome }) => outcome)).toEqual(['changed']);
  expect(JSON.stringify(operations)).not.toMatch(/\u200b|\u200e/);
});

test('a new size without allergens adds nothing to those of its dish, and a new topping is not stated', () => {
  const heads = 'Type,Set of choices,Name,Price,Price is,Contains';
  const rows = 'Cup,Regular,2,whole price,\nOption,Cup,Oat,3,whole price,gluten\nOption,Syrup,Vanilla,0.50,added,';
  const { operations } = plan(csv(`${heads}\nOption,${rows}`));
  const allergensOf = (name: string) =>
    applyOperations(parts, operations).options.find((option) => option.name === name)?.allergens;
  expect([allergensOf('Regular'), allergensOf('Oat'), allergensOf('Vanilla')]).toEqual([
    { contains: [], may_contain: [] },
    null,
    null,
  ]);
});

describe('a deal and its dish in one file', () => {
  const heads = 'Type,Category,Set of choices,Name,Price,Dish of a deal';
  const options = 'Option,,Sides,Rice,0,Rice\nOption,,Sides,Soup,0,Soup';
  const after = (dish: string) => {
    const made = plan(csv(`${heads}\n${dish}\n${options}`));
    return { ...made, menu: applyOperations(parts, made.operations) };
  };

  test('a choice is the new dish of another row', () => {
    const { menu, operations } = after('Item,Mains,,Rice,3,');
    const rice = menu.items.find(({ name }) => name === 'Rice');
    expect(menu.options.slice(-2).map(({ item_id: dish }) => dish)).toEqual([rice?.id, 'soup']);
    expect(rice).toBeDefined();
    // The server takes the operations in their order, so the dish comes first.
    const created = operations.flatMap((one) => (one.kind === 'create' ? one.part : []));
    expect(created.indexOf('item')).toBeLessThan(created.indexOf('option'));
  });

  test('the choice of a dish that is refused is refused too, and says in which row the dish is', () => {
    const { menu, rows } = after('Item,Mains,,Rice,three pounds,');
    expect(menu.options.some(({ name }) => name === 'Rice')).toBe(false);
    expect(menu.options.at(-1)).toMatchObject({ name: 'Soup', item_id: 'soup' });
    const rice = rows.find(({ kind, name }) => kind === 'option' && name === 'Rice');
    const words = '“Rice” in row 2 cannot be imported yet, so it cannot be a choice. Put that row right first.';
    expect(rice).toMatchObject({ outcome: 'refused', problems: [{ column: 'Dish of a deal', words }] });
  });
});

describe('how the dish of a deal is made', () => {
  const answer = { option_group_id: 'size', option_id: 'large' };
  const withDeal = (of: MenuParts) =>
    applyOperations(of, [
      makeCreateOperation('group', { id: 'main', name: 'Main', min_select: 1 }),
      makeCreateOperation('option', { id: 'slice', name: 'Pizza', item_id: 'pizza', item_options: [answer] }),
      makeLinkOperation('group', 'main', ['slice']),
      makeLinkOperation('item', 'loose', ['main']),
      makeLinkOperation('category', 'mains', ['loose']),
    ]);
  const named = ({ options, option_groups: groups }: MenuParts) =>
    options.flatMap(({ item_options }) =>
      item_options.map((one) => [
        groups.find(({ id }) => id === one.option_group_id)?.name,
        options.find(({ id }) => id === one.option_id)?.name,
      ]),
    );

  test('is in the exported file, and so in the shop that imports it', () => {
    const sheets = asSheets(exportMenu(withDeal(parts), 'GBP')).map(({ name, cells: [heads = [], ...lines] }) => {
      const at = heads.indexOf('ID');
      return { name, cells: [heads, ...lines.map((line) => line.with(at, ''))] };
    });
    const planned = plan(sheets, empty);
    expect(problems(planned)).toEqual([]);
    const copy = applyOperations(empty, planned.operations);
    expect(named(copy)).toEqual([['Size', 'Large']]);
    const slice = copy.options.find(({ item_id: dish }) => dish !== null);
    expect(copy.items.find(({ id }) => id === slice?.item_id)?.name).toBe('Pizza');
    // The server compares an answer with the dish's sets, which come before it.
    expect(planned.operations.at(-1)).toMatchObject({ kind: 'change', part: 'option', id: slice?.id });
    expect(plan(sheets, copy).operations).toEqual([]);
  });

  const heads = 'Type,Set of choices,Name,Price,Dish of a deal,How the dish is made';
  const changed = (made: string, dish = 'Pizza') =>
    plan(csv(`${heads}\nOption,Main,Pizza,,${dish},${made}`), withDeal(parts));

  test.each([
    ['Small', [['Size', 'Small']]],
    ['size > SMALL', [['Size', 'Small']]],
    ['Large', [['Size', 'Large']]],
    ['', [['Size', 'Large']]],
    ['-', []],
  ])('is changed by the cell “%s”', (cell, answers) => {
    const { operations, rows } = changed(cell);
    const before = withDeal(parts);
    expect(named(applyOperations(before, operations))).toEqual(answers);
    expect(rows.map(({ outcome }) => outcome)).toEqual([operations.length > 0 ? 'changed' : 'same']);
    expect(plan(asSheets(exportMenu(before, 'GBP')), before).operations).toEqual([]);
  });

  test.each([
    ['Size > Huge', 'Pizza', '“Pizza” has no choice “Size > Huge”'],
    ['Size > Large', 'Soup', '“Soup” has no choice “Size > Large”'],
    ['Size > Large', '-', 'Only a dish of a deal'],
  ])('is refused in words: “%s” of %s', (cell, dish, words) => {
    const { operations, rows } = changed(cell, dish);
    expect(operations).toEqual([]);
    expect(rows).toMatchObject([
      { outcome: 'refused', problems: [{ column: 'How the dish is made', words: expect.stringContaining(words) }] },
    ]);
  });
});

describe('allergens in a file', () => {
  const heads = 'ID,Name,Contains,May contain,All 14 stated';
  const soupAfter = (row: string, change: Partial<typeof options> = {}, into = parts) => {
    const soup = applyOperations(into, plan(csv(`${heads}\nsoup,Soup,${row}`), into, change).operations).items.find(
      ({ id }) => id === 'soup',
    );
    return [soup?.allergens, soup?.allergen_answers];
  };
  const milk = { contains: ['milk'], may_contain: ['nuts'] };

  test('are all fourteen only if the row or the person says so', () => {
    expect(soupAfter('milk,nuts,yes')).toEqual([milk, null]);
    expect(soupAfter('milk,nuts,', { statesAllergens: true })).toEqual([milk, null]);
    expect(soupAfter('milk,nuts,')).toEqual([null, { ...milk, not_in: [] }]);
    expect(soupAfter('milk,nuts,no', { statesAllergens: true })).toEqual([null, { ...milk, not_in: [] }]);
  });

  test('none of them waits for a person to confirm it, unless the row or the person says so', () => {
    expect(soupAfter('none,,')).toEqual([null, allAllergensAbsent]);
    expect(soupAfter('none,,yes')).toEqual([{ contains: [], may_contain: [] }, null]);
  });

  test('of a dish that is stated keep the answers of the shop, and add what the file names', () => {
    const stated = applyOperations(parts, plan(csv(`${heads}\nsoup,Soup,milk,,yes`)).operations);
    expect(soupAfter('eggs,,', {}, stated)).toEqual([{ contains: ['eggs', 'milk'], may_contain: [] }, null]);
    expect(soupAfter('none,,', {}, stated)).toEqual([{ contains: ['milk'], may_contain: [] }, null]);
  });

  test('that wait, as a database orders them, are no change when they are exported and imported again', () => {
    const { contains, may_contain, not_in } = allAllergensAbsent;
    const waiting = {
      ...parts,
      items: parts.items.map((item) => ({
        ...item,
        allergens: null,
        allergen_answers: { not_in, contains, may_contain },
      })),
    };
    expect(plan(asSheets(exportMenu(waiting, 'GBP')), waiting).operations).toEqual([]);
  });

  test('ask the person only where the file leaves open whether these are all', () => {
    const asks = (row: string) => plan(csv(`${heads}\nsoup,Soup,${row}`)).leavesAllergensOpen;
    expect([asks('milk,,'), asks('milk,,yes'), asks('milk,,no'), asks(',,')]).toEqual([true, false, false, false]);
  });
});

describe('importing again', () => {
  test('an exported menu changes nothing', () => {
    const planned = plan(asSheets(exportMenu(parts, 'GBP')));
    expect(planned.operations).toEqual([]);
    expect(planned.rows.map(({ outcome }) => outcome)).toEqual(Array.from({ length: 6 }, () => 'same'));
  });

  test('the order of stored allergens makes no difference', () => {
    const kept = applyOperations(
      parts,
      plan(csv('Name,Category,Contains,All 14 stated\nSoup,Mains,milk; eggs,yes')).operations,
    );
    const turned = {
      ...kept,
      items: kept.items.map((item) => ({
        ...item,
        allergens: item.allergens && { contains: ['milk', 'eggs'] as const, may_contain: [] },
      })),
    } as MenuParts;
    expect(plan(asSheets(exportMenu(turned, 'GBP')), turned).operations).toEqual([]);
  });

  test('the example file makes a menu, and changes nothing a second time', () => {
    const once = plan(asSheets(exampleMenuSheets()), empty);
    expect(problems(once)).toEqual([]);
    const after = applyOperations(empty, once.operations);
    expect(after.items.map(({ name, price }) => [name, price])).toEqual([
      ['Margherita', 850],
      ['Lemonade, 330 ml', 180],
    ]);
    expect(after.categories.map(({ name, item_ids: ids }) => [name, ids.length])).toEqual([
      ['Pizzas', 1],
      ['Drinks', 1],
    ]);
    expect(after.option_groups).toMatchObject([{ name: 'Size', pricing: 'is_price', min_select: 1, max_select: 1 }]);
    expect(after.options.map(({ price }) => price)).toEqual([850, 1150]);
    expect(after.option_groups[0]?.options).toHaveLength(2);
    expect(after.items[0]?.option_groups.map(({ id }) => id)).toEqual([after.option_groups[0]?.id]);
    expect(plan(asSheets(exampleMenuSheets()), after).operations).toEqual([]);
  });

  test('importing any file twice changes nothing the second time', () => {
    const name = fc.constantFrom('Soup', 'Pizza', 'Tea', 'Ñandú', 'SOUP ');
    const row = fc.record({
      name,
      category: fc.constantFrom('Starters', 'Mains', 'New', 'Lunch > Set', 'Starters; Mains', ''),
      price: fc.constantFrom('1.50', '£2', '150p', '', 'x'),
      spice: fc.constantFrom('', '0', '2', '9'),
      contains: fc.constantFrom('', 'none', 'milk', 'milk; eggs', '-', 'dust'),
      groups: fc.constantFrom('', 'Size', 'Size; Toppings', '-', 'Nothing'),
    });
    fc.assert(
      fc.property(fc.array(row, { minLength: 1, maxLength: 8 }), (rows) => {
        const sheets = [
          {
            name: 'Items',
            cells: [
              ['Name', 'Category', 'Price', 'Spice', 'Contains', 'Option groups'],
              ...rows.map((one) => [one.name, one.category, one.price, one.spice, one.contains, one.groups]),
            ],
          },
        ];
        const first = plan(sheets);
        const after = applyOperations(parts, first.operations);
        expect(plan(sheets, after).operations).toEqual([]);
      }),
    );
  });
});

describe('the changes of a file', () => {
  test('a price and a new dish; columns that are missing leave their values', () => {
    const planned = plan(csv('Name,Category,Price\nSoup,Mains,5.25\nTea,Drinks,£1.20'));
    expect(outcomes(planned)).toEqual([
      ['Soup', 'changed'],
      ['Tea', 'new'],
    ]);
    expect(planned.rows[0]?.differences).toEqual([{ column: 'Price', before: '4.50', after: '5.25' }]);
    const after = applyOperations(parts, planned.operations);
    expect(after.items.find(({ id }) => id === 'soup')).toMatchObject({ price: 525, is_active: true });
    const drinks = after.categories.find(({ name }) => name === 'Drinks');
    expect(drinks).toMatchObject({ menu_id: 'm1', item_ids: [expect.any(String)] });
  });

  test('a row with an id renames its dish, and moves it to the categories that the row names', () => {
    const planned = plan(csv('ID,Name,Category\npizza,Pizza Royale,Starters'));
    const after = applyOperations(parts, planned.operations);
    expect(after.items.find(({ id }) => id === 'pizza')?.name).toBe('Pizza Royale');
    expect(after.categories.map(({ item_ids: ids }) => ids)).toEqual([['pizza'], ['soup']]);
  });

  test('an empty cell changes nothing, a minus empties the field', () => {
    const first = plan(csv('ID,Name,Description,Minimum age,Contains\nsoup,Soup,Hot,18,milk'));
    const full = applyOperations(parts, first.operations);
    expect(plan(csv('ID,Name,Description,Minimum age,Contains\nsoup,,,,'), full).operations).toEqual([]);
    const emptied = applyOperations(
      full,
      plan(csv('ID,Name,Description,Minimum age,Contains\nsoup,,-,-,-'), full).operations,
    );
    expect(emptied.items.find(({ id }) => id === 'soup')).toMatchObject({
      description: '',
      min_age: null,
      allergens: null,
    });
  });

  test("a price is the option's own; for an option of several groups, it is the price in the row's group", () => {
    const line = 'Type,Option group,Name,Price\noption,Size,Large,4.00';
    const own = applyOperations(parts, plan(csv(line)).operations);
    expect(own.options.find(({ id }) => id === 'large')?.price).toBe(400);
    const shared: MenuParts = {
      ...parts,
      option_groups: parts.option_groups.map((group) =>
        group.id === 'topping'
          ? { ...group, options: [...group.options, { id: 'large', price_override: null }] }
          : group,
      ),
    };
    const after = applyOperations(shared, plan(csv(line), shared).operations);
    expect(after.options.find(({ id }) => id === 'large')?.price).toBe(300);
    expect(after.option_groups.find(({ id }) => id === 'size')?.options).toContainEqual({
      id: 'large',
      price_override: 400,
    });
    expect(plan(csv(line), after).operations).toEqual([]);
  });

  test('groups with the same name are distinguished by the end of their id', () => {
    const twin = {
      ...parts,
      option_groups: parts.option_groups.map((group) => ({
        ...group,
        name: 'Size',
        id: `0000-${group.id === 'size' ? 'aaaaaa' : 'bbbbbb'}`,
      })),
      items: [],
    };
    expect(problems(plan(csv('Type,Option group,Name\noption,Size,Huge'), twin))).toEqual([[2, 'Set of choices']]);
    const planned = plan(csv('Type,Option group,Name\noption,Size #bbbbbb,Huge'), twin);
    expect(planned.operations.at(-1)).toMatchObject({ id: '0000-bbbbbb' });
  });

  test('a new group with only a minimum allows exactly as many options', () => {
    const planned = plan(csv('Type,Option group,Name,Choose at least\noption,Sauces,Mayo,2\noption,Sauces,Ketchup,2'));
    expect(problems(planned)).toEqual([]);
    expect(applyOperations(parts, planned.operations).option_groups.at(-1)).toMatchObject({
      name: 'Sauces',
      min_select: 2,
      max_select: 2,
    });
  });

  test('a group whose choices are the price is read, written and read again without a change', () => {
    const line = 'Type,Option group,Name,Price,Price is\noption,Toppings,Olives,7.00,whole price';
    const planned = plan(
      csv('Type,Option group,Name,Price,Price is\noption,Size,Small,7,Whole price\noption,Size,Large,10,'),
    );
    expect(planned.rows[0]?.differences).toEqual([
      { column: 'Price', before: '0.00', after: '7.00' },
      { column: 'Price is', before: 'added', after: 'whole price' },
    ]);
    const after = applyOperations(parts, planned.operations);
    expect(after.option_groups.find(({ id }) => id === 'size')).toMatchObject({ pricing: 'is_price', max_select: 1 });
    expect(plan(asSheets(exportMenu(after, 'GBP')), after).operations).toEqual([]);
    // Toppings may be chosen three times: as a price exactly one is.
    const alone = { ...parts, items: [] };
    expect(applyOperations(alone, plan(csv(line), alone).operations).option_groups.at(-1)).toMatchObject({
      pricing: 'is_price',
      min_select: 1,
      max_select: 1,
    });
    // The pizza of the sample has both groups.
    expect(problems(plan(csv(line), after))).toEqual([[2, 'Price is']]);
    const both = 'Type,Name,Category,Price,Option groups\nitem,Calzone,Mains,9,Size; Toppings';
    const priced = applyOperations({ ...after, items: [] }, plan(csv(line), { ...after, items: [] }).operations);
    expect(problems(plan(csv(both), priced))).toEqual([[2, 'Choices']]);
  });

  test('dishes that the file leaves out are hidden only on request', () => {
    const sheets = csv('Name,Category\nSoup,Mains');
    expect(plan(sheets).missing.map(({ id }) => id)).toEqual(['pizza', 'loose']);
    expect(plan(sheets).operations).toEqual([]);
    const after = applyOperations(parts, plan(sheets, parts, { hidesMissing: true } as never).operations);
    expect(after.items.map(({ id, is_active: isActive }) => [id, isActive])).toEqual([
      ['soup', true],
      ['pizza', false],
      ['loose', false],
    ]);
  });
});

describe('an error names its row and column, and that row is left out', () => {
  test.each([
    ['an unknown type', 'Type,Name,Category,Price\noptoin,Tea,Mains,1', 'Type'],
    ['no name', 'Name,Category,Price\n,Mains,1', 'Name'],
    ['no price', 'Name,Category,Price\nTea,Mains,', 'Price'],
    ['an invalid price', 'Name,Category,Price\nTea,Mains,cheap', 'Price'],
    ['a price above the maximum', 'Name,Category,Price\nTea,Mains,99999', 'Price'],
    ['a name that is the sign for nothing', 'Name,Category,Price\n-,Mains,1', 'Name'],
    ['no category', 'Name,Category,Price\nTea,,1', 'Category'],
    ['an unknown menu', 'Name,Category,Price\nTea,"Dinner" > Mains,1', 'Category'],
    ['an unknown allergen', 'Name,Category,Price,Contains\nTea,Mains,1,dust', 'Contains'],
    ['an unknown diet', 'Name,Category,Price,Diet\nTea,Mains,1,paleo', 'Diet'],
    ['too much spice', 'Name,Category,Price,Spice\nTea,Mains,1,4', 'Spice'],
    ['neither yes nor no', 'Name,Category,Price,Visible\nTea,Mains,1,maybe', 'Visible'],
    ['VAT beyond 100 %', 'Name,Category,Price,VAT %\nTea,Mains,1,120', 'VAT %'],
    ['an unknown group', 'Name,Category,Price,Option groups\nTea,Mains,1,Milk', 'Choices'],
    ['an unknown id', 'ID,Name,Category,Price\nx,Tea,Mains,1', 'ID'],
    ['an option without a group', 'Type,Name,Option group\noption,Oat,', 'Set of choices'],
    ['an unknown kind of price', 'Type,Name,Option group,Price is\noption,Oat,Milk,big', 'Price is'],
    [
      'a whole price of which none need be chosen',
      'Type,Name,Option group,Price is,Choose at least\noption,Oat,Milk,whole price,0',
      'Choose at least',
    ],
    [
      'a maximum below the minimum',
      'Type,Name,Option group,Choose at least,Choose at most\noption,Oat,Milk,3,2',
      'Choose at least',
    ],
  ])('%s', (_, text, column) => {
    const planned = plan(csv(text));
    expect(problems(planned)).toEqual([[2, column]]);
    expect(planned.operations.filter(({ kind, part }) => kind !== 'create' || part !== 'category')).toEqual([]);
  });

  test('a dish that the file has twice', () => {
    const planned = plan(csv('Name,Category,Price\nTea,Mains,1\nTEA,mains,2'));
    expect(problems(planned)).toEqual([
      [2, 'Name'],
      [3, 'Name'],
    ]);
  });

  test('valid rows are imported beside invalid ones', () => {
    const planned = plan(csv('Name,Category,Price\nTea,Mains,x\nCola,Mains,1.50'));
    expect(applyOperations(parts, planned.operations).items.map(({ name }) => name)).toContain('Cola');
    expect(outcomes(planned)).toEqual([
      ['Tea', 'refused'],
      ['Cola', 'new'],
    ]);
  });
});

test.each([
  ['nothing at all', [{ name: '', cells: [] }]],
  ['heads alone', [{ name: '', cells: [['Name', 'Price']] }]],
  ['no column of names', csv('Price,VAT\n1,2')],
  ['a head twice', csv('Name,Price,price\nTea,1,2')],
  ['more rows than a menu has', [{ name: '', cells: [['Name'], ...Array.from({ length: 5001 }, () => ['Tea'])] }]],
])('a file with %s is refused in words', (_, sheets) => {
  expect(() => readTable(sheets)).toThrow(/\w+ \w+/);
});

test('unknown headings are reported, and the cells below them are ignored', () => {
  expect(plan(csv('Name,Category,Colour\nSoup,Mains,red'))).toMatchObject({ unknown: ['Colour'], operations: [] });
});

test('a name that is too long is one error, which shows enough of it to identify the row', () => {
  const planned = plan(csv(`Name,Category,Price\n${'Very '.repeat(60)},Mains,5`));
  expect(problems(planned)).toEqual([[2, 'Name']]);
  expect(planned.rows[0]?.name).toMatch(/^Very Very .*…$/);
});

test('a file without names is refused with the headings that it has and those that are understood', () => {
  const words = (() => {
    try {
      readTable(csv('Gericht,Preis\nSuppe,5'));
      return '';
    } catch (error) {
      return String(error);
    }
  })();
  expect(words).toContain('Its first line is: Gericht, Preis.');
  expect(words).toContain('Kitchen name');
  expect(words).toContain('Sold out.');
});
