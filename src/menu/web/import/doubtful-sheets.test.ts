import { describe, expect, test } from 'vitest';
import writeXlsxFile from 'write-excel-file/universal';
import {
  canConfirm,
  filterBulkConfirmableDishes,
  type DraftAnswers,
  dishKey,
  noDraftAnswers,
  draftToTable,
  type MenuDraft,
} from '#menu/import/draft.ts';
import {
  setColumnMeaning,
  guessSheetMatch,
  hasHeadingsOf,
  splitMatchByHeadings,
  mergeGroupMatch,
} from '#menu/import/match-columns.ts';
import { planImport } from '#menu/import/plan-import.ts';
import { readPrices } from '#menu/import/read-amounts.ts';
import { formatMoneyCell, saleStateWords } from '#menu/import/read-cell.ts';
import {
  type ImportAnswers,
  mergeAnswers,
  rememberedMatchColumns,
  findRememberedMatch,
  rereadWithMatch,
} from '#menu/web/import/import-drafts.ts';
import { parseMenuFile } from '#menu/web/import/read-menu.ts';
import { readSheets } from '#menu/web/import/read-sheets.ts';

const utf8 = (...lines: string[]) => new TextEncoder().encode(lines.join('\n'));
const csv = (...lines: string[]) => parseMenuFile(utf8(...lines), 'menu.csv');
const doubtful = ({ dishes }: MenuDraft) => dishes.filter(({ doubts }) => doubts.length > 0).map(({ name }) => name);
const workbook = async (sheets: Record<string, string[][]>) => {
  const data = Object.entries(sheets).map(([sheet, lines]) => ({
    sheet,
    data: lines.map((line) => line.map((value) => ({ value, type: String }))),
  }));
  return new Uint8Array(await (await writeXlsxFile(data).toBlob()).arrayBuffer());
};

describe('a price is doubtful', () => {
  test.each(['-3.00', '−3', '- £3.00', '8.50+', '7.9*', '£7.90*', '$8.50', '8,50 €', 'USD 8.50', '8 50', '£8 / €9'])(
    'in pounds: %s',
    (text) => expect(readPrices(text, 'GBP').isDoubtful).toBe(true),
  );
  test.each([
    ['8,50 €', 'EUR'],
    ['$8.50', 'CAD'],
    ['£8.50', 'GBP'],
    ['8.50 each', 'GBP'],
    ['12,50 zł', 'PLN'],
  ])('but not %s in %s', (text, currency) => expect(readPrices(text, currency).isDoubtful).toBe(false));

  test.each(['CHF 8.50', '85 kr', '€8', '8,50 zł', '80 Kč', '₹250', '850 Ft', 'kr. 85', '$8'])(
    'because of another currency, and says so: %s',
    (text) => {
      const { isDoubtful, doubtReason } = readPrices(text, 'GBP');
      expect([isDoubtful, doubtReason]).toEqual([true, `The price is in another currency: ${text}.`]);
    },
  );
  test.each([
    ['80p', 'EUR'],
    ['85 kr', 'SEK'],
    ['CHF 8.50', 'CHF'],
  ])('%s in %s', (text, currency) => expect(readPrices(text, currency).isDoubtful).toBe(currency === 'EUR'));

  test('below a heading of another currency', async () => {
    const draft = await csv('Category,Dish,Price (€)', 'Soups,Leek,4.50', 'Soups,Pea,5');
    expect(doubtful(draft)).toEqual(['Leek', 'Pea']);
    expect(draft.dishes[0]?.doubtReason).toContain('Price (€)');
  });

  test.each([
    ['80p each or 3 for £2.00', 80],
    ['3 for £2.00 or 80p each', 80],
    ['£1 / 6 for £5', 100],
    ['0.80 (3/2.00)', 80],
    ['3 for £2', 200],
  ])('beside the price of several: %s', (text, price) => {
    expect(readPrices(text, 'GBP')).toMatchObject({ price, sizes: [], isDoubtful: true });
    expect(readPrices(text, 'GBP').doubtReason).toMatch(/^Several cost less together: \d ?(?:for|\/) ?£?\d/);
  });

  test('if its type is not fixed, or if a sale price differs', async () => {
    const draft = await csv(
      'Name,Price,Price Type,Sale price',
      'Pie,5,Fixed,5',
      'Steak,2.10,Per Unit,',
      'Chips,2.50,,2.00',
    );
    expect(doubtful(draft)).toEqual(['Steak', 'Chips']);
    expect(draft.dishes[1]?.doubtReason).toContain('Per Unit');
    expect(draft.dishes[2]?.doubtReason).toContain('2.00');
  });

  test('if a size has none; the doubt names the size', async () => {
    const draft = await csv(
      'Section,Item,Size,Price',
      'Pizza,Funghi,Small,7',
      'Pizza,Funghi,Large,9',
      'Pizza,Bianca,Small,8',
      'Pizza,Bianca,Large,',
      'Pizza,Rossa,Small,6',
      ',,Large,',
    );
    expect(doubtful(draft)).toEqual(['Bianca', 'Rossa']);
    expect(draft.dishes[1]).toMatchObject({ sizes: [{ price: 800 }, { name: 'Large', price: null }] });
    expect(draft.dishes[1]?.doubtReason).toContain('Large');
  });

  test('of a variant of a web shop too, but not of the product above its variants', async () => {
    const draft = await csv(
      'ID,Type,SKU,Name,Published,Regular price,Categories,Parent,Attribute 1 value(s)',
      '1,variable,W1,Wrap,1,,Wraps,,"Regular, Large"',
      '2,variation,W2,Wrap - Regular,1,5.50,,id:1,Regular',
      '3,variation,W3,Wrap - Large,1,,,id:1,Large',
      '4,variable,W4,Doner,1,,Wraps,,"Small, Large"',
      '5,variation,W5,Doner - Small,1,6,,W4,Small',
      '6,variation,W6,Doner - Large,1,8,,W4,Large',
    );
    expect(doubtful(draft)).toEqual(['Wrap']);
    expect(draft.dishes[0]?.sizes.map(({ name, price }) => [name, price])).toEqual([
      ['Regular', 550],
      ['Large', null],
    ]);
  });
});

