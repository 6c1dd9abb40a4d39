import iconv from 'iconv-lite';
import Papa from 'papaparse';
import writeExcelFile from 'write-excel-file/node';
import { priceText, writePrice } from './draw-menu.ts';
import type { DrawnDish, DrawnMenu, DrawnSection, LayoutForm } from './draw-menu.ts';
import { writeClover, writeLoyverse, writeShopify, writeSquare, writeToast } from './till-exports.ts';
import { writeWooCommerce, writeZettle } from './till-exports.ts';
import type { Cell, Cells } from './till-exports.ts';

/** Spreadsheets: seven exports of tills and web shops by their documented columns, and five that owners typed. */
export const sheetForms: readonly LayoutForm[] = [
  csvForm('square-library', 'catalog-2024-11-02-1911.csv', writeSquare, {
    kind: 'kebab',
    count: [24, 40],
    doubts: ['missing', 'missing'],
  }),
  csvForm('loyverse-items', 'export_items.csv', writeLoyverse, {
    kind: 'cafe',
    count: [24, 42],
    doubts: ['missing', 'missing'],
  }),
  csvForm('woocommerce-products', 'wc-product-export-3-6-2024.csv', writeWooCommerce, {
    kind: 'pizza',
    count: [26, 48],
    doubts: ['missing'],
  }),
  csvForm('shopify-products', 'products_export_1.csv', writeShopify, { kind: 'cafe', count: [20, 38] }),
  csvForm('toast-menus', 'MenuExport.csv', writeToast, { kind: 'chicken', count: [24, 40], doubts: ['missing'] }),
  workbookForm('clover-inventory', 'inventory.xlsx', writeClover, {
    kind: 'chicken',
    count: [22, 40],
    doubts: ['missing', 'missing'],
    hasSizes: false,
  }),
  workbookForm('zettle-products', 'products.xlsx', writeZettle, {
    kind: 'fish',
    count: [22, 40],
    doubts: ['missing'],
  }),
  workbookForm('merged-categories', 'Menu 2023 FINAL.xlsx', writeMerged, {
    kind: 'fish',
    count: [30, 44],
    doubts: ['poa', 'from', 'market', 'odd'],
    hasSizes: false,
  }),
  workbookForm('size-columns', 'pizza prices.xlsx', writeSizeColumns, {
    kind: 'pizza',
    count: [30, 48],
    doubts: ['poa', 'range'],
    lacksSizes: true,
  }),
  workbookForm('worksheet-per-category', 'cafe menu.xlsx', writeWorksheets, {
    kind: 'cafe',
    count: [24, 40],
    doubts: ['missing', 'from'],
  }),
  {
    name: 'semicolons-and-commas',
    kind: 'spreadsheet',
    fileName: 'menu.csv',
    menu: { kind: 'curry', count: [45, 60], doubts: ['missing', 'odd', 'poa'] },
    write: (menu) => iconv.encode(Papa.unparse(semicolonRows(menu), { delimiter: ';', newline: '\r\n' }), 'win1252'),
  },
  workbookForm('two-tables-abreast', 'takeaway menu.xlsx', writeAbreast, {
    kind: 'chinese',
    count: [36, 54],
    doubts: ['market', 'from'],
  }),
];

function csvForm(
  name: string,
  fileName: string,
  rows: (menu: DrawnMenu) => Cells,
  menu: LayoutForm['menu'],
): LayoutForm {
  const mark = name === 'square-library' ? '\uFEFF' : '';
  const write = (drawn: DrawnMenu) => Buffer.from(mark + Papa.unparse(rows(drawn), { newline: '\r\n' }));
  return { name, kind: 'spreadsheet', fileName, menu, write };
}

function workbookForm(
  name: string,
  fileName: string,
  sheets: (menu: DrawnMenu) => { sheet: string; data: Cells }[],
  menu: LayoutForm['menu'],
): LayoutForm {
  const write = (drawn: DrawnMenu) => writeExcelFile(sheets(drawn)).toBuffer();
  return { name, kind: 'spreadsheet', fileName, menu, write };
}

const bold = (value: string): Cell => ({ value, fontWeight: 'bold' });

