import { describe, expect, test } from 'vitest';
import { linesOfPdf, piecesOfPhoto } from '#menu/import/read-pdf.ts';
import { dishesOfText } from '#menu/import/read-text.ts';
import { parseMenuFile } from '#menu/web/import/read-menu.ts';

/** A dish in one line: `Pizzas: Margherita Small 850, Large 1150`; a question mark stands before a doubtful one. */
const short = async (bytes: Uint8Array<ArrayBuffer>, name: string) =>
  (await parseMenuFile(bytes, name)).dishes.map(
    ({ category, name: dish, price, sizes, doubts }) =>
      `${doubts.length > 0 ? '? ' : ''}${category}: ${dish} ${
        sizes.length > 0 ? sizes.map((size) => `${size.name} ${size.price}`).join(', ') : price
      }`,
  );
const page = (body: string) =>
  short(new TextEncoder().encode(`<!doctype html><html><body>${body}</body></html>`), 'menu.html');

type Text = [x: number, y: number, text: string, size?: number, font?: 'F1' | 'F2'];
/** A PDF in Helvetica (F1) and Helvetica Bold (F2); positions in points from the upper left corner. */
function pdf(...pages: Text[][]): Uint8Array<ArrayBuffer> {
  const objects = [
    '<</Type/Catalog/Pages 2 0 R>>',
    '',
    '<</Type/Font/Subtype/Type1/BaseFont/Helvetica/Encoding/WinAnsiEncoding>>',
    '<</Type/Font/Subtype/Type1/BaseFont/Helvetica-Bold/Encoding/WinAnsiEncoding>>',
  ];
  const kids = pages.map((texts) => {
    const stream = texts
      .map(
        ([x, y, text, size = 10, font = 'F1']) =>
          `BT /${font} ${size} Tf ${x} ${800 - y} Td (${text.replaceAll(/[()\\]/g, String.raw`\$&`)}) Tj ET`,
      )
      .join('\n');
    objects.push(`<</Length ${stream.length}>>\nstream\n${stream}\nendstream`);
    return objects.push(
      `<</Type/Page/Parent 2 0 R/MediaBox[0 0 595 842]/Contents ${objects.length} 0 R/Resources<</Font<</F1 3 0 R/F2 4 0 R>>>>>>`,
    );
  });
  objects[1] = `<</Type/Pages/Count ${kids.length}/Kids[${kids.map((kid) => `${kid} 0 R`).join(' ')}]>>`;
  let text = '%PDF-1.4\n';
  const places = objects.map((object, at) => {
    const place = text.length;
    text += `${at + 1} 0 obj\n${object}\nendobj\n`;
    return place;
  });
  const start = text.length;
  text += `xref\n0 ${objects.length + 1}\n0000000000 65535 f \n${places.map((place) => `${String(place).padStart(10, '0')} 00000 n \n`).join('')}trailer\n<</Size ${objects.length + 1}/Root 1 0 R>>\nstartxref\n${start}\n%%EOF`;
  return new Uint8Array(Buffer.from(text, 'latin1'));
}
const paper = (...pages: Text[][]) => short(pdf(...pages), 'menu.pdf');

describe('a page with schema.org data', () => {
  const data = (value: unknown) =>
    `<script type="application/ld+json">${JSON.stringify(value)}</script><p>Tea £9.99</p>`;
  test('a menu with sections, sizes and another currency', async () => {
    const offer = (price: unknown, more = {}) => ({ '@type': 'Offer', price, priceCurrency: 'GBP', ...more });
    const menu = {
      '@context': 'https://schema.org',
      '@type': 'Restaurant',
      hasMenu: {
        '@type': 'Menu',
        hasMenuSection: [
          {
            '@type': 'MenuSection',
            name: 'Pizzas',
            hasMenuItem: [
              {
                '@type': 'MenuItem',
                name: 'Margherita',
                description: 'Tomato',
                offers: [offer('8.50', { name: 'Small' }), offer(11.5, { name: 'Large' })],
              },
            ],
          },
          {
            '@type': 'MenuSection',
            name: 'Drinks',
            hasMenuItem: [
              { '@type': 'MenuItem', name: 'Tea &amp; milk', offers: offer('1.20') },
              { '@type': 'MenuItem', name: 'Wine', offers: offer('5', { priceCurrency: 'EUR' }) },
              { '@type': 'MenuItem', name: 'Water' },
            ],
          },
        ],
      },
    };
    expect(await page(data(menu))).toEqual([
      'Pizzas: Margherita Small 850, Large 1150',
      'Drinks: Tea & milk 120',
      '? Drinks: Wine 500',
      '? Drinks: Water null',
    ]);
  });
  test('products; a range of prices is doubtful', async () => {
    const products = {
      '@graph': [
        { '@type': 'Product', name: 'Pie', category: 'Food > Pies', offers: { price: '4.50' } },
        { '@type': 'Product', name: 'Cake', offers: { '@type': 'AggregateOffer', lowPrice: 2, highPrice: 9 } },
      ],
    };
    expect(await page(data(products))).toEqual(['Pies: Pie 450', '? : Cake 200']);
  });
});