describe('two dishes of one name and category at different prices', () => {
  const parts = {
    store_id: 's1',
    version: 1,
    menus: [{ id: 'm1', name: 'Menu', category_ids: [] }],
    categories: [],
    items: [],
    option_groups: [],
    options: [],
  } as never;
  let made = 0;
  const options = { currency: 'GBP', newId: () => `id${(made += 1)}` };
  const rows = (draft: MenuDraft, answers: DraftAnswers) =>
    planImport(draftToTable(draft, answers, 'GBP'), parts, options as never).rows;
  const plan = (draft: MenuDraft, answers: DraftAnswers) => rows(draft, answers).map(({ outcome }) => outcome);

  test('with sizes say nothing about sets of choices before they are confirmed', async () => {
    const draft = await csv('Section,Item,Price', 'Z,Soup,from 4.50/6', 'Z,Bread,2');
    const words = rows(draft, noDraftAnswers).flatMap(({ problems }) => problems.map((one) => one.words));
    expect(words).toEqual([expect.stringContaining('from 4.50/6')]);
  });

  test.each([['Category,Dish,Price'], ['Section,Item,Cost']])('are doubtful below %s', async (heads) => {
    const bytes = utf8(heads, 'Z,Soup,4.50', 'Z,Bread,2', 'Z,SOUP,5.50', 'Y,Soup,3');
    const [{ draft }] = await readSheets(bytes, 'menu.csv');
    expect(draft && doubtful(draft)).toEqual(['Soup', 'SOUP']);
  });

  test('are imported once the right one is confirmed, or one is renamed', async () => {
    const draft = await csv('Section,Item,Price', 'Z,Soup,4.50', 'Z,Bread,2', 'Z,Soup,5.50');
    const [first, , second] = draft.dishes;
    if (!first || !second) throw new Error('The soups are missing.');
    expect(filterBulkConfirmableDishes([first, second], draft, noDraftAnswers)).toEqual([]);
    const one = { ...noDraftAnswers, confirmed: [dishKey(first)] };
    expect(canConfirm(second, draft, one)).toBe(false);
    expect(plan(draft, one)).toEqual(['new', 'new', 'refused']);
    const renamed = { ...one, edits: { [dishKey(second)]: { name: 'Large soup' } } };
    expect(canConfirm(second, draft, renamed)).toBe(true);
    const both = { ...renamed, confirmed: [dishKey(first), dishKey(second)] };
    expect(plan(draft, both)).toEqual(['new', 'new', 'new']);
  });

  test('stay doubtful in the same row of two sheets', async () => {
    const bytes = await workbook({
      Lunch: [
        ['Section', 'Dish', 'Price'],
        ['Soups', 'Tomato', '4'],
      ],
      Dinner: [
        ['Section', 'Dish', 'Price'],
        ['Soups', 'Tomato', '6'],
      ],
    });
    expect(doubtful(await parseMenuFile(bytes, 'menu.xlsx'))).toEqual(['Tomato', 'Tomato']);
  });
});

