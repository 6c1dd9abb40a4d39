import { priceText, writePrice } from './draw-menu.ts';
import type { DrawnDish, DrawnMenu } from './draw-menu.ts';

export type Cell = string | number | null | { value: string | number; columnSpan?: number; fontWeight?: 'bold' };
export type Cells = Cell[][];

const dishesOf = (menu: DrawnMenu): DrawnDish[] => menu.sections.flatMap((section) => section.dishes);
const plain = (pence: number) => writePrice(pence, 'plain');
const slug = (name: string) => name.toLowerCase().replaceAll(/[^a-z0-9]+/g, '-');

/** The rows of a table, one for each size of a dish, and one for a dish without sizes. */
function rowPerSize(
  menu: DrawnMenu,
  row: (dish: DrawnDish, size: string, price: string, index: number) => Cell[],
): Cell[][] {
  return dishesOf(menu).flatMap((dish) =>
    dish.sizes.length > 0
      ? dish.sizes.map((size, index) => row(dish, size.name, plain(size.price), index))
      : [row(dish, '', priceText(dish, 'plain'), 0)],
  );
}

export function writeSquare(menu: DrawnMenu): Cells {
  const head =
    'Reference Handle,Token,Item Name,Variation Name,SKU,Description,Categories,Reporting Category,SEO Title,SEO Description,Permalink,GTIN,Square Online Item Visibility,Item Type,Weight (kg),Social Media Link Title,Social Media Link Description,Shipping Enabled,Self-serve Ordering Enabled,Delivery Enabled,Pickup Enabled,Price,Online Sale Price,Archived,Sellable,Contains Alcohol,Stockable,Skip Detail Screen in POS,Option Name 1,Option Value 1,Current Quantity High Street,New Quantity High Street,Stock Alert Enabled High Street,Modifier Set - Sauces,Tax - VAT (20%)'.split(
      ',',
    );
  const rows = rowPerSize(menu, (dish, size, price, index) => {
    const cells: Record<string, string> = {
      'Reference Handle': `#${slug(dish.name)}-${slug(size || 'regular')}`,
      Token: `${slug(dish.name).toUpperCase().replaceAll('-', '').padEnd(16, 'X')}${dish.number}${index}`,
      'Item Name': dish.name,
      'Variation Name': size || 'Regular',
      Description: dish.description,
      Categories: dish.category,
      'Reporting Category': dish.category,
      'Square Online Item Visibility': 'visible',
      'Item Type': 'Prepared food and beverage',
      'Delivery Enabled': 'Y',
      'Pickup Enabled': 'Y',
      Price: price || 'variable',
      Archived: 'N',
      Sellable: 'Y',
      'Contains Alcohol': 'N',
      Stockable: 'N',
      'Option Name 1': size ? 'Size' : '',
      'Option Value 1': size,
      'Stock Alert Enabled High Street': 'N',
      'Modifier Set - Sauces': index === 0 ? 'Y' : '',
      'Tax - VAT (20%)': 'Y',
    };
    return head.map((name) => cells[name] ?? '');
  });
  return [head, ...rows];
}

export function writeLoyverse(menu: DrawnMenu): Cells {
  const store = menu.shop.name;
  const head = [
    'Handle,SKU,Name,Category,Description,Sold by weight,Option 1 name,Option 1 value,Option 2 name,Option 2 value,Cost,Barcode,SKU of included item,Quantity of included item,Track stock'.split(
      ',',
    ),
    `Available for sale [${store}]`,
    `Price [${store}]`,
    `In stock [${store}]`,
    'Modifier - "Milk"',
    'Tax - "VAT" (20%)',
  ].flat();
  let sku = 10_000;
  const rows = rowPerSize(menu, (dish, size, price, index) => {
    sku += 1;
    const isFirst = index === 0;
    const html = isFirst && dish.description ? `<p>${dish.description}</p>` : '';
    const named = isFirst ? [dish.name, dish.category, html, 'N', size ? 'Size' : ''] : ['', '', '', '', ''];
    const rest = [
      '',
      '',
      '0.00',
      '',
      '',
      '',
      isFirst ? 'N' : '',
      'Y',
      price || 'variable',
      '',
      isFirst ? 'N' : '',
      'Y',
    ];
    return [slug(dish.name), String(sku), ...named, size, ...rest];
  });
  return [head, ...rows];
}