describe('a page without data', () => {
  test('headings, names, prices and descriptions in elements of their own', async () => {
    expect(
      await page(`<nav><a>Home £1.00</a></nav><h1>Mario's</h1><p>Open 11.30 - 23.00</p><h2>Pizzas</h2>
      <div><h3>Margherita</h3><p>Tomato &amp; basil</p><span>£8.50</span></div><div><h3>Funghi (v)</h3><p>Mushrooms</p><span>£9.50</span></div>
      <h2>Drinks</h2><ul><li><b>Tea</b><span>£1.20</span></li><li>Cola, 330ml <i>£1.50</i></li></ul><p>Delivery charge £2.50</p>`),
    ).toEqual(['Pizzas: Margherita 850', 'Pizzas: Funghi 950', 'Drinks: Tea 120', 'Drinks: Cola, 330ml 150']);
  });
  test('tables with a column for each size', async () => {
    expect(
      await page(
        '<h2>Pizzas</h2><table><tr><th></th><th>10"</th><th>12"</th></tr><tr><td>Margherita</td><td>£8.50</td><td>£11.50</td></tr><tr><td>Funghi</td><td>9.50</td><td>12.50</td></tr></table>',
      ),
    ).toEqual(['Pizzas: Margherita 10" 850, 12" 1150', 'Pizzas: Funghi 10" 950, 12" 1250']);
  });
  const table = (...rows: string[][]) =>
    `<table>${rows.map((row) => `<tr>${row.map((cell) => `<td>${cell}</td>`).join('')}</tr>`).join('')}</table>`;
  test('a table is read by its headings', async () => {
    const heads = ['Category', 'Name', 'Description', 'Price'];
    const rows = [heads, ['Pizza', 'Napoli', 'anchovy', '£9'], ['Pasta', 'Ragu', '', '11'], ['', 'Pesto', '', '']];
    expect(await page(`<h2>Tables</h2>${table(...rows)}`)).toEqual([
      'Pizza: Napoli 900',
      'Pasta: Ragu 1100',
      '? Pasta: Pesto null',
    ]);
    const sized = [
      ['Dish', 'Single', 'Double'],
      ['Classic', '£6.00', '£8.00'],
      ['Cheese', '', '£8.50'],
    ];
    const sides = [
      ['Sides', 'Price'],
      ['Fries<br>with salt', '2.50'],
    ];
    expect(await page(`<h2>Burgers</h2>${table(...sized)}${table(...sides)}`)).toEqual([
      'Burgers: Classic Single 600, Double 800',
      'Burgers: Cheese Double 850',
      'Sides: Fries 250',
    ]);
    const workbook = new TextEncoder().encode(table(['Item', 'Price'], ['Tea', '1.20']));
    expect(await short(workbook, 'menu.xls')).toEqual([': Tea 120']);
  });
  test('a dish without a price never takes the next price', async () => {
    const lines = ['Steak', 'ask us', 'Pie', '£9.50', 'Cod', 'Sold out', 'Ham', '£7.00', 'Soup', 'sold out', '£5.00'];
    expect(await page(`<h2>Mains</h2>${lines.map((text) => `<p>${text}</p>`).join('')}`)).toEqual([
      '? Mains: Steak null',
      'Mains: Pie 950',
      '? Mains: Cod null',
      'Mains: Ham 700',
      'Mains: Soup 500',
    ]);
    expect(await page('<p>4a. Special ..... see board</p><p>Pie ..... £9.50</p>')).toEqual([
      '? : Special null',
      ': Pie 950',
    ]);
  });
  test('former prices, and extras in a description, are no sizes and no dishes', async () => {
    const lines = ['Diavola £9.95', 'spicy salami. Add burrata £2.00', 'Eggs £5.50 (add bacon £1.50)'];
    const former = ['Cake was £6.99 now £5.99', 'Tart £4.99 was £5.99'];
    const { dishes } = await parseMenuFile(
      new TextEncoder().encode(`<html>${[...lines, ...former].map((text) => `<p>${text}</p>`).join('')}</html>`),
      'menu.html',
    );
    expect(dishes.map(({ name, price, sizes, doubts, cells }) => [name, price, sizes, doubts, cells])).toEqual([
      ['Diavola', 995, [], [], { description: 'spicy salami. Add burrata £2.00' }],
      ['Eggs', 550, [], ['price'], { description: '(add bacon £1.50)' }],
      ['Cake', 599, [], ['price'], {}],
      ['Tart', 499, [], ['price'], {}],
    ]);
  });
  test('sizes on a line of their own, and the number of pieces, keep their names', async () => {
    const body = '<p>Spring Rolls (4)</p><p>£3.90</p><p>Pepperoni</p><p>S £8.50 M £10.50 L £12.50</p>';
    expect(await page(body)).toEqual([': Spring Rolls (4) 390', ': Pepperoni S 850, M 1050, L 1250']);
    expect(await page(`${body}<p>Pie (7)</p><p>£4.00</p><p>Naan (1, 7)</p><p>£2.00</p>`)).toEqual([
      ': Spring Rolls 390',
      ': Pepperoni S 850, M 1050, L 1250',
      ': Pie 400',
      ': Naan 200',
    ]);
  });
  test('bare numbers on lines of their own are doubtful prices', async () => {
    const dish = (name: string, more: string, price: string) => `<p><b>${name}</b></p><p>${more}</p><p>${price}</p>`;
    const body = `<h2>To start</h2>${dish('Soup', 'leek', '5.5')}${dish('Pâté', 'on toast', '6')}`;
    expect(await page(`<h1>Bistro</h1>${body}<h2>To follow</h2>${dish('Ribeye 8oz', 'chips, salad', '21')}`)).toEqual([
      '? To start: Soup 550',
      '? To start: Pâté 600',
      '? To follow: Ribeye 8oz 2100',
    ]);
    const drinks = `<h2>Drinks</h2>${dish('Negroni', 'bitter', '9.5')}${dish('Red', '175ml, 250ml', '5.5 / 7.5')}`;
    expect(await page(`${body}<h2>Pizza</h2><p>10" / 12"</p>${dish('Nduja', 'hot', '10 | 13.5')}${drinks}`)).toEqual([
      '? To start: Soup 550',
      '? To start: Pâté 600',
      '? Pizza: Nduja 10" 1000, 12" 1350',
      '? Drinks: Negroni 950',
      '? Drinks: Red Size 1 550, Size 2 750',
    ]);
  });
  test('prices by weight, upper ends, and prices of eating in are doubtful', async () => {
    const dish = (name: string, price: string) => `<p><b>${name}</b><span>${price}</span></p>`;
    const dishes = dish('Crab', '£18/kg') + dish('Lobster', 'up to £30') + dish('Bun', '9.95 eat in | 8.95 take away');
    expect(await page(`<h2>Fish</h2>${dishes}`)).toEqual([
      '? Fish: Crab 1800',
      '? Fish: Lobster 3000',
      '? Fish: Bun eat in 995, take away 895',
    ]);
  });

  test('many lines that are no dishes are counted', async () => {
    const lines = (count: number) => Array.from({ length: count }, (_, at) => `<p>We cooked for guest ${at}.</p>`);
    const read = async (count: number) =>
      parseMenuFile(
        new TextEncoder().encode(`<html>${lines(count).join('')}<h2>Drinks</h2><p>Tea £1.20</p>`),
        'menu.html',
      );
    expect((await read(4)).unread).toBeUndefined();
    expect((await read(6)).unread).toEqual({
      count: 6,
      examples: ['We cooked for guest 0.', 'We cooked for guest 1.', 'We cooked for guest 2.'],
    });
  });
  test('fees of delivery are no dishes', async () => {
    const fees = table(['Within 2 miles', '£2.00'], ['Over 2 miles', '£3.50'], ['Town', '£4.00']);
    expect(
      await page(
        `<h2>Sides</h2>${table(['Fries', '£2.50'])}<h2>Delivery</h2>${fees}<h2>Delivery charges</h2>${fees}<h2>Find us</h2>`,
      ),
    ).toEqual(['Sides: Fries 250', '? Delivery: Town 400']);
  });
});

