import { v7 as newId } from 'uuid';
import type { MenuParts } from '#menu/fields.ts';
import {
  makeCreateOperation,
  type ItemPart,
  makeLinkOperation,
  type MenuOperation,
} from '#menu/operations/menu-operation.ts';
import { searchWords } from '#platform/fold-text.ts';
import { formatMoney } from '#platform/money.ts';
import { parseMoneyField } from '#platform/parse-money.ts';

/** A row that the owner types; its id becomes the dish's id. */
export interface TypedDish {
  id: string;
  name: string;
  price: string;
  /** Set when the row is saved as a dish. If the menu then lacks the dish, the dish was refused, undone or deleted. */
  isAdded?: true;
  /** The saved dish as it was before the unsaved change of its row; missing: there is no unsaved change. */
  began?: { name: string; price: number };
}

type SavedDishes = ReadonlyMap<string, Pick<ItemPart, 'name' | 'price'>>;

export const isTyped = ({ name, price }: TypedDish): boolean => name.trim() !== '' || price.trim() !== '';

/** Whether the row has text that only this device stores. */
export const isUnsaved = (row: TypedDish, saved: SavedDishes): boolean =>
  row.began !== undefined || (isTyped(row) && !saved.has(row.id));

/** The row as it is shown: with the menu's name and price, unless the row has an unsaved change. */
export function shownRow(row: TypedDish, saved: SavedDishes, currency: string): TypedDish {
  const dish = saved.get(row.id);
  return dish && !row.began ? { ...row, name: dish.name, price: formatMoney(dish.price, currency) } : row;
}

/** The row after a change of its text. `began` remembers the saved dish from before the first change. */
export function changeTypedRow(row: TypedDish, part: Partial<TypedDish>, saved: SavedDishes): TypedDish {
  const dish = saved.get(row.id);
  return { ...row, ...part, ...(dish && { began: row.began ?? { name: dish.name, price: dish.price } }) };
}

interface NewDish {
  id: string;
  name: string;
  /** The price in minor units. */
  price: number;
}

/** Parses the non-empty rows into dishes. `faults`: by a row's id, the field that is missing or unreadable. */
export function readTypedDishes(
  rows: readonly TypedDish[],
  currency: string,
): { dishes: NewDish[]; faults: ReadonlyMap<string, 'name' | 'price'> } {
  const dishes: NewDish[] = [];
  const faults = new Map<string, 'name' | 'price'>();
  for (const { id, name, price } of rows) {
    if (name.trim() === '' && price.trim() === '') continue;
    const amount = parseMoneyField(price, { currency, empty: null })?.amount ?? null;
    if (name.trim() === '') faults.set(id, 'name');
    else if (amount === null) faults.set(id, 'price');
    dishes.push({ id, name: name.trim(), price: amount ?? 0 });
  }
  return { dishes, faults };
}

/** The rows whose dish name is already used, by a dish on the menu or in an earlier row. */
export function repeatedRows(rows: readonly TypedDish[], onMenu: readonly { name: string }[]): ReadonlySet<string> {
  const plain = (name: string): string => searchWords(name).join(' ');
  const known = new Set(onMenu.map(({ name }) => plain(name)));
  const repeated = new Set<string>();
  for (const { id, name } of rows) {
    if (name.trim() === '') continue;
    if (known.has(plain(name))) repeated.add(id);
    known.add(plain(name));
  }
  return repeated;
}

/**
 * The operations that create the dishes on the first menu, in the category of this name. If the category or the menu is
 * missing, it is created.
 */
export function newDishOperations(
  parts: MenuParts,
  storeId: string,
  categoryName: string,
  dishes: readonly NewDish[],
): MenuOperation[] {
  const name = categoryName.trim();
  const known = parts.categories.find((category) => category.name.toLowerCase() === name.toLowerCase());
  const menuId = parts.menus[0]?.id ?? newId();
  const categoryId = known?.id ?? newId();
  return [
    ...(parts.menus.length > 0 ? [] : [makeCreateOperation('menu', { id: menuId, name, store_id: storeId })]),
    ...(known ? [] : [makeCreateOperation('category', { id: categoryId, name, menu_id: menuId })]),
    ...dishes.map((dish) => makeCreateOperation('item', { ...dish, store_id: storeId })),
    makeLinkOperation(
      'category',
      categoryId,
      dishes.map(({ id }) => id),
    ),
  ];
}
