import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { MenuParts } from '#menu/fields.ts';
import { applyOperations } from '#menu/operations/apply-operation.ts';
import { makeCreateOperation, makeLinkOperation, type MenuOperation } from '#menu/operations/menu-operation.ts';
import { allergens, answers, stock } from '#menu/testing/draw-fields.ts';
import { exportMenu } from '#menu/import/export-menu.ts';
import { type ImportPlan, planImport } from '#menu/import/plan-import.ts';
import { readSheets } from '#menu/web/import/read-sheets.ts';
import { writeCsv, writeWorkbook } from '#menu/web/import/write-file.ts';
import { readTable } from '#menu/import/table.ts';
import { pureDraws, slowDraws } from '#testing/draws.ts';

const noParts: MenuParts = {
  store_id: 's1',
  version: 1,
  menus: [],
  categories: [],
  items: [],
  option_groups: [],
  options: [],
};
let made = 0;
const newId = () => `00000000-0000-4000-8000-${String((made += 1)).padStart(12, '0')}`;
const options = { currency: 'GBP', hidesMissing: true, statesAllergens: false, meant: {}, newId };
const formats = { csv: writeCsv, xlsx: writeWorkbook };

async function again(parts: MenuParts, format: keyof typeof formats): Promise<ImportPlan> {
  const file = await formats[format](exportMenu(parts, 'GBP'));
  const [{ table }, ...others] = await readSheets(new Uint8Array(await file.arrayBuffer()), `menu.${format}`);
  expect(others).toEqual([]);
  return planImport(table, parts, options);
}

/** Signs of the file's own language, formulas, quotes, tags, and letters that differ little. */
const signs = [
  '>',
  ' > ',
  ';',
  '/',
  "'",
  '"',
  '""',
  '-',
  '=',
  '+',
  '@',
  ',',
  '|',
  '#',
  '\t',
  '\n',
  '\r\n',
  '_x0041_',
  '\u0001',

  'Soup',
  'soup',
  'Sóup',
  'Lunch',
  'All day',
  'none',
  ' #00000a',
  'sep=;',
  '<b>',
  '&amp;',
  '<3',
  '£',
  'Ł',
  'Phở',
  '寿司',
  '👩‍🍳',
  '\u200D',
  '\uFFFD',
];
/** As the server keeps a text: without blanks around it. */
const text = fc
  .oneof(
    fc.array(fc.constantFrom(...signs), { minLength: 1, maxLength: 4 }).map((parts) => parts.join('')),
    fc.constantFrom('-', '"-"', '""-""', "'-", "'=1", "''+2", "'Nduja", '"', '"a";b', 'Lunch > Soup', '"Lunch" > Soup'),
  )
  .map((one) => one.trim());
const name = fc.oneof(
  text.filter((one) => one !== '').map((one) => one.slice(0, 60).trim()),
  // Many things have the same name, or nearly.
  fc.constantFrom('Soup', 'soup', 'Sóup', 'Lunch'),
);
const times = { min: 0, max: 5 };
const ids = fc.array(fc.integer(times), { maxLength: 3 });

interface Drawn {
  menus: string[];
  categories: { name: string; menu: number; items: number[] }[];
  items: {
    name: string;
    description: string;
    kitchen: string | null;
    station: string | null;
    groups: number[];
    more: object;
  }[];
  groups: { name: string; options: number[] }[];
  options: {
    name: string;
    price: number;
    vat_rate: number | null;
    dish: number | null;
    answers: number[];
    more: object;
  }[];
}
const drawn: fc.Arbitrary<Drawn> = fc.record({
  menus: fc.array(name, { minLength: 1, maxLength: 3 }),
  categories: fc.array(fc.record({ name, menu: fc.integer(times), items: ids }), { minLength: 1, maxLength: 6 }),
  items: fc.array(
    fc.record({
      name,
      description: text,
      kitchen: fc.option(name),
      station: fc.option(name),
      groups: ids,
      more: fc
        .tuple(
          stock,
          fc.record({ allergens, allergen_answers: answers }),
          fc.record({
            price: fc.integer({ min: 0, max: 1_000_000 }),
            vat_rate: fc.integer({ min: 0, max: 10_000 }),
            dietary: fc.subarray(['vegan', 'halal', 'gluten_free']),
            min_age: fc.option(fc.integer({ min: 1, max: 99 })),
            // The file has no column for these two, so they must stay.
            portions_left: fc.option(fc.nat(9)),
            price_change: fc.option(fc.constant({ price: 900, at: '2027-01-01T05:00:00.000Z' })),
          }),
        )
        .map((fields) => Object.assign({}, ...fields) as object),
    }),
    { minLength: 1, maxLength: 6 },
  ),
  groups: fc.array(fc.record({ name, options: ids }), { maxLength: 5 }),
  options: fc.array(
    fc.record({
      name,
      price: fc.nat(5000),
      vat_rate: fc.option(fc.nat(10_000)),
      dish: fc.option(fc.integer(times)),
      answers: ids,
      more: stock,
    }),
    {
      minLength: 1,
      maxLength: 6,
    },
  ),
});