test('only prices near the others are confirmed together', async () => {
  const draft = await csv(
    'Section,Item,Price',
    'A,Pie,from £8.50',
    'A,Stew,£9+',
    'A,Soup,7',
    'A,Typo,850',
    'A,Free,0',
    'A,Huge,99999',
    'A,Ask,POA',
    'A,Salad,6',
  );
  expect(doubtful(draft)).toEqual(['Pie', 'Stew', 'Typo', 'Free', 'Huge', 'Ask']);
  const open = draft.dishes.filter(({ doubts }) => doubts.length > 0);
  expect(filterBulkConfirmableDishes(open, draft, noDraftAnswers).map(({ name }) => name)).toEqual(['Pie', 'Stew']);
});

describe('a row for each combination of two options', () => {
  const heads = 'Handle,Title,Type,Option1 Name,Option1 Value,Option2 Name,Option2 Value,Variant Price';
  const sizes = async (...lines: string[]) => {
    const draft = await csv(...lines);
    return draft.dishes.map((dish) => [dish.doubts.length > 0, dish.sizes.map(({ name }) => name)]);
  };

  test('is a size with a readable name, in which a plain word stays', async () => {
    const lines = [
      'Regular,Crust,Thin,8',
      'Regular,Crust,Deep pan,9',
      'Large,Crust,Thin,10',
      'Large,Crust,Deep pan,11',
    ];
    expect(await sizes(heads, ...lines.map((line) => `p,Margherita,Pizzas,Size,${line}`))).toEqual([
      [false, ['Regular, thin crust', 'Regular, deep pan crust', 'Large, thin crust', 'Large, deep pan crust']],
    ]);
  });
  test('is doubtful if an option has no name', async () => {
    const plain = heads.replace('Option2 Name', 'Other');
    expect(await sizes(plain, 'w,Wings,Sides,Size,6,,Hot,5', 'w,,,,6,,BBQ,5.50', 'w,,,,12,,Hot,9')).toEqual([
      [true, ['6, hot', '6, BBQ', '12, hot']],
    ]);
  });
  test('says nothing twice that the name of a variation joins', async () => {
    const square =
      'Token,Item Name,Variation Name,Category,Price,Option Name 1,Option Value 1,Option Name 2,Option Value 2';
    const lines = [
      'a,Tea,"Large, Oat",Drinks,3,Size,Large,Milk,Oat',
      'b,Tea,"Small, Soya",Drinks,2,Size,Small,Milk,Soya',
    ];
    expect(await sizes(square, ...lines)).toEqual([[false, ['Large, oat milk', 'Small, soya milk']]]);
  });
  test('names a regular size after a large one', async () => {
    const lines = ['Section,Item,Size,Price', 'Drinks,Cola,Large,2', 'Drinks,Cola,Regular,1.50'];
    expect(await sizes(...lines)).toEqual([[false, ['Large', 'Regular']]]);
  });
});

test.each([
  ['"Food, Food > Kebabs"', 'Kebabs'],
  ['"Food > Pizzas, Specials"', 'Pizzas'],
  ['"Offers, Drinks"', 'Drinks'],
  ['"Food > Fish\\, Chips &amp; Pies"', 'Fish, Chips & Pies'],
  ['Uncategorized', ''],
])('the category of a web shop is the deepest of %s', async (cell, category) => {
  const { dishes } = await csv('Name,Regular price,Categories,Parent', `Doner,7,${cell},`);
  expect(dishes[0]?.category).toBe(category);
});

test.each([
  ['7.5000', '£7.50'],
  ['8', '£8.00'],
  ['ask', 'ask'],
  ['', ''],
])('the preview shows the price %s as the shop does', (cell, shown) =>
  expect(formatMoneyCell(cell, 'GBP')).toBe(shown),
);

test('text of a web shop is shown and stored as a reader sees it', async () => {
  const draft = await csv(
    'Name,Regular price,Categories,Parent,Description',
    String.raw`Fish &amp; chips,7.5000,Mains,,"<p>Cod &amp; <b>chips</b></p>\nwith peas"`,
  );
  expect(draft.dishes[0]).toMatchObject({
    name: 'Fish & chips',
    price: 750,
    cells: { description: 'Cod & chips, with peas' },
    text: 'Fish & chips · 7.5000 · Mains · Cod & chips, with peas',
  });
});