export function writeWooCommerce(menu: DrawnMenu): Cells {
  const head =
    'ID,Type,SKU,Name,Published,Is featured?,Visibility in catalogue,Short description,Description,Date sale price starts,Date sale price ends,Tax status,Tax class,In stock?,Stock,Low stock amount,Backorders allowed?,Sold individually?,Weight (kg),Length (cm),Width (cm),Height (cm),Allow customer reviews?,Purchase note,Sale price,Regular price,Categories,Tags,Shipping class,Images,Download limit,Download expiry days,Parent,Grouped products,Upsells,Cross-sells,External URL,Button text,Position,Attribute 1 name,Attribute 1 value(s),Attribute 1 visible,Attribute 1 global'.split(
      ',',
    );
  let id = 118;
  const line = (cells: Record<string, string | number>) => {
    id += 1;
    const usual = {
      ID: id,
      Published: 1,
      'Is featured?': 0,
      'Visibility in catalogue': 'visible',
      'Tax status': 'taxable',
    };
    const stock = { 'In stock?': 1, 'Backorders allowed?': 0, 'Sold individually?': 0, 'Allow customer reviews?': 1 };
    const all: Record<string, string | number> = { ...usual, ...stock, ...cells };
    return head.map((name) => all[name] ?? '');
  };
  const rows = dishesOf(menu).flatMap((dish, index) => {
    const sizes = dish.sizes.map((size) => size.name);
    const about = {
      Name: dish.name.replaceAll('&', '&amp;'),
      Description: dish.description && `<p>${dish.description.replaceAll('&', '&amp;')}</p>\\n`,
      Categories: `Menu > ${dish.category}`,
      Images: `https://example.com/wp-content/uploads/${slug(dish.name)}.jpg`,
      Position: index,
    };
    if (sizes.length === 0) return [line({ ...about, Type: 'simple', 'Regular price': priceText(dish, 'short') })];
    const attribute = { 'Attribute 1 name': 'Size', 'Attribute 1 visible': 1, 'Attribute 1 global': 1 };
    const parent = line({ ...about, ...attribute, Type: 'variable', 'Attribute 1 value(s)': sizes.join(', ') });
    const variations = dish.sizes.map((size, position) =>
      line({
        ...attribute,
        Type: 'variation',
        Name: `${about.Name} - ${size.name}`,
        'Attribute 1 value(s)': size.name,
        'Regular price': writePrice(size.price, 'short'),
        Parent: `id:${parent[0]}`,
        'Tax class': 'parent',
        Position: position + 1,
      }),
    );
    return [parent, ...variations];
  });
  return [head, ...rows];
}

export function writeShopify(menu: DrawnMenu): Cells {
  const head =
    'Handle,Title,Body (HTML),Vendor,Product Category,Type,Tags,Published,Option1 Name,Option1 Value,Option1 Linked To,Option2 Name,Option2 Value,Variant SKU,Variant Grams,Variant Inventory Tracker,Variant Inventory Policy,Variant Fulfillment Service,Variant Price,Variant Compare At Price,Variant Requires Shipping,Variant Taxable,Image Src,Image Position,Gift Card,SEO Title,Variant Weight Unit,Cost per item,Status'.split(
      ',',
    );
  const rows = rowPerSize(menu, (dish, size, price, index) => {
    const first: Record<string, string> = {
      Title: dish.name,
      'Body (HTML)': dish.description && `<p>${dish.description}</p>`,
      Vendor: menu.shop.name,
      'Product Category': 'Food, Beverages & Tobacco > Food Items > Prepared Foods',
      Type: dish.category,
      Tags: dish.mark === '(vg)' ? 'vegan, lunch' : 'lunch',
      Published: 'true',
      'Option1 Name': size ? 'Size' : 'Title',
      'Image Src': `https://cdn.example.com/${slug(dish.name)}.jpg`,
      'Image Position': '1',
      'Gift Card': 'false',
      Status: 'active',
    };
    const each = {
      Handle: slug(dish.name),
      'Option1 Value': size || 'Default Title',
      'Variant Grams': '0.0',
      'Variant Inventory Policy': 'deny',
      'Variant Fulfillment Service': 'manual',
      'Variant Price': price,
      'Variant Requires Shipping': 'false',
      'Variant Taxable': 'true',
      'Variant Weight Unit': 'kg',
    };
    const cells: Record<string, string> = index === 0 ? { ...first, ...each } : each;
    return head.map((name) => cells[name] ?? '');
  });
  // A second picture is a row that has only the handle and the picture.
  const pictures = dishesOf(menu)
    .filter((dish) => dish.description)
    .map((dish) => {
      const address = `https://cdn.example.com/${slug(dish.name)}-2.jpg`;
      const cells: Record<string, string> = { Handle: slug(dish.name), 'Image Src': address, 'Image Position': '2' };
      return head.map((name) => cells[name] ?? '');
    });
  return [head, ...[...rows, ...pictures].toSorted((a, b) => String(a[0]).localeCompare(String(b[0])))];
}

