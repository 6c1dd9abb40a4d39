import { readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import writeXlsxFile from 'write-excel-file/universal';
import { type MenuDraft, noDraftAnswers, draftToTable, modifierSetsWithoutOptions } from '#menu/import/draft.ts';
import { readSheets } from '#menu/web/import/read-sheets.ts';
import { parseMenuFile } from '#menu/web/import/read-menu.ts';

const utf8 = (text: string) => new TextEncoder().encode(text);
const file = (name: string) => new Uint8Array(readFileSync(new URL(`imports/${name}`, import.meta.url)));
const sheet = async (...sheets: { sheet: string; data: string[][] }[]) =>
  new Uint8Array(
    await (
      await writeXlsxFile(
        sheets.map(({ sheet: name, data }) => ({
          sheet: name,
          data: data.map((line) => line.map((value) => (value === '' ? null : { value, type: String }))),
        })),
      ).toBlob()
    ).arrayBuffer(),
  );
/** A dish in one line: `Pizzas: Margherita Small 850, Large 1150`; a question mark stands before a doubtful one. */
const short = async (bytes: Uint8Array<ArrayBuffer>, name = 'menu.csv') =>
  (await parseMenuFile(bytes, name)).dishes.map(
    ({ category, name: dish, price, sizes, doubts }) =>
      `${doubts.length > 0 ? '? ' : ''}${category}: ${dish} ${
        sizes.length > 0 ? sizes.map((size) => `${size.name} ${size.price}`).join(', ') : price
      }`,
  );
const csv = (...lines: string[]) => short(utf8(lines.join('\n')));
const marios = ['Pizzas: Margherita Small 850, Large 1150', 'Sides: Garlic bread 400', 'Drinks: Lemonade 180'];

describe('exports of other programs', () => {
  test.each(['square', 'shopify'])('%s', async (program) => {
    expect(await short(file(`${program}.csv`))).toEqual(marios);
  });
  test('loyverse', async () => {
    expect(await short(file('loyverse.csv'))).toEqual([...marios, '? Mains: Catch of the day null']);
  });
  test('woocommerce', async () => {
    const [pizza, bread] = marios;
    const sale = '? Drinks: Lemonade 180';
    expect(await short(file('woocommerce.csv'))).toEqual([pizza, bread, sale, 'Sides: Christmas box 2000']);
    const { dishes } = await parseMenuFile(file('woocommerce.csv'), 'a.csv');
    expect(dishes.map(({ cells }) => cells['visible'])).toEqual(['yes', 'yes', 'yes', 'no']);
  });
  test('clover', async () => {
    const heads =
      'Clover ID,Name,Alternate Name,Price,Price Type,Price Unit,Tax Rates,Cost,Product Code,SKU,Modifier Groups,Quantity,Printer Labels,Hidden,Non-revenue item';
    const bytes = await sheet(
      {
        sheet: 'Items',
        data: [
          heads.split(','),
          'A1,Margherita,,8.50,FIXED,,DEFAULT,2.10,,,,,,No,No'.split(','),
          'A2,Lemonade,,1.80,FIXED,,DEFAULT,,,,,,,No,No'.split(','),
          'A3,Old pie,,5,FIXED,,DEFAULT,,,,,,,Yes,No'.split(','),
        ],
      },
      {
        sheet: 'Modifier Groups',
        data: [
          'Modifier Group Name,Pop-up Automatically,Modifier,Price'.split(','),
          'Sauces,No,Garlic,0.50'.split(','),
        ],
      },
      {
        sheet: 'Categories',
        data: [
          ['Category Name', 'Pizzas', 'Drinks'],
          ['Items in Category', 'Margherita', 'Lemonade'],
          ['', 'Old pie', ''],
        ],
      },
    );
    expect(await short(bytes, 'inventory.xlsx')).toEqual([
      'Pizzas: Margherita 850',
      'Drinks: Lemonade 180',
      'Pizzas: Old pie 500',
    ]);
  });
});

/** Rows below the headings of a program's documentation; a cell without its heading is a mistake of the test. */
function exported(heads: string, ...rows: Record<string, string>[]): string[][] {
  const names = heads.split(',');
  for (const row of rows) expect(names).toEqual(expect.arrayContaining(Object.keys(row)));
  return [names, ...rows.map((row) => names.map((name) => row[name] ?? ''))];
}
const lines = (table: string[][]) => csv(...table.map((line) => line.map((cell) => `"${cell}"`).join(',')));

describe('exports of other programs with the headings of their newer releases', () => {
  test('square: an export of several hundred columns has alcohol, archived items and a second category', async () => {
    const heads =
      'Reference Handle,Token,Item Name,Customer-facing Name,Variation Name,Unit and Precision,SKU,Description,Categories,Reporting Category,SEO Title,SEO Description,Permalink,GTIN,Square Online Item Visibility,Item Type,Weight (kg),Social Media Link Title,Social Media Link Description,Shipping Enabled,Self-serve Ordering Enabled,Delivery Enabled,Pickup Enabled,Price,Online Sale Price,Archived,Sellable,Contains Alcohol,Stockable,Skip Detail Screen in POS,Option Name 1,Option Value 1,Current Quantity Hill Street,New Quantity Hill Street,Stock Alert Enabled Hill Street,Stock Alert Count Hill Street,Tax - VAT (20%)';
    const common = { 'Item Type': 'Prepared food and beverage', Archived: 'N', Sellable: 'Y', 'Contains Alcohol': 'N' };
    const pizza = {
      ...common,
      'Item Name': 'Margherita',
      Description: 'Tomato and basil',
      Categories: 'Pizzas',
      'Reporting Category': 'Food',
    };
    const table = exported(
      heads,
      {
        ...pizza,
        Token: 'A',
        'Variation Name': 'Small',
        'Option Name 1': 'Size',
        'Option Value 1': 'Small',
        Price: '8.50',
      },
      {
        ...pizza,
        Token: 'B',
        'Variation Name': 'Large',
        'Option Name 1': 'Size',
        'Option Value 1': 'Large',
        Price: '11.50',
      },
      {
        ...common,
        Token: 'C',
        'Item Name': 'Garlic bread',
        'Variation Name': 'Regular',
        Categories: 'Sides',
        Price: '£4.00',
      },
      {
        ...common,
        Token: 'D',
        'Item Name': 'Lemonade',
        'Variation Name': 'Regular',
        Categories: 'Drinks',
        'Reporting Category': 'Food',
        Price: '1.80',
      },
    );
    expect(await lines(table)).toEqual(marios);
  });
  test('shopify: a title before the handle', async () => {
    const heads =
      'Title,URL handle,Description,Vendor,Product category,Type,Tags,Published on online store,Status,SKU,Barcode,Option1 name,Option1 value,Option1 Linked To,Option2 name,Option2 value,Option2 Linked To,Option3 name,Option3 value,Option3 Linked To,Price,Compare-at price,Cost per item,Charge tax,Tax code,Unit price total measure,Unit price total measure unit,Unit price base measure,Unit price base measure unit,Inventory tracker,Inventory quantity,Continue selling when out of stock,Weight value (grams),Weight unit for display,Requires shipping,Fulfillment service,Product image URL,Image position,Image alt text,Variant image URL,Gift card,SEO title,SEO description';
    const common = {
      Vendor: 'Mario',
      'Product category': 'Food, Beverages & Tobacco',
      Status: 'Active',
      'Published on online store': 'TRUE',
    };
    const table = exported(
      heads,
      {
        ...common,
        Title: 'Margherita',
        'URL handle': 'margherita',
        Type: 'Pizzas',
        'Option1 name': 'Size',
        'Option1 value': 'Small',
        Price: '8.50',
        'Cost per item': '2.00',
      },
      { 'URL handle': 'margherita', 'Option1 value': 'Large', Price: '11.50', 'Cost per item': '3.00' },
      {
        ...common,
        Title: 'Garlic bread',
        'URL handle': 'garlic-bread',
        Type: 'Sides',
        'Option1 name': 'Title',
        'Option1 value': 'Default Title',
        Price: '4.00',
        'Compare-at price': '5.00',
      },
      {
        ...common,
        Title: 'Lemonade',
        'URL handle': 'lemonade',
        Type: 'Drinks',
        'Option1 name': 'Title',
        'Option1 value': 'Default Title',
        Price: '1.80',
      },
    );
    expect(await lines(table)).toEqual(marios);
  });
  test('loyverse: several shops, modifiers and taxes', async () => {
    const heads =
      'Handle,SKU,Name,Category,Description,Sold by weight,Option 1 name,Option 1 value,Option 2 name,Option 2 value,Option 3 name,Option 3 value,Default price,Cost,Barcode,SKU of included item,Quantity of included item,Track stock,Available for sale [Hill Street],Price [Hill Street],In stock [Hill Street],Low stock [Hill Street],Available for sale [Quay],Price [Quay],In stock [Quay],Low stock [Quay],Modifier - Sauces,Tax - VAT (20%)';
    const common = {
      'Sold by weight': 'N',
      'Available for sale [Hill Street]': 'Y',
      'Available for sale [Quay]': 'Y',
      'Modifier - Sauces': 'N',
      'Tax - VAT (20%)': 'Y',
    };
    const priced = (price: string) => ({ 'Default price': price, 'Price [Hill Street]': price, 'Price [Quay]': price });
    const table = exported(
      heads,
      {
        ...common,
        Handle: 'margherita',
        SKU: '1',
        Name: 'Margherita',
        Category: 'Pizzas',
        'Option 1 name': 'Size',
        'Option 1 value': 'Small',
        ...priced('8.50'),
      },
      { Handle: 'margherita', SKU: '2', 'Option 1 value': 'Large', ...priced('11.50') },
      { ...common, Handle: 'garlic-bread', SKU: '3', Name: 'Garlic bread', Category: 'Sides', ...priced('4.00') },
      { ...common, Handle: 'lemonade', SKU: '4', Name: 'Lemonade', Category: 'Drinks', ...priced('1.80') },
    );
    expect(await lines(table)).toEqual(marios);
  });
  test('woocommerce: two attributes, of which one is everywhere the same', async () => {
    const heads =
      'ID,Type,SKU,Name,Published,Is featured?,Visibility in catalog,Short description,Description,Tax status,In stock?,Sale price,Regular price,Categories,Images,Parent,Position,Attribute 1 name,Attribute 1 value(s),Attribute 1 visible,Attribute 1 global,Attribute 2 name,Attribute 2 value(s),Attribute 2 visible,Attribute 2 global,Meta: _wpcom_is_markdown,Download 1 name,Download 1 URL';
    const common = { Published: '1', 'Visibility in catalog': 'visible', 'In stock?': '1' };
    const table = exported(
      heads,
      {
        ...common,
        ID: '44',
        Type: 'variable',
        SKU: 'marg',
        Name: 'Margherita',
        Categories: 'Food > Pizzas',
        'Attribute 1 name': 'Size',
        'Attribute 1 value(s)': 'Small, Large',
        'Attribute 2 name': 'Base',
        'Attribute 2 value(s)': 'Thin',
      },
      {
        ...common,
        ID: '46',
        Type: 'simple',
        SKU: 'gb',
        Name: 'Garlic bread',
        'Regular price': '4',
        Categories: 'Sides',
      },
      {
        ...common,
        ID: '47',
        Type: 'simple',
        SKU: 'lem',
        Name: 'Lemonade',
        'Regular price': '1.80',
        Categories: 'Drinks',
      },
      {
        ...common,
        ID: '76',
        Type: 'variation',
        SKU: 'marg-s',
        Name: 'Margherita - Small',
        'Regular price': '8.50',
        Parent: 'marg',
        'Attribute 1 name': 'Size',
        'Attribute 1 value(s)': 'Small',
        'Attribute 2 name': 'Base',
      },
      {
        ...common,
        ID: '77',
        Type: 'variation',
        SKU: 'marg-l',
        Name: 'Margherita - Large',
        'Regular price': '11.50',
        Parent: 'marg',
        'Attribute 1 name': 'Size',
        'Attribute 1 value(s)': 'Large',
        'Attribute 2 name': 'Base',
      },
    );
    expect(await lines(table)).toEqual(marios);
  });
  test('clover: categories in a column, variants, and sheets of other things', async () => {
    const heads =
      'Clover ID,Name,Alternate Name,Description,Price,Price Type,Price Unit,Cost,Product Code,SKU,Quantity,Hidden?,Default tax rates?,Non-revenue item?,Printer Labels,Modifier Groups,Categories,Tax Rates,Variant Attribute,Variant Option';
    const common = { 'Price Type': 'FIXED', 'Hidden?': 'No', 'Default tax rates?': 'Yes', 'Non-revenue item?': 'No' };
    const items = exported(
      heads,
      {
        ...common,
        'Clover ID': 'A',
        Name: 'Margherita',
        Price: '8.50',
        Categories: 'Pizzas',
        'Variant Attribute': 'Size',
        'Variant Option': 'Small',
      },
      {
        ...common,
        'Clover ID': 'B',
        Name: 'Margherita',
        Price: '11.50',
        Categories: 'Pizzas',
        'Variant Attribute': 'Size',
        'Variant Option': 'Large',
      },
      {
        ...common,
        'Clover ID': 'C',
        Name: 'Garlic bread',
        Price: '4.00',
        Categories: 'Sides',
        'Modifier Groups': 'Sauces',
      },
      { ...common, 'Clover ID': 'D', Name: 'Lemonade', Price: '1.80', Categories: 'Drinks' },
    );
    const bytes = await sheet(
      { sheet: 'Items', data: items },
      {
        sheet: 'Modifier Groups',
        data: exported(
          'Modifier Group ID,Modifier Group Name,Pop up Automatically?,Modifier,Price,Required Quantity,Max Quantity',
          { 'Modifier Group Name': 'Sauces', Modifier: 'Garlic', Price: '0.50' },
        ),
      },
      {
        sheet: 'Tax Rates',
        data: exported('Tax Rate ID,Name,Tax Rate,Default?', { Name: 'VAT', 'Tax Rate': '20', 'Default?': 'Yes' }),
      },
    );
    expect(await short(bytes, 'inventory.xlsx')).toEqual(marios);
  });
});

describe('modifier sets of tills', () => {
  const sets = ({ modifiers = [] }: MenuDraft) =>
    modifiers.map(({ name, options, rules }) => [name, options.map((one) => `${one.name} ${one.price}`), rules]);

  test('that the file only names are named, with their number of dishes', async () => {
    const square = await parseMenuFile(file('square.csv'), 'square.csv');
    expect(modifierSetsWithoutOptions(square)).toEqual([]);
    const loyverse = await parseMenuFile(
      utf8('Handle,Name,Category,Price [A],"Modifier - ""Sauces"""\na,Pie,Pies,5,Y\nb,Tea,Drinks,1,N'),
      'loyverse.csv',
    );
    expect(modifierSetsWithoutOptions(loyverse)).toEqual([{ name: 'Sauces', count: 1 }]);
  });

  test('come along from the sheet that lists them, unless a price is unsure', async () => {
    const bytes = await sheet(
      {
        sheet: 'Items',
        data: [
          ['Clover ID', 'Name', 'Price', 'Price Type', 'Modifier Groups', 'Categories'],
          ['A', 'Doner', '7.50', 'FIXED', 'Sauces, Extras', 'Kebabs'],
          ['B', 'Shish', '8.50', 'FIXED', 'Sauces,Salads', 'Kebabs'],
        ],
      },
      {
        sheet: 'Modifier Groups',
        data: [
          ['Modifier Group Name', 'Pop up Automatically?', 'Modifier', 'Price', 'Required Quantity', 'Max Quantity'],
          ['Sauces', 'No', 'Garlic', '0.50', '1', '2'],
          ['', '', 'Chilli', '', '', ''],
          ['Extras', 'No', 'Cheese', 'from £1', '', ''],
        ],
      },
    );
    const draft = await parseMenuFile(bytes, 'inventory.xlsx');
    expect(draft.dishes.map(({ name }) => name)).toEqual(['Doner', 'Shish']);
    expect(sets(draft)).toEqual([
      ['Sauces', ['Garlic 50', 'Chilli 0'], { minSelect: '1', maxSelect: '2' }],
      ['Extras', [], {}],
      ['Salads', [], {}],
    ]);
    const { rows } = draftToTable(draft, noDraftAnswers, 'GBP');
    expect(
      rows.map(({ kind, cells }) => [kind, cells['name'], cells['groups'] ?? cells['group'], cells['price']]),
    ).toEqual([
      ['item', 'Doner', 'Sauces', '7.50'],
      ['item', 'Shish', 'Sauces', '8.50'],
      ['option', 'Garlic', 'Sauces', '0.50'],
      ['option', 'Chilli', 'Sauces', '0.00'],
    ]);
    const [{ table }] = await readSheets(bytes, 'inventory.xlsx');
    expect(table.leftOut).toEqual([]);
  });
});

describe('home-made sheets', () => {
  test('lines about extras are no dishes, but stay to be read', async () => {
    const { dishes, extras } = await parseMenuFile(
      utf8(
        'Category,Dish,Price\nPizzas,Margherita,8.50\nPizzas,Add cheese,80p\nExtras,Extra olives,0.50\nSides,Extra large chips,4',
      ),
      'menu.csv',
    );
    expect(dishes.map(({ name }) => name)).toEqual(['Margherita', 'Extra olives', 'Extra large chips']);
    expect(extras).toEqual(['Pizzas · Add cheese · 80p']);
  });
  test('titles above the headings, and sections between the dishes', async () => {
    expect(
      await csv(
        "Mario's Pizza,,",
        'Menu 2026,,',
        ',,',
        'Dish,What is in it,Price',
        'PIZZAS,,',
        'Margherita,Tomato,£8.50',
        'DRINKS,,',
        'Tea,,1.20',
      ),
    ).toEqual(['PIZZAS: Margherita 850', 'DRINKS: Tea 120']);
  });
  test('merged categories and names', async () => {
    expect(
      await csv(
        'Section,Item,Size,Cost to you £',
        'Pizzas,Margherita,Small,"7,50"',
        ',,Large,"9,50"',
        ',Funghi,Small,8',
        ',,Large,10',
        'Drinks,Tea,,1.20',
      ).catch((error: Error) => error.message),
    ).toEqual(['Pizzas: Margherita Small 750, Large 950', 'Pizzas: Funghi Small 800, Large 1000', 'Drinks: Tea 120']);
  });
  test('a column for each size, also below one heading', async () => {
    const expected = ['Pizzas: Margherita Small 750, Large 950', 'Drinks: Tea 120'];
    expect(await csv('Category,Name,Small,Large', 'Pizzas,Margherita,7.50,9.50', 'Drinks,Tea,1.20,')).toEqual(expected);
    expect(
      await csv('Category,Name,Price small (£),Price large (£)', 'Pizzas,Margherita,7.50,9.50', 'Drinks,Tea,1.20,-'),
    ).toEqual(expected.map((one) => one.replace('Small', 'small').replace('Large', 'large')));
    expect(
      await csv('Category,Name,Price,', ',,Small,Large', 'Pizzas,Margherita,7.50,9.50', 'Drinks,Tea,1.20,'),
    ).toEqual(expected);
  });
  test('prices in every shape; each that could mean something else is doubtful', async () => {
    expect(
      await csv(
        'Category,Name,Price',
        'A,One,£7.50',
        'A,Two,"7,50"',
        'A,Three,750p',
        'A,Four,from £7.50',
        'A,Five,S 7.50 / L 9.50',
        'A,Six,7.50/9.50',
        'A,Seven,POA',
        'A,Eight,7',
        'A,Nine,£7.50 each',
        'A,Ten,75.00',
        'A,Eleven,0.00',
      ),
    ).toEqual([
      'A: One 750',
      'A: Two 750',
      'A: Three 750',
      '? A: Four 750',
      'A: Five S 750, L 950',
      '? A: Six Size 1 750, Size 2 950',
      '? A: Seven null',
      'A: Eight 700',
      'A: Nine 750',
      '? A: Ten 7500',
      '? A: Eleven 0',
    ]);
  });
  test('without any headings, in another language, and with a sheet for each category', async () => {
    expect(
      await csv(
        'Pizzas;Margherita;Tomato and cheese from Naples;8,50',
        'Pizzas;Funghi;Mushrooms and tomato sauce;9,50',
        'Drinks;Tea;;1,20',
        'Drinks;Cola;;1,50',
      ),
    ).toEqual(['Pizzas: Margherita 850', 'Pizzas: Funghi 950', 'Drinks: Tea 120', 'Drinks: Cola 150']);
    expect(await csv('Kategoria;Nazwa dania;Cena;Alergeny', 'Zupy;Żurek;12,50;gluten', 'Zupy;Rosół;10,00;')).toEqual([
      'Zupy: Żurek 1250',
      'Zupy: Rosół 1000',
    ]);
    const heads = ['Dish', 'Price'];
    expect(
      await short(
        await sheet(
          { sheet: 'Pizzas', data: [heads, ['Margherita', '8.50']] },
          { sheet: 'Drinks', data: [heads, ['Tea', '1.20']] },
          { sheet: 'Notes', data: [['Ask Mario']] },
        ),
        'a.xlsx',
      ),
    ).toEqual(['Pizzas: Margherita 850', 'Drinks: Tea 120']);
  });
  test('whole pence are doubtful', async () => {
    expect(await csv('Dish,Price', 'Tea,120', 'Cola,150', 'Pie,450')).toEqual([
      '? : Tea 120',
      '? : Cola 150',
      '? : Pie 450',
    ]);
  });
});

const compound = (stream: string) =>
  new Uint8Array(Buffer.concat([Buffer.from([0xd0, 0xcf, 0x11, 0xe0]), Buffer.from(stream, 'utf16le')]));

test.each([
  ['an old workbook', new Uint8Array([0xd0, 0xcf, 0x11, 0xe0, 0xa1, 0xb1, 0x1a, 0xe1]), 'menu.xls', '.xlsx'],
  [
    'a spreadsheet of LibreOffice',
    utf8('PK\u0003\u0004 mimetypeapplication/vnd.oasis.opendocument.spreadsheet'),
    'menu.ods',
    'LibreOffice.*\\.xlsx.*CSV',
  ],
  ['one of Numbers', utf8('PK\u0003\u0004 Index/Document.iwa'), 'menu.numbers', 'Numbers.*\\.xlsx.*CSV'],
  ['a document of Pages', utf8('PK\u0003\u0004 Index/Document.iwa'), 'menu.pages', 'as a PDF'],
  ['a document of Word', utf8('PK\u0003\u0004 [Content_Types].xml word/document.xml'), 'menu.docx', 'as a PDF'],
  ['an old document of Word', compound('WordDocument'), 'menu.doc', 'as a PDF'],
  ['a workbook with a password', compound('EncryptedPackage'), 'menu.xlsx', 'password'],
  ['rich text', utf8('{\\rtf1 Menu'), 'menu.rtf', 'as a PDF'],
  ['fifty thousand rows', utf8(`Dish,Cost to you\n${'Tea,1.20\n'.repeat(50_000)}`), 'menu.csv', '5,000|5000'],
])('%s is refused in words', async (_, bytes, name, words) => {
  await expect(parseMenuFile(bytes, name)).rejects.toThrow(new RegExp(words));
});