function menuOf({ menus, categories, items, groups, options: choices }: Drawn): MenuParts {
  const id = (kind: number, index: number) => `00000000-0000-4000-800${kind}-00000000000${index.toString(16)}`;
  const among = (kind: number, length: number, indexes: number[]) => [
    ...new Set(indexes.map((index) => id(kind, index % length))),
  ];
  const operations: MenuOperation[] = [
    ...menus.map((one, index) => makeCreateOperation('menu', { id: id(1, index), name: one, store_id: 's1' })),
    ...categories.map((one, index) =>
      makeCreateOperation('category', { id: id(2, index), name: one.name, menu_id: id(1, one.menu % menus.length) }),
    ),
    ...items.map(({ name: own, description, kitchen, station, more }, index) =>
      makeCreateOperation('item', {
        id: id(3, index),
        name: own,
        description,
        kitchen_name: kitchen,
        station,
        price: 0,
        ...more,
      }),
    ),
    ...groups.map((one, index) => makeCreateOperation('group', { id: id(4, index), name: one.name, store_id: 's1' })),
    ...choices.map(({ name: own, price, vat_rate, dish, answers, more }, index) => {
      const item_id = dish === null ? null : id(3, dish % items.length);
      // Some of the answers are to choices that the dish does not have (any more).
      const item_options = (dish === null ? [] : answers).map((answer) => ({
        option_group_id: id(4, answer % 5),
        option_id: id(5, (answer + index) % choices.length),
      }));
      return makeCreateOperation('option', {
        id: id(5, index),
        name: own,
        price,
        vat_rate,
        item_id,
        item_options,
        ...more,
      });
    }),
    ...categories.map((one, index) => makeLinkOperation('category', id(2, index), among(3, items.length, one.items))),
    ...groups.map((one, index) => makeLinkOperation('group', id(4, index), among(5, choices.length, one.options))),
    ...(groups.length > 0
      ? items.map((one, index) => makeLinkOperation('item', id(3, index), among(4, groups.length, one.groups)))
      : []),
  ];
  return applyOperations(noParts, operations);
}

describe.each(['csv', 'xlsx'] as const)('a menu that is exported as %s and imported', (format) => {
  test('changes nothing, whatever its things are called', async () => {
    await fc.assert(
      fc.asyncProperty(drawn, async (one) => {
        const { operations, rows } = await again(menuOf(one), format);
        expect(rows.filter(({ outcome }) => outcome !== 'same')).toEqual([]);
        expect(operations).toEqual([]);
      }),
      { numRuns: slowDraws * 4 },
    );
  });
});

test('a changed price leaves the portions and the planned price as they are', async () => {
  const kept = { portions_left: 4, price_change: { price: 950, at: '2027-01-01T05:00:00.000Z' } };
  const parts = applyOperations(noParts, [
    makeCreateOperation('menu', { id: 'm1', name: 'Menu', store_id: 's1' }),
    makeCreateOperation('category', { id: 'c1', name: 'Mains', menu_id: 'm1' }),
    makeCreateOperation('item', { id: 'pie', name: 'Pie', price: 800, ...kept }),
    makeLinkOperation('category', 'c1', ['pie']),
  ]);
  const file = await writeCsv(exportMenu(parts, 'GBP'));
  const text = (await file.text()).replace('8.00', '8.50');
  const [{ table }] = await readSheets(new TextEncoder().encode(text), 'menu.csv');
  const { operations } = planImport(table, parts, options);
  expect(applyOperations(parts, operations).items[0]).toMatchObject({ price: 850, ...kept });
});

test('a row that is said to be unchanged changes nothing, whoever wrote it', () => {
  const row = fc.record({
    id: fc.boolean(),
    item: fc.integer(times),
    places: fc.array(fc.nat(3), { maxLength: 2 }),
    free: name,
  });
  fc.assert(
    fc.property(drawn, row, (one, { id, item, places, free }) => {
      const parts = menuOf(one);
      const dish = parts.items[item % parts.items.length];
      const own = parts.categories.find(({ item_ids }) => dish && item_ids.includes(dish.id));
      const menu = parts.menus.find((menuPart) => menuPart.id === own?.menu_id);
      const texts = [own?.name ?? '', `${menu?.name} > ${own?.name}`, one.categories[0]?.name ?? '', free];
      const category = places.map((place) => texts[place % texts.length]).join('; ');
      const cells = [
        ['ID', 'Name', 'Category', 'Price'],
        [id ? (dish?.id ?? '') : '', dish?.name ?? '', category, ''],
      ];
      const plan = planImport(readTable([{ name: '', cells }]), parts, { ...options, hidesMissing: false });
      expect(plan.rows).toHaveLength(1);
      expect(plan.rows[0]?.outcome === 'same' ? plan.operations : []).toEqual([]);
    }),
    { numRuns: pureDraws * 5 },
  );
});