describe('a PDF', () => {
  test('dots before the prices, descriptions below the names', async () => {
    expect(
      await paper([
        [50, 50, 'Mario', 24],
        [50, 90, 'PIZZAS', 14, 'F2'],
        [50, 110, 'Margherita ............ £8.50'],
        [50, 122, 'Tomato, mozzarella and basil', 8],
        [50, 140, '2. Funghi ........... £9.50'],
        [50, 170, 'DRINKS', 14, 'F2'],
        [50, 190, 'Tea'],
        [300, 190, '1.20'],
        [50, 205, 'Cola 330 ml'],
        [300, 205, '1.50'],
      ]),
    ).toEqual(['PIZZAS: Margherita 850', 'PIZZAS: Funghi 950', 'DRINKS: Tea 120', 'DRINKS: Cola 330 ml 150']);
  });
  test.each([
    ['two columns, each with prices at its right', 320],
    ['two columns with a gutter no wider than a letter', 265],
  ])('%s', async (_, right) => {
    const rows = (x: number, title: string, names: string[]): Text[] => [
      [x, 100, title, 14, 'F2'],
      ...names.flatMap((name, at): Text[] => [
        [x, 120 + at * 16, name],
        [x + 190, 120 + at * 16, `£${at + 4}.50`],
      ]),
    ];
    expect(
      await paper([
        [200, 60, 'Our menu', 20],
        ...rows(40, 'Starters', ['Soup of the day', 'Olives', 'Bread']),
        ...rows(right, 'Mains', ['Lasagne', 'Pie and mash', 'Salad bowl']),
      ]),
    ).toEqual([
      'Starters: Soup of the day 450',
      'Starters: Olives 550',
      'Starters: Bread 650',
      'Mains: Lasagne 450',
      'Mains: Pie and mash 550',
      'Mains: Salad bowl 650',
    ]);
  });
  test('a number at the end of a name is no price', async () => {
    expect(
      await paper([
        [50, 90, 'Combo A1'],
        [300, 90, '£8.50'],
        [50, 105, 'Combo 12'],
        [300, 105, '9.50'],
        [50, 120, '7 Up'],
        [300, 120, '£1.50'],
      ]),
    ).toEqual([': Combo A1 850', ': Combo 12 950', ': 7 Up 150']);
  });

  test('bare prices in two columns of dishes', async () => {
    const dish = (x: number, y: number, name: string, price: string): Text[] => [
      [x, y, name],
      [x + 180, y, price],
    ];
    const left = [...dish(40, 100, 'Pad see ew', '8 / 9'), ...dish(40, 120, 'Pad thai', '8.5 / 9.5')];
    const right = [
      ...dish(320, 100, 'Crackers', '2'),
      ...dish(320, 120, 'Satay', '5.5'),
      ...dish(320, 140, 'Rice', '3'),
    ];
    expect(await paper([[40, 80, 'Noodles', 14], ...left, [320, 80, 'Sides', 14], ...right])).toEqual([
      '? Noodles: Pad see ew Size 1 800, Size 2 900',
      '? Noodles: Pad thai Size 1 850, Size 2 950',
      'Sides: Crackers 200',
      'Sides: Satay 550',
      'Sides: Rice 300',
    ]);
  });

  test('columns of sizes', async () => {
    expect(
      await paper([
        [50, 90, 'Pizzas', 14, 'F2'],
        [250, 90, 'Small', 10],
        [320, 90, 'Large', 10],
        [50, 110, 'Margherita'],
        [250, 110, '8.50'],
        [320, 110, '11.50'],
        [50, 125, 'Funghi'],
        [250, 125, '9.50'],
        [320, 125, '12.50'],
        [50, 140, 'Calzone'],
        [320, 140, '13.50'],
      ]),
    ).toEqual([
      'Pizzas: Margherita Small 850, Large 1150',
      'Pizzas: Funghi Small 950, Large 1250',
      '? Pizzas: Calzone 1350',
    ]);
  });
  test('of pictures is refused in words', async () => {
    await expect(paper([])).rejects.toThrow('pictures of pages');
    await expect(parseMenuFile(new TextEncoder().encode('%PDF-1.4 nothing'), 'menu.pdf')).rejects.toThrow(
      'cannot be opened',
    );
  });
});