describe('a workbook with several sheets of dishes', () => {
  const heads = ['Name', 'Price'];
  const sheets = {
    Pizzas: [
      ['Pizza', '10"', '12"'],
      ['Margherita', '7', '9'],
    ],
    Sides: [heads, ['Wings', '5']],
    Rota: [['Mon', 'Ann']],
    'Old prices 2019': [heads, ['Wings', '3']],
  };

  test('asks for the sheets, and reads those with other headings by their own', async () => {
    const [reading] = await readSheets(await workbook(sheets), 'menu.xlsx');
    expect(reading.asksForMatch).toBe(true);
    const { match } = reading;
    if (!match) throw new Error('The match is missing.');
    const both = rereadWithMatch(reading, { ...guessSheetMatch(reading.sheets, 0), sheets: [0, 1] }, 'GBP');
    expect(both.draft?.dishes.map(({ category, name, price }) => [category, name, price])).toEqual([
      ['Pizzas', 'Margherita', null],
      ['Sides', 'Wings', 500],
    ]);
    expect(both.table.leftOut).toEqual(['Rota', 'Old prices 2019']);
    expect(reading.sheets.map((sheet) => hasHeadingsOf(sheet, guessSheetMatch(reading.sheets, 0)))).toEqual([
      true,
      false,
      false,
      false,
    ]);
  });

  test('starts with those that look like dishes, and lets a person match each group of headings', async () => {
    const drinks = [
      ['Drink', 'Blurb', 'Price'],
      ['Cola', 'Cold', '2'],
    ];
    const [reading] = await readSheets(await workbook({ ...sheets, Drinks: drinks }), 'menu.xlsx');
    if (!reading.match) throw new Error('The match is missing.');
    expect(reading.match.sheets).toEqual([0, 1, 4]);
    const groups = splitMatchByHeadings(reading.sheets, reading.match);
    expect(groups.map((group) => group.sheets)).toEqual([[0], [1], [4]]);
    const last = groups[2];
    if (!last) throw new Error('The group is missing.');
    const changed = mergeGroupMatch(reading.match, setColumnMeaning(last, 1, 'description'));
    const read = rereadWithMatch(reading, changed, 'GBP');
    expect(read.draft?.dishes.map(({ name, cells }) => [name, cells['description']])).toEqual([
      ['Margherita', undefined],
      ['Wings', undefined],
      ['Cola', 'Cold'],
    ]);
    expect(read.table.leftOut).toEqual(['Rota', 'Old prices 2019']);
    expect(findRememberedMatch(reading, [rememberedMatchColumns(changed)])).toEqual(changed);
  });

  test('does not use an old one unasked', async () => {
    const { Sides, 'Old prices 2019': old } = sheets;
    const [{ match }] = await readSheets(await workbook({ Sides, 'Old prices 2019': old }), 'menu.xlsx');
    expect(match?.sheets).toEqual([0]);
  });

  test('uses the name of a sheet as the category', async () => {
    const bytes = await workbook({ Starters: [heads, ['Nachos', '5']], Mains: [heads, ['Burrito', '9']] });
    const [{ draft, asksForMatch }] = await readSheets(bytes, 'menu.xlsx');
    expect(asksForMatch).toBe(true);
    expect(draft?.dishes.map(({ category }) => category)).toEqual(['Starters', 'Mains']);
  });
});

