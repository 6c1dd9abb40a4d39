import { m } from '#messages';
import { quoteName, textCell } from '#menu/import/read-cell.ts';
import { type FileRow, type FileTable, maxRows, UnreadableFileError } from '#menu/import/table.ts';
import { isExtra } from '#menu/import/text-words.ts';
import { formatDecimalAmount } from '#platform/money.ts';
import { shorten } from '#platform/graphemes.ts';

/** A field that a person must confirm before the dish is imported. */
export type Doubt = 'name' | 'price' | 'category';

/** A size with its price in minor units; null for an unreadable price. */
export interface DraftSize {
  name: string;
  price: number | null;
}

export interface DraftDish {
  name: string;
  /** Empty if the source names no category. */
  category: string;
  price: number | null;
  /** The sizes, which set the price; then `price` is null. */
  sizes: DraftSize[];
  doubts: Doubt[];
  /** Further fields by the column's key, such as the description. */
  cells: Partial<Record<string, string>>;
  /** The source's text, which the page shows beside a doubtful field. */
  text: string;
  sheet: string;
  number: number;
}

/** A menu as a file, page or photo describes it, with its doubts. */
export interface MenuDraft {
  categories: string[];
  dishes: DraftDish[];
  /** The source's lines about extras, such as `Add cheese 50p`; absent if it has none. */
  extras?: string[];
  /** The lines that were read as nothing; absent if they are few. */
  unread?: { count: number; examples: string[] };
}

export interface TextDishes {
  dishes: DraftDish[];
  /** The lines that are neither dishes, categories nor descriptions. */
  unread: string[];
}

/** A person's corrections of a dish; a missing field stays as read. */
export interface DishEdit {
  name?: string;
  price?: number | null;
  sizes?: DraftSize[];
}

export interface DraftAnswers {
  /** The keys of the dishes whose doubts are confirmed. */
  confirmed: readonly string[];
  edits: Readonly<Record<string, DishEdit>>;
}

export function dishKey({ sheet, number }: Pick<DraftDish, 'sheet' | 'number'>): string {
  return `${sheet} ${number}`;
}

/** Drafts the dishes without extras, because an extra is never ordered alone. */
export function draftOf(read: readonly DraftDish[]): MenuDraft {
  const extras = read.filter(isExtra);
  const dishes = read.filter((dish) => !extras.includes(dish));
  if (dishes.length === 0) throw new UnreadableFileError(m.menu_import_no_dishes());
  if (dishes.length > maxRows) throw new UnreadableFileError(m.menu_import_too_many({ most: maxRows }));
  const categories = [...new Set(dishes.flatMap(({ category }) => category || []))];
  return { categories, dishes, ...(extras.length > 0 && { extras: extras.map(({ text }) => shorten(text, 80)) }) };
}

/** Drafts the dishes of a text. Many unread lines may hold dishes in an unknown layout. */
export function draftOfText({ dishes, unread }: TextDishes): MenuDraft {
  const isMany = unread.length >= 5 && unread.length * 4 >= dishes.length;
  const examples = unread.slice(0, 3).map((text) => shorten(text, 60));
  return { ...draftOf(dishes), ...(isMany && { unread: { count: unread.length, examples } }) };
}

export function applyEdit(dish: DraftDish, { edits }: DraftAnswers): DraftDish {
  return { ...dish, ...edits[dishKey(dish)] };
}

/** Converts a draft to rows after the person's answers. A dish with an unconfirmed doubt becomes a refused row. */
export function tableOfDraft(draft: MenuDraft, answers: DraftAnswers, currency: string): FileTable {
  const known = { item: new Set<string>(), option: new Set(['group', 'name', 'price', 'pricing']) };
  const table: FileTable = { rows: [], unknown: [], leftOut: [], known };
  const groupOf = createSizeGroupNames();
  for (const one of draft.dishes) {
    const dish = applyEdit(one, answers);
    const doubts = answers.confirmed.includes(dishKey(one)) ? [] : one.doubts;
    const rows = fileRowsOf(dish, doubts, groupOf(dish), currency);
    table.rows.push(...rows);
  }
  for (const { kind, cells } of table.rows) for (const key of Object.keys(cells)) known[kind].add(key);
  return table;
}

function fileRowsOf(dish: DraftDish, doubts: readonly Doubt[], group: string, currency: string): FileRow[] {
  const { sheet, number, sizes } = dish;
  const amount = (price: number | null) => (price === null ? '' : formatDecimalAmount(price, currency));
  const priced = sizes.flatMap(({ price }) => price ?? []);
  const least = sizes.length > 0 ? (priced.length > 0 ? Math.min(...priced) : null) : dish.price;
  const item: FileRow = {
    kind: 'item',
    sheet,
    number,
    cells: {
      ...dish.cells,
      name: textCell(dish.name),
      category: dish.category === '' ? '' : quoteName(dish.category),
      price: amount(least),
      ...(sizes.length > 0 && {
        groups: quoteName(group),
        sizes: sizes.map(({ name, price }) => `${name} ${amount(price) || '?'}`).join(', '),
      }),
    },
    ...(doubts.length > 0 && {
      doubts: doubts.map((key) => ({ key, words: m.menu_import_doubt({ text: shorten(dish.text, 160) }) })),
    }),
  };
  if (doubts.length > 0) return [item];
  const options = sizes.map(({ name, price }): FileRow => ({
    kind: 'option',
    sheet,
    number,
    cells: { group: quoteName(group), name: textCell(name), price: amount(price), pricing: 'whole price' },
    // A size without a price would be free.
    ...(price === null && { doubts: [{ key: 'price', words: m.menu_import_price_needed() }] }),
  }));
  return [item, ...options];
}

/** Names the groups of sizes after their dish, and after its category too if two dishes share a name. */
function createSizeGroupNames(): (dish: DraftDish) => string {
  const places = new Map<string, string>();
  return ({ name, category }) => {
    const plain = m.menu_import_size_group({ name: shorten(name, 50) });
    const place = places.get(plain) ?? category;
    places.set(plain, place);
    return place === category ? plain : shorten(`${plain} (${category})`, 80);
  };
}

export const noDraftAnswers: DraftAnswers = { confirmed: [], edits: {} };