test('words of a crooked photo, in two columns with numbers before the names, become lines', () => {
  const row = (x: number, y: number, number: string, first: string, second: string, price: string) => [
    { text: number, x, y, width: 40, height: 22 },
    { text: first, x: x + 80, y: y + 2, width: 90, height: 22 },
    { text: second, x: x + 180, y: y + 5, width: 100, height: 22 },
    { text: price, x: x + 600, y: y + 1, width: 80, height: 22 },
  ];
  const words = [
    ...[0, 1, 2].flatMap((at) => row(100, 300 + at * 60, `${at + 1}.`, 'Lamb', `Curry${at}`, `£${at + 7}.50`)),
    ...[0, 1, 2].flatMap((at) => row(950, 318 + at * 60, `${at + 4}.`, 'Plain', `Naan${at}`, `£${at + 2}.20`)),
    { text: 'Thanks', x: 100, y: 2200, width: 120, height: 22 },
  ];
  const { dishes } = dishesOfText(linesOfPdf([piecesOfPhoto(words)]), 'GBP', false);
  expect(dishes.map(({ name, price, doubts }) => [name, price, doubts])).toEqual([
    ['Lamb Curry0', 750, ['price']],
    ['Lamb Curry1', 850, ['price']],
    ['Lamb Curry2', 950, ['price']],
    ['Plain Naan0', 220, ['price']],
    ['Plain Naan1', 320, ['price']],
    ['Plain Naan2', 420, ['price']],
  ]);
});