describe('columns of prices', () => {
  const prices = ({ dishes }: MenuDraft) =>
    dishes.map(({ name, price, sizes }) => [name, price ?? sizes.map((size) => [size.name, size.price])]);

  test('of pounds and pence are one price', async () => {
    const draft = await csv('Item,£,p', 'Rolls,3,80', 'Duck,9,5', 'Chips,£2,', 'Soup,4,50');
    expect(prices(draft)).toEqual([
      ['Rolls', 380],
      ['Duck', 905],
      ['Chips', 200],
      ['Soup', 450],
    ]);
  });

  test('without tax are left out, and amounts of tax are no rates', async () => {
    const draft = await csv('Item,Net price,VAT 20%,Gross', 'Chips,2.50,0.50,3.00', 'Fish,6.00,1.20,7.20');
    expect(prices(draft)).toEqual([
      ['Chips', 300],
      ['Fish', 720],
    ]);
    expect(draft.dishes.map(({ cells }) => cells.vatRate)).toEqual([undefined, undefined]);
  });

  test('beside those of a size are sizes too', async () => {
    const draft = await csv('Dish,On its own,As a meal,Large meal', 'Burger,5.50,8.50,9.50', 'Wrap,5.00,8.00,9.00');
    expect(prices(draft)[0]).toEqual([
      'Burger',
      [
        ['On its own', 550],
        ['As a meal', 850],
        ['Large meal', 950],
      ],
    ]);
  });

  test('for another time or way are doubtful, because customers must not choose between them', async () => {
    const draft = await csv('Dish,Lunch price,Dinner price', 'Pad thai,8.95,11.95', 'Rice,2.50,3.00');
    expect(draft.dishes.map(({ doubtReason }) => doubtReason)).toEqual(
      Array(2).fill('Lunch, Dinner are not sizes: a customer would choose what to pay. Keep the price for takeaway.'),
    );
  });

  test('that were, or that shops recommend, give way to the price of today', async () => {
    const old = await csv('Dish,Old price,New price', 'Chips,2.50,3.00', 'Fish,6.00,7.20');
    const till = await csv('Product,Cost price,RRP,Our price', 'Chips,1.00,3.50,3.00', 'Fish,2.50,8.00,7.20');
    const expected = [
      ['Chips', 300],
      ['Fish', 720],
    ];
    expect([prices(old), prices(till)]).toEqual([expected, expected]);
  });

  test('of a size never replace the price beside them unasked', async () => {
    const draft = await csv('Dish,Price,Large price', 'Chips,3.00,4.50', 'Fish,7.20,');
    expect(prices(draft)).toEqual([
      [
        'Chips',
        [
          ['Chips 1', 300],
          ['Large', 450],
        ],
      ],
      ['Fish', 720],
    ]);
    expect(doubtful(draft)).toEqual(['Chips']);
  });

  test('below a line that names another currency are doubtful', async () => {
    const draft = await csv('Menü 2025 – alle Preise in Euro,,', 'Speise,Klein,Groß', 'Pizza,7.50,9.50', 'Salat,4,6');
    expect(doubtful(draft)).toEqual(['Pizza', 'Salat']);
    expect(prices(draft)[1]?.[1]).toEqual([
      ['Klein', 400],
      ['Groß', 600],
    ]);
  });

  test('with words beside the numbers stay dishes', async () => {
    const draft = await csv('Dish,Price', 'Soup,5', 'Roast,14 adult 8 child', 'Pie,9');
    expect(draft.dishes.map(({ name, category }) => [name, category])).toEqual([
      ['Soup', ''],
      ['Roast', ''],
      ['Pie', ''],
    ]);
    expect(doubtful(draft)).toEqual(['Roast']);
  });
});

describe('a product that is not on sale', () => {
  test('arrives hidden if any column hides it, or sold out', async () => {
    const { dishes } = await csv(
      'Title,Published,Status,Visibility in catalog,In stock?,Price',
      'Roll,TRUE,active,visible,1,6',
      'Old,TRUE,archived,visible,1,5',
      'Draft,FALSE,active,visible,1,4',
      'Secret,TRUE,active,hidden,1,4',
      'Baklava,TRUE,active,visible,0,3',
    );
    expect(dishes.map(({ cells }) => saleStateWords(cells))).toEqual(['', 'hidden', 'hidden', 'hidden', 'sold out']);
  });

  test('and no dish is left out by its name', async () => {
    const shopify = await csv('Title,Price,Gift Card', 'Soup,3,FALSE', 'Gift card,10,TRUE');
    const clover = await csv('Name,Price,Non-revenue item', 'Soup,3,No', 'Voucher,10,Yes');
    expect([shopify, clover].map(({ notFood }) => notFood)).toEqual([['Gift card'], ['Voucher']]);
    expect([shopify, clover].map(({ dishes }) => dishes.map(({ name }) => name))).toEqual([['Soup'], ['Soup']]);
  });
});

test('the answers of two tabs are merged; the stored one wins', () => {
  const answers = (confirmed: string[], edits: DraftAnswers['edits'], category: string): ImportAnswers => ({
    hidesMissing: false,
    statesAllergens: false,
    meant: {},
    reading: null,
    category,
    draft: { confirmed, edits },
  });
  const own = answers(['a', 'b'], { a: { name: 'A', price: 100 }, b: { price: 200 } }, 'Mains');
  const stored = answers(['a', 'c'], { a: { price: 150 } }, '');
  expect(mergeAnswers(own, stored)).toEqual(
    answers(['a', 'c', 'b'], { a: { name: 'A', price: 150 }, b: { price: 200 } }, 'Mains'),
  );
});
