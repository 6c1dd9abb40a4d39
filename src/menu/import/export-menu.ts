import type { MenuParts } from '#menu/menu-parts.ts';
import { indexParts } from '#menu/operations/menu-part.ts';
import { type Cells, itemCells, namesOf, optionCells, pricingCells } from '#menu/import/cells-of.ts';
import { columnsOf, type RowKind } from '#menu/import/columns.ts';
import { minorDigits } from '#platform/money.ts';

export interface SheetOf {
  kind: RowKind;
  heads: string[];
  lines: string[][];
}

/** The whole menu in the file's format: the dishes in the order of the menu, then the options of every group. */
export function exportMenu(parts: MenuParts, currency: string): SheetOf[] {
  const decimals = minorDigits(currency);
  const index = indexParts(parts);
  const names = namesOf(parts);
  const inOrder = new Set([
    ...parts.menus.flatMap((menu) => (index.categoriesOfMenu.get(menu.id) ?? []).flatMap(({ item_ids: ids }) => ids)),
    ...parts.items.map(({ id }) => id),
  ]);
  const items = [...inOrder].flatMap((id) => {
    const item = index.items.get(id);
    if (!item) return [];
    const categories = (index.categoriesOfItem.get(id) ?? []).map((category) => names.category(category)).toSorted();
    const groups = item.option_groups.flatMap((one) => index.groups.get(one.id) ?? []);
    return [
      itemCells(
        item,
        categories,
        groups.map((group) => names.group(group)),
        decimals,
      ),
    ];
  });
  const options = parts.option_groups.flatMap((group) =>
    group.options.flatMap(({ id }) => {
      const option = index.options.get(id);
      return option ? [optionCells(option, group, names.group(group), decimals)] : [];
    }),
  );
  return [toSheet('item', items), toSheet('option', options)];
}

/** A file to start from: every heading, two dishes and a group of two sizes. */
export function exampleMenu(): SheetOf[] {
  const size = { group: 'Size', pricing: pricingCells.is_price, minSelect: '1', maxSelect: '1' };
  return [
    toSheet('item', [
      {
        category: 'Pizzas',
        name: 'Margherita',
        price: '8.50',
        description: 'Tomato, mozzarella, basil',
        groups: 'Size',
        vatRate: '20%',
        contains: 'gluten; milk',
        mayContain: 'soya',
        allergensStated: 'yes',
        dietary: 'vegetarian',
        visible: 'yes',
        soldOut: 'no',
      },
      {
        category: 'Drinks',
        name: 'Lemonade, 330 ml',
        price: '1.80',
        vatRate: '20%',
        contains: 'none',
        allergensStated: 'yes',
        visible: 'yes',
      },
    ]),
    toSheet('option', [
      { ...size, name: 'Small', price: '8.50', isDefault: 'yes' },
      { ...size, name: 'Large', price: '11.50' },
    ]),
  ];
}

function toSheet(kind: RowKind, rows: readonly Cells[]): SheetOf {
  const own = columnsOf(kind);
  return {
    kind,
    heads: own.map(({ header }) => header),
    lines: rows.map((row) => own.map(({ key }) => row[key] ?? '')),
  };
}
