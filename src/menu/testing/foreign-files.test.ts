import { readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import writeXlsxFile from 'write-excel-file/universal';
import { readMenu } from '#menu/web/import/read-menu.ts';

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
  (await readMenu(bytes, name)).dishes.map(
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
    expect(await short(file('woocommerce.csv'))).toEqual([...marios, 'Sides: Christmas box 2000']);
    const { dishes } = await readMenu(file('woocommerce.csv'), 'a.csv');
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

describe('home-made sheets', () => {
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

test.each([
  ['an old workbook', new Uint8Array([0xd0, 0xcf, 0x11, 0xe0, 0xa1, 0xb1, 0x1a, 0xe1]), 'menu.xls', '.xlsx'],
  ['fifty thousand rows', utf8(`Dish,Cost to you\n${'Tea,1.20\n'.repeat(50_000)}`), 'menu.csv', '5,000|5000'],
])('%s is refused in words', async (_, bytes, name, words) => {
  await expect(readMenu(bytes, name)).rejects.toThrow(new RegExp(words));
});