export function writeToast(menu: DrawnMenu): Cells {
  const head =
    'Menu,Menu Group,Menu Item,POS Name,Kitchen Name,Description,GUID,Pricing Strategy,Base Price,Visibility,PLU';
  const rows = dishesOf(menu).map((dish): Cell[] => [
    'Takeaway Menu',
    dish.category,
    dish.name,
    dish.name.slice(0, 14).toUpperCase(),
    dish.name.slice(0, 10).toUpperCase(),
    dish.description,
    `6f3c${dish.number.padStart(4, '0')}-27aa-4d0b-9d35-0f62a7e1c5d2`,
    dish.isDoubtful ? 'OPEN_PRICE' : 'BASE_PRICE',
    dish.price === null ? '' : `£${plain(dish.price)}`,
    'POS; TOAST_ONLINE_ORDERING',
    1000 + Number.parseInt(dish.number, 10),
  ]);
  return [head.split(','), ...rows];
}

export function writeClover(menu: DrawnMenu) {
  const head =
    'Clover ID,Name,Alternate Name,Price,Price Type,Price Unit,Tax Rates,Cost,Product Code,SKU,Modifier Groups,Quantity,Printer Labels,Hidden,Non-revenue item';
  const items = dishesOf(menu).map((dish): Cell[] => [
    `K7Q${dish.number.padStart(10, '0')}`,
    dish.name,
    null,
    dish.price === null ? null : dish.price / 100,
    dish.price === null ? 'Variable' : 'Fixed',
    null,
    'DEFAULT',
    0,
    null,
    null,
    'Sauces',
    null,
    'Kitchen',
    'No',
    'No',
  ]);
  const most = Math.max(...menu.sections.map((section) => section.dishes.length));
  const categories: Cells = [['Category Name', ...menu.sections.map((section) => section.name)]];
  for (let row = 0; row < most; row += 1) {
    const label = row === 0 ? 'Items in Category' : null;
    categories.push([label, ...menu.sections.map((section) => section.dishes[row]?.name ?? null)]);
  }
  return [
    { sheet: 'Instructions', data: [['Do not change the names of the worksheets or of their columns.']] },
    { sheet: 'Items', data: [head.split(','), ...items.toSorted((a, b) => String(a[1]).localeCompare(String(b[1])))] },
    {
      sheet: 'Modifier Groups',
      data: [
        ['Modifier Group Name', 'Pop-up Automatically', 'Modifier', 'Price'],
        ['Sauces', 'No', 'Garlic Mayo', 0.5],
        [null, null, 'Chilli', 0.5],
      ],
    },
    { sheet: 'Categories', data: categories },
    {
      sheet: 'Tax Rates',
      data: [
        ['Name', 'Tax Rate'],
        ['VAT', 20],
      ] as Cells,
    },
  ];
}

export function writeZettle(menu: DrawnMenu) {
  const head = 'Name,Variant,Category,Price,Cost price,Unit name,VAT,SKU,Barcode,Description,In stock,Created';
  const rows = rowPerSize(menu, (dish, size, price, index) => [
    index === 0 ? dish.name : null,
    size || null,
    index === 0 ? dish.category : null,
    price ? Number(price) : null,
    null,
    null,
    20,
    null,
    null,
    dish.description || null,
    null,
    '2023-05-14',
  ]);
  return [{ sheet: 'Products', data: [head.split(','), ...rows] }];
}