function writeMerged(menu: DrawnMenu) {
  const { shop } = menu;
  const wide = (value: string, weight?: 'bold'): Cell[] => [
    { value, columnSpan: 3, ...(weight && { fontWeight: weight }) },
    null,
    null,
  ];
  const styles = ['pounds', 'plain', 'pence', 'short'] as const;
  const price = (dish: DrawnDish, index: number): Cell => {
    const style = styles[index % styles.length]!;
    return dish.price !== null && style === 'short' ? dish.price / 100 : priceText(dish, style);
  };
  const data: Cells = [wide(shop.name.toUpperCase(), 'bold'), wide(shop.address), wide(`Tel: ${shop.phone}`), []];
  for (const section of menu.sections) {
    data.push(wide(section.name.toUpperCase(), 'bold'));
    if (section.note) data.push(wide(section.note));
    data.push(
      ...section.dishes.map((dish, index) => [
        dish.mark ? `${dish.name} ${dish.mark}` : dish.name,
        dish.description || null,
        price(dish, index),
      ]),
      ...section.extras.map((extra) => [extra.name, null, `${extra.price}p`]),
      [],
    );
  }
  data.push(wide('OPENING HOURS', 'bold'), ...shop.hours.map((line) => wide(line)), wide(shop.delivery));
  return [{ sheet: 'Sheet1', data }];
}

function writeSizeColumns(menu: DrawnMenu) {
  const data: Cells = [[bold(`${menu.shop.name} - price list`)], [`Tel ${menu.shop.phone}`], []];
  for (const section of menu.sections) {
    const sizes = sizeNamesOf(section);
    data.push([bold(section.name), bold('Description'), ...(sizes.length > 0 ? sizes.map(bold) : [bold('Price')])]);
    for (const dish of section.dishes) {
      const bySize = sizes.map((name) => dish.sizes.find((size) => size.name === name)?.price);
      const prices = bySize.map((pence): Cell => (pence === undefined ? '-' : pence / 100));
      const alone = dish.price === null ? dish.words : dish.price / 100;
      data.push([dish.name, dish.description || null, ...(sizes.length > 0 ? prices : [alone])]);
    }
    data.push([]);
  }
  return [{ sheet: 'Menu', data }];
}

function writeWorksheets(menu: DrawnMenu) {
  const sheets = menu.sections.map((section) => {
    const sizes = sizeNamesOf(section);
    const rows = section.dishes.map((dish): Cell[] => [
      dish.name,
      dish.description || null,
      ...(sizes.length > 0 ? dish.sizes.map((size) => writePrice(size.price, 'pounds')) : [priceText(dish) || null]),
    ]);
    return {
      sheet: section.name,
      data: [['Dish', 'Description', ...(sizes.length > 0 ? sizes : ['Price'])], ...rows] as Cells,
    };
  });
  const about: Cells = [
    ['Phone', menu.shop.phone],
    ['Address', menu.shop.address],
    ...menu.shop.hours.map((line) => [line]),
  ];
  return [...sheets, { sheet: 'About us', data: about }];
}

function semicolonRows(menu: DrawnMenu): string[][] {
  const rows = menu.sections.flatMap((section) =>
    section.dishes.map((dish, index) => [
      index === 0 ? section.name : '',
      dish.mark ? `${dish.name} ${dish.mark}` : dish.name,
      dish.description,
      priceText(dish, 'comma'),
    ]),
  );
  return [['Section', 'Item', 'Details', 'Price (£)'], ...rows];
}

function writeAbreast(menu: DrawnMenu) {
  const half = Math.ceil(menu.sections.length / 2);
  const block = (sections: DrawnSection[]) =>
    sections.flatMap((section): Cell[][] => [
      [null, bold(section.name), null],
      ...section.dishes.map((dish): Cell[] => [
        dish.number,
        dish.name,
        dish.price === null ? dish.words : dish.price / 100,
      ]),
    ]);
  const left = block(menu.sections.slice(0, half));
  const right = block(menu.sections.slice(half));
  const empty: Cell[] = [null, null, null];
  const rows = Array.from({ length: Math.max(left.length, right.length) }, (_, row) => [
    ...(left[row] ?? empty),
    null,
    ...(right[row] ?? empty),
  ]);
  const heads: Cell[] = ['No.', 'Dish', 'Price', null, 'No.', 'Dish', 'Price'];
  return [{ sheet: 'Menu', data: [[bold(menu.shop.name)], [menu.shop.delivery], heads, ...rows] }];
}

export const sizeNamesOf = (section: DrawnSection): string[] => [
  ...new Set(
    section.dishes
      .toSorted((a, b) => b.sizes.length - a.sizes.length)
      .flatMap((dish) => dish.sizes.map((size) => size.name)),
  ),
];