describe('a price in another currency is doubtful, and says why', () => {
  const reasons = async (bytes: Uint8Array<ArrayBuffer>, name: string) =>
    (await parseMenuFile(bytes, name)).dishes.map(({ name: dish, price, doubtReason }) => [dish, price, doubtReason]);
  const why = (text: string) => `The price is in another currency: ${text}.`;

  test('in a PDF', async () => {
    const texts: Text[] = [
      [50, 50, 'MAINS', 14, 'F2'],
      ...['CHF 18.50', '85 kr', '€9', '£7.50'].flatMap((price, at): Text[] => [
        [50, 80 + at * 20, `Dish ${'ABCD'.charAt(at)}x`],
        [400, 80 + at * 20, price === '€9' ? '\u00809' : price],
      ]),
    ];
    expect(await reasons(pdf(texts), 'menu.pdf')).toEqual([
      ['Dish Ax', 1850, why('CHF 18.50')],
      ['Dish Bx', 8500, why('85 kr')],
      ['Dish Cx', 900, why('€9')],
      ['Dish Dx', 750, undefined],
    ]);
  });
  test.each([
    ['<h2>Zupy</h2><p>Rosol <b>12,50 zł</b></p><p>Barszcz <span>$</span>8.00</p>', [why('12,50 zł'), why('$8.00')]],
    ['<table><tr><th>Dish</th><th>Price (€)</th></tr><tr><td>Soup</td><td>4.50</td></tr></table>', [why('€ 4.50')]],
    [
      '<p>All prices in euro</p><h2>Soups</h2><p>Leek 4.50</p><p>Pea 5.50</p>',
      Array(2).fill(why('All prices in euro')),
    ],
  ])('in a page: %s', async (body, expected) => {
    const bytes = new TextEncoder().encode(`<!doctype html><html><body>${body}</body></html>`);
    expect((await reasons(bytes, 'menu.html')).map(([, , reason]) => reason)).toEqual(expected);
  });
  test('in a photo, beside the doubt that each price of a photo has', () => {
    const words = ['Rösti', 'CHF', '12.00', 'Fondue', 'CHF', '24.00'].map((text, at) => ({
      text,
      x: [50, 500, 600][at % 3] ?? 0,
      y: 100 + Math.floor(at / 3) * 60,
      width: text.length * 20,
      height: 30,
    }));
    const { dishes } = dishesOfText(linesOfPdf([piecesOfPhoto(words)]), 'GBP', false);
    expect(dishes.map(({ doubtReason }) => doubtReason)).toEqual([why('CHF 12.00'), why('CHF 24.00')]);
  });
});

test('a price for several pieces beside the price of one is no size', async () => {
  expect(
    await page('<h2>Sides</h2><p>Samosa 80p each or 3 for £2.00</p><p>Bhaji £1.20</p><p>Cola £1, 6 for £5</p>'),
  ).toEqual(['? Sides: Samosa 80', 'Sides: Bhaji 120', '? Sides: Cola 100']);
});
