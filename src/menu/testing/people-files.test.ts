import { readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { applyOperations } from '#menu/operations/apply-operation.ts';
import { makeChangeOperation, makeCreateOperation, makeLinkOperation } from '#menu/operations/menu-operation.ts';
import { sampleParts } from '#menu/testing/sample-parts.ts';
import { planImport } from '#menu/import/plan-import.ts';
import { readSheets } from '#menu/web/import/read-sheets.ts';
import type { FileTable } from '#menu/import/table.ts';

let made = 0;
const newId = () => `00000000-0000-4000-8000-${String((made += 1)).padStart(12, '0')}`;
const options = { currency: 'GBP', hidesMissing: false, statesAllergens: false, meant: {}, newId };
const parts = sampleParts();

const file = (name: string) => new Uint8Array(readFileSync(new URL(`imports/${name}`, import.meta.url)));
const readAll = (bytes: Uint8Array<ArrayBuffer>, name = 'menu.csv') => readSheets(bytes, name);
const read = async (bytes: Uint8Array<ArrayBuffer>, name?: string) => {
  const [{ table }, ...others] = await readAll(bytes, name);
  expect(others).toEqual([]);
  return table;
};
const plan = (table: FileTable, into = parts, meant = {}) => planImport(table, into, { ...options, meant });
const after = (table: FileTable, into = parts) => applyOperations(into, plan(table, into).operations);
const latin = (text: string) => new Uint8Array(Buffer.from(text, 'latin1'));
const utf8 = (text: string) => new TextEncoder().encode(text);
const names = (table: FileTable) => table.rows.map(({ cells }) => cells['name']);

describe('a file is read as its program wrote it', () => {
  test('with a first line that tells the separator, which is no row', async () => {
    const table = await read(file('sep.csv'));
    expect(table.rows).toMatchObject([{ number: 2, cells: { name: 'Sep Margherita', price: '8,50' } }]);
    expect(names(await read(utf8('\uFEFF"sep=|"\r\nName|Price\r\nTea, hot|1')))).toEqual(['Tea, hot']);
  });

  test('in UTF-16', async () => {
    expect((await read(file('utf16.csv'))).rows).toMatchObject([{ cells: { name: 'Café crème', price: '£3.50' } }]);
    expect((await read(file('utf16be.csv'))).rows).toMatchObject([{ cells: { name: 'Café BE', price: '3.50' } }]);
  });

  // The bytes as Windows and Mac write these words.
  test.each([
    [
      'Western',
      'windows-1252',
      latin('Name,Price\nCaf\xE9 \x93hot\x94,\xA38.50\nRob\x92s Brownie,\x805\nM\xFCsli \xBD,1'),
      ['Café “hot”', 'Rob’s Brownie', 'Müsli ½'],
    ],
    [
      'Central European',
      'windows-1250',
      latin('Name,Price\nSok jab\xB3kowy,1\n\xAFurek,2\n\x8Cliwki w s\xB3oiku,3'),
      ['Sok jabłkowy', 'Żurek', 'Śliwki w słoiku'],
    ],
    [
      'Central European as Unix writes it',
      'iso-8859-2',
      latin('Name,Price\nSok jab\xB3kowy,1\nG\xEA\xB6,2\n\xA6liwki,3'),
      ['Sok jabłkowy', 'Gęś', 'Śliwki'],
    ],
    [
      'Mac',
      'macintosh',
      latin('Name,Price\nCr\x8Fme br\x9El\x8Ee,\xA38.50\nRob\xD5s Caf\x8E,1'),
      ['Crème brûlée', 'Rob’s Café'],
    ],
    ['Western with a fraction', 'windows-1252', latin('Name,Price\n\xBD chicken,4'), ['½ chicken']],
    ['Western with one accent', 'windows-1252', latin('Name,Price\nSaut\xE9ed greens,4'), ['Sautéed greens']],
  ])('in %s', async (_, encoding, bytes, expected) => {
    const readings = await readAll(bytes);
    expect(readings.map((one) => one.encoding)).toEqual([encoding]);
    expect(names(readings[0].table)).toEqual(expected);
  });

  test('in one of two encodings that are plausible alike: both are offered, with the words that differ', async () => {
    const readings = await readAll(latin('Category,Name,Price\nDesserts,Cr\xE8me caramel,4\nMains,Jalape\xF1o,5'));
    expect(readings.map(({ encoding, samples }) => [encoding, samples])).toEqual([
      ['windows-1252', ['Crème caramel', 'Jalapeño']],
      ['windows-1250', ['Crčme caramel', 'Jalapeńo']],
    ]);
    expect(names(readings[1]?.table ?? readings[0].table)).toEqual(['Crčme caramel', 'Jalapeńo']);
  });

  test('that only one is plausible in: a pound sign tells', async () => {
    const readings = await readAll(latin('Name,Price\nCr\xE8me caramel,\xA34.50'));
    expect(readings.map(({ encoding }) => encoding)).toEqual(['windows-1252']);
  });

  test('in an encoding that is only guessed: its words are shown, those of a sure one are not', async () => {
    // A DOS program's É and ë.
    const [dos] = await readAll(latin('Name,Price\n\x90clair,2\nNo\x89l cake,3'));
    expect(dos.samples).toEqual(['êclair', 'Noâl cake']);
    const [plain] = await readAll(utf8('Name,Price\nÉclair,2'));
    expect([plain.encoding, plain.samples]).toEqual(['utf-8', []]);
  });

  test('with one invalid byte: only its row is wrong, and only there', async () => {
    const bytes = new Uint8Array([
      ...utf8('Name,Category,Price\nCafé,Drinks,1\nThé vert'),
      0xe9,
      ...utf8(',Drinks,2\nCrème,Drinks,£3'),
    ]);
    const table = await read(bytes);
    expect(names(table)).toEqual(['Café', 'Thé vert\uFFFD', 'Crème']);
    expect(plan(table).rows.map(({ problems }) => problems.map(({ column }) => column))).toEqual([[], ['Name'], []]);
  });

  test('with dishes that really have such a sign', async () => {
    const strange = applyOperations(parts, [makeChangeOperation('item', 'soup', { description: 'So \uFFFD' })]);
    expect(plan(await read(utf8('ID,Name,Description\nsoup,Soup,So \uFFFD')), strange).rows[0]?.outcome).toBe('same');
  });
});

describe('a workbook', () => {
  test('with a page of notes: it is left out and named', async () => {
    const table = await read(file('extra-sheet.xlsx'), 'extra-sheet.xlsx');
    expect([names(table), plan(table).leftOut]).toEqual([['Notes Lemonade'], ['Notes']]);
  });

  test('with a hidden sheet: it is never read, and named', async () => {
    const table = await read(file('hidden-sheet.xlsx'), 'hidden-sheet.xlsx');
    expect([names(table), table.leftOut]).toEqual([['Visible one'], ['Old prices']]);
  });
});

describe('cells as other programs write them', () => {
  test('prices and counts with zeros at their ends', async () => {
    const planned = after(await read(file('four-decimals.csv')));
    expect(planned.items.slice(-3).map(({ price }) => price)).toEqual([750, 825, 950]);
    const table = await read(utf8('Name,Category,Price,Spice,Minimum age,VAT %\nTea,Mains,£1.5000,2.0,18.00,20.0000'));
    expect(after(table).items.at(-1)).toMatchObject({ price: 150, spice_level: 2, min_age: 18, vat_rate: 2000 });
    const wrong = await read(utf8('Name,Category,Price\nTea,Mains,1.505\nSoda,Mains,.'));
    expect(plan(wrong).rows.map(({ outcome }) => outcome)).toEqual(['refused', 'refused']);
  });

  test('descriptions in HTML', async () => {
    expect(after(await read(file('html.csv'))).items.at(-1)?.description).toBe('Still & cold, 330 ml');
    const again = await read(file('html.csv'));
    expect(plan(again, after(again)).operations).toEqual([]);
    const text = await read(utf8('Name,Category,Price,Description\n<b>Tea</b>,Mains,1,We <3 tea'));
    expect(after(text).items.at(-1)).toMatchObject({ name: 'Tea', description: 'We <3 tea' });
  });

  test('allergens by the names that the law gives them', async () => {
    const planned = after(await read(file('allergen-names-of-the-law.csv')));
    expect(planned.items.slice(parts.items.length).map((item) => item.allergen_answers?.contains)).toEqual(
      [
        'gluten',
        'crustaceans',
        'eggs',
        'fish',
        'peanuts',
        'soya',
        'milk',
        'nuts',
        'celery',
        'mustard',
        'sesame',
        'sulphites',
        'lupin',
        'molluscs',
        'nuts',
      ].map((code) => [code]),
    );
    const cell = '"Eggs and products thereof, Cereals containing gluten (wheat, rye); Nuts (almonds), Sulfites"';
    const table = await read(utf8(`Name,Category,Price,Contains\nCake,Mains,1,${cell}\nDust,Mains,1,"Eggs, dust"`));
    expect(after(table).items.at(-1)?.allergen_answers?.contains).toEqual(['gluten', 'eggs', 'nuts', 'sulphites']);
    expect(plan(table).rows[1]?.problems).toHaveLength(1);
  });
});

describe('the sign between a menu and its category', () => {
  test('is part of one category’s name unless that menu exists', async () => {
    const table = await read(file('gt-category.csv'));
    const planned = plan(table);
    expect(planned.newCategories).toEqual(['Pizza > 12 inch', 'Mains (>£10)']);
    expect(plan(table, after(table)).operations).toEqual([]);
    const withMenu = applyOperations(parts, [makeCreateOperation('menu', { id: 'm3', name: 'Pizza', store_id: 's1' })]);
    expect(after(table, withMenu).categories.slice(-2)).toMatchObject([
      { menu_id: 'm3', name: '12 inch' },
      { menu_id: 'm1', name: 'Mains (>£10)' },
    ]);
  });

  test('a category of two menus, or two of one menu, is asked for by name unless the dish is in it', async () => {
    const twice = applyOperations(parts, [
      makeCreateOperation('category', { id: '0000-00000a', name: 'Sides', menu_id: 'm1' }),
      makeCreateOperation('category', { id: '0000-00000b', name: 'Sides', menu_id: 'm1' }),
      makeLinkOperation('category', '0000-00000b', ['soup']),
    ]);
    const table = await read(utf8('Name,Category,Price\nRice,Sides,2\nNaan,Sides #00000b,2\nSoup,Sides,4.50'));
    const planned = plan(table, twice);
    expect(planned.rows.map(({ outcome }) => outcome)).toEqual(['refused', 'new', 'changed']);
    expect(planned.rows[0]?.problems[0]?.words).toContain('Sides #00000');
    expect(applyOperations(twice, planned.operations).categories.at(-1)?.item_ids).toHaveLength(2);
  });
});

describe('a name that differs from the menu by accents or tone marks alone', () => {
  const menu = applyOperations(parts, [
    makeChangeOperation('item', 'soup', { name: 'Phở' }),
    makeCreateOperation('item', { id: 'ma1', name: 'Mạ', price: 100 }),
    makeCreateOperation('item', { id: 'ma2', name: 'Mà', price: 200 }),
    makeLinkOperation('category', 'starters', ['ma1', 'ma2']),
    makeCreateOperation('option', { id: 'cafe', name: 'Café', price: 50 }),
    makeLinkOperation('group', 'topping', ['cafe']),
  ]);
  const lines = (...rows: string[]) => read(utf8(['Type,Option group,Name,Category,Price', ...rows].join('\n')));

  test('is asked about, and left out until it is answered; nothing is hidden meanwhile', async () => {
    const table = await lines('item,,Pho,Mains,5', 'option,Toppings,Cafe,,1');
    const asked = plan(table, menu);
    expect(asked.rows.map(({ outcome, question }) => [outcome, question])).toEqual([
      ['refused', { key: 'item  2', typed: 'Pho', choices: [{ id: 'soup', name: 'Phở' }] }],
      ['refused', { key: 'option  3', typed: 'Cafe', choices: [{ id: 'cafe', name: 'Café' }] }],
    ]);
    expect(asked.operations).toEqual([]);
    expect(asked.missing.map(({ id }) => id)).not.toContain('soup');
  });

  test('means what the person says', async () => {
    const table = await lines('item,,Pho,Mains,5');
    const changes = (meant: object) => plan(table, menu, meant).operations;
    expect(changes({ 'item  2': 'keep soup' })).toMatchObject([{ kind: 'change', id: 'soup', fields: { price: 500 } }]);
    expect(changes({ 'item  2': 'keep soup' })[0]).not.toHaveProperty('fields.name');
    expect(changes({ 'item  2': 'rename soup' })).toMatchObject([{ id: 'soup', fields: { name: 'Pho', price: 500 } }]);
    expect(changes({ 'item  2': 'new' })[0]).toMatchObject({ kind: 'create', fields: { name: 'Pho' } });
  });

  test('is not asked about if a dish has exactly this name', async () => {
    const planned = plan(await lines('item,,Mà,Starters,3', 'item,,MẠ,Starters,1', 'item,,Má,Starters,4'), menu);
    expect(planned.rows.map(({ outcome, question }) => [outcome, question?.choices.map(({ id }) => id)])).toEqual([
      ['changed', undefined],
      ['changed', undefined],
      ['refused', ['ma1', 'ma2']],
    ]);
  });
});

describe('a quotation mark that is never closed', () => {
  test.each([
    ['at the end', 'Name,Category,Price\nTea,Mains,1\n"Cola,Mains,2\nSoda,Mains,3\nJuice,Mains,4'],
    ['before others', 'Name,Category,Price\nTea,Mains,1\n"Cola,Mains,2\nSoda,"Mains",3\nJuice,Mains,4\n'],
    [
      'in lines of Windows',
      'Name,Category,Price\r\nTea,Mains,1\r\nCola,"Mains,2\r\nSoda,Mains,3\r\n"Juice",Mains,4\r\n',
    ],
  ])('%s spoils its own row alone', async (_, text) => {
    const planned = plan(await read(utf8(text)));
    expect(planned.rows.map(({ number, outcome }) => [number, outcome])).toEqual([
      [2, 'new'],
      [3, 'refused'],
      [4, 'new'],
      [5, 'new'],
    ]);
    expect(planned.rows[1]?.problems).toMatchObject([{ column: '', words: expect.stringContaining('do not match') }]);
  });

  test('in the last cell of the last row is one too', async () => {
    const table = await read(utf8('Name,Category,Description\nTea,Mains,Hot\nCola,Mains,"Cold and fizzy'));
    expect(plan(table).rows.map(({ outcome }) => outcome)).toEqual(['refused', 'refused']);
    expect(table.rows.map(({ fault }) => fault !== undefined)).toEqual([false, true]);
  });

  test('is no mark for inches, and quoted lines stay together', async () => {
    const table = await read(
      utf8('Name,Category,Description\n12" pizza,Mains,"Hot\nand ""large"""\n"14" pizza",Mains,x'),
    );
    expect(table.rows).toMatchObject([
      { number: 2, cells: { name: '12" pizza', description: 'Hot\nand "large"' } },
      { number: 3, cells: { name: '14" pizza' } },
    ]);
    expect(table.rows.every(({ fault }) => fault === undefined)).toBe(true);
  });

  test('in every row is refused in words', async () => {
    await expect(read(utf8(`Name,Price\n${'"Tea,1\n'.repeat(300)}`))).rejects.toThrow('quotation marks');
  });
});
