import { unzipSync } from 'fflate';
import { readSheet } from 'read-excel-file/node';
import { expect, test } from 'vitest';
import { drawMenu } from './draw-menu.ts';
import { addScores, menuLayouts, scoreLayout } from './menu-layouts.ts';
import { fingerprintOf, pdfForms, printedSeed } from './pdf-forms.ts';

test('the thirty layouts of a seed are the same each time, and others than those of another seed', async () => {
  const [first, again, other] = await Promise.all([menuLayouts(1), menuLayouts(1), menuLayouts(2)]);
  expect(first.map((layout) => layout.expected)).toEqual(again.map((layout) => layout.expected));
  const kinds = Object.groupBy(first, (layout) => layout.kind);
  expect([kinds.spreadsheet?.length, kinds.page?.length, kinds.pdf?.length]).toEqual([12, 10, 8]);
  expect(new Set(first.map((layout) => layout.name)).size).toBe(30);
  for (const [index, layout] of first.entries()) {
    const { dishes } = layout.expected;
    expect(dishes.length, layout.name).toBeGreaterThanOrEqual(20);
    expect(dishes.length, layout.name).toBeLessThanOrEqual(90);
    expect(new Set(dishes.map((dish) => dish.name)).size, layout.name).toBe(dishes.length);
    if (layout.fileName.endsWith('.xlsx')) continue;
    expect(Buffer.compare(layout.bytes, again[index]!.bytes), layout.name).toBe(0);
    expect(Buffer.compare(layout.bytes, other[index]!.bytes) === 0, layout.name).toBe(layout.kind === 'pdf');
  }
  expect(first.reduce((sum, layout) => sum + layout.expected.dishes.length, 0)).toBeGreaterThanOrEqual(600);
});

test('each workbook opens, and has the name of every dish', async () => {
  const workbooks = (await menuLayouts(3)).filter((layout) => layout.fileName.endsWith('.xlsx'));
  expect(workbooks).toHaveLength(6);
  for (const { name, bytes, expected } of workbooks) {
    expect((await readSheet(Buffer.from(bytes))).length, name).toBeGreaterThan(0);
    const parts = Object.entries(unzipSync(bytes)).filter(([path]) => path.endsWith('.xml'));
    const xml = parts.map(([, part]) => Buffer.from(part).toString()).join('');
    const missing = expected.dishes.filter((dish) => !xml.includes(dish.name.replaceAll('&', '&amp;')));
    expect(missing, name).toEqual([]);
  }
});

test('each PDF was printed from the menu that is expected of it', async () => {
  const layouts = await menuLayouts(1);
  for (const form of pdfForms) {
    const { bytes } = layouts.find((layout) => layout.name === form.name)!;
    expect(bytes.length, form.name).toBeLessThanOrEqual(60 * 1024);
    const title = fingerprintOf(form, drawMenu(form.menu, printedSeed));
    expect(Buffer.from(bytes).includes(`/Title (${title})`), `print ${form.name} again: print-pdfs.ts`).toBe(true);
  }
});

const cod = { name: 'Cod', number: '4', category: 'Fish', price: 750, sizes: [], isDoubtful: false };
const lobster = { name: 'Lobster', category: 'Fish', price: null, sizes: [], isDoubtful: true };
const sizes = [
  { name: '7"', price: 600 },
  { name: '10"', price: 900 },
];
const pizza = { name: 'Pizza', category: 'Pizzas', price: null, sizes, isDoubtful: false };
const expected = { dishes: [cod, lobster, pizza], deals: ['2 for £10'] };

test.each([
  ['read as it is', expected.dishes, { right: 3, categoriesRight: 3, pricesRight: 3, doubtfulMarked: 1, invented: 0 }],
  ['read with its number, mark and Chinese', [{ ...cod, name: '4. COD  鱈魚 (v)' }], { right: 1, pricesRight: 1 }],
  ['read with its number and no dot', [{ ...cod, name: '4 Cod' }], { right: 1, pricesRight: 1 }],
  ['in another category', [{ ...cod, category: 'Chips' }], { right: 1, categoriesRight: 0 }],
  ['read twice', [cod, cod], { right: 1, invented: 1 }],
  ['with a wrong price', [{ ...cod, price: 75 }], { right: 1, pricesRight: 0, needlesslyMarked: 0 }],
  ['needlessly marked', [{ ...cod, isDoubtful: true }], { pricesRight: 1, needlesslyMarked: 1 }],
  ['a guess at a doubtful price', [{ ...lobster, price: 500, isDoubtful: false }], { right: 1, doubtfulMarked: 0 }],
  ['with one size of two', [{ ...pizza, sizes: [{ name: '7”', price: 600 }] }], { right: 1, pricesRight: 1 }],
  ['a deal taken for a dish', [{ ...cod, name: '2 for' }], { right: 0, invented: 0 }],
  ['a phone number taken for a dish', [{ ...cod, name: 'Tel: 01234' }], { right: 0, invented: 1 }],
])('a dish %s', (_, read, counts) => {
  expect(scoreLayout(expected, read)).toMatchObject({ dishes: 3, prices: 3, doubtful: 1, ...counts });
});

test('scores add up', () => {
  const sum = addScores([scoreLayout(expected, [cod]), scoreLayout(expected, [pizza])]);
  expect(sum).toMatchObject({ dishes: 6, right: 2, prices: 6, pricesRight: 3, doubtful: 2, doubtfulMarked: 0 });
});
