import { m } from '#messages';
import { foldNameCase, quoteName, textToCell } from '#menu/import/read-cell.ts';
import { type FileRow, type FileTable, maxRows, UnreadableFileError } from '#menu/import/table.ts';
import { isDishExtra } from '#menu/import/text-patterns.ts';
import { formatDecimalAmount, formatMoney } from '#platform/money.ts';
import { shorten } from '#platform/graphemes.ts';

/** A field that a person must confirm before the dish is imported. */
export type DoubtfulField = 'name' | 'price' | 'category';

/** A size with its price in minor units; null for an unreadable price. */
export interface ImportedDishSize {
  name: string;
  price: number | null;
}

export interface DraftDish {
  name: string;
  category: string;
  price: number | null;
  /** The sizes with their prices. If there are any, `price` is null. */
  sizes: ImportedDishSize[];
  doubts: DoubtfulField[];
  /** Explains a doubt that the text does not show, such as a size without a price. */
  doubtReason?: string;
  /** The names of the dish's modifier sets in a till's file; absent if it has none. */
  modifiers?: string[];
  /** Further fields by the column's key, such as the description. */
  cells: Partial<Record<string, string>>;
  /** The source's text, which the page shows beside a field in doubt. */
  text: string;
  sheet: string;
  number: number;
}

/**
 * A set of modifiers as a till's file names it. `options` is empty if the file lacks the options or their prices are
 * unsure.
 */
export interface ModifierSet {
  name: string;
  sheet: string;
  options: (ImportedDishSize & { number: number })[];
  rules: { minSelect?: string; maxSelect?: string };
}

export interface MenuDraft {
  categories: string[];
  dishes: DraftDish[];
  /** The source's lines about extras, such as `Add cheese 50p`; absent if it has none. */
  extras?: string[];
  /** The names of gift cards and other products that are no food; absent if there are none. */
  notFood?: string[];
  /** The modifier sets of the dishes; absent if they have none. */
  modifiers?: ModifierSet[];
  /** The lines that the parser did not recognise; absent if they are few. */
  unread?: { count: number; examples: string[] };
}

export interface ParsedMenuText {
  dishes: DraftDish[];
  /** The lines that are neither dishes, categories nor descriptions. */
  unread: string[];
}

/** A person's corrections of a dish; a missing field stays as read. */
export interface DishEdit {
  name?: string;
  price?: number | null;
  sizes?: ImportedDishSize[];
}

export interface DraftAnswers {
  confirmed: readonly string[];
  edits: Readonly<Record<string, DishEdit>>;
}

export function dishKey({ sheet, number }: Pick<DraftDish, 'sheet' | 'number'>): string {
  return `${sheet} ${number}`;
}

/**
 * Makes a draft of the dishes. Extras are listed separately and not drafted, because an extra is never ordered alone.
 */
export function draftOf(read: readonly DraftDish[]): MenuDraft {
  const extras = read.filter(isDishExtra);
  const dishes = read.filter((dish) => !extras.includes(dish));
  if (dishes.length === 0) throw new UnreadableFileError(m.menu_import_no_dishes());
  if (dishes.length > maxRows) throw new UnreadableFileError(m.menu_import_too_many({ most: maxRows }));
  const categories = [...new Set(dishes.flatMap(({ category }) => category || []))];
  return { categories, dishes, ...(extras.length > 0 && { extras: extras.map(({ text }) => shorten(text, 80)) }) };
}

/**
 * Drafts the dishes of a text. Unread lines are reported only if they are many, because the layout is then unknown and
 * may hide dishes.
 */
export function draftOfText({ dishes, unread }: ParsedMenuText): MenuDraft {
  const isMany = unread.length >= 5 && unread.length * 4 >= dishes.length;
  const examples = unread.slice(0, 3).map((text) => shorten(text, 60));
  return { ...draftOf(dishes), ...(isMany && { unread: { count: unread.length, examples } }) };
}

export function markConflictingDuplicates(dishes: readonly DraftDish[]): void {
  for (const twins of Map.groupBy(dishes, twinKey).values()) {
    const prices = new Set(twins.map(({ price, sizes }) => JSON.stringify([price, sizes])));
    if (prices.size < 2) continue;
    for (const dish of twins) addDoubt(dish, m.menu_import_doubt_twin());
  }
}

export function addDoubt(dish: DraftDish, reason?: string): void {
  dish.doubts = [...new Set([...dish.doubts, 'price' as const])];
  if (reason !== undefined) dish.doubtReason = [dish.doubtReason, reason].filter(Boolean).join(' ');
}

function twinKey({ name, category }: DraftDish): string {
  return JSON.stringify([foldNameCase(name), foldNameCase(category)]);
}

/** Whether the dish has a name and all prices, and no confirmed dish has the same name and category. */
export function canConfirm(dish: DraftDish, draft: MenuDraft, answers: DraftAnswers): boolean {
  const edited = applyDishEdit(dish, answers);
  const { name, price, sizes } = edited;
  const isPriced = sizes.length > 0 ? sizes.every((size) => size.price !== null) : price !== null;
  if (name.trim() === '' || !isPriced) return false;
  return !draft.dishes.some(
    (other) =>
      dishKey(other) !== dishKey(dish) &&
      (other.doubts.length === 0 || answers.confirmed.includes(dishKey(other))) &&
      twinKey(applyDishEdit(other, answers)) === twinKey(edited),
  );
}

/** A dish is not confirmed with others if its price is this many times higher or lower than the median. */
const maxMedianRatio = 10;

/**
 * Returns the dishes that a person may confirm together: all of their prices are near the median, and their names are
 * unique.
 */
export function filterBulkConfirmableDishes(
  dishes: readonly DraftDish[],
  draft: MenuDraft,
  answers: DraftAnswers,
): DraftDish[] {
  const all = draft.dishes.flatMap((dish) => pricesOf(applyDishEdit(dish, answers))).filter((price) => price > 0);
  const median = all.toSorted((a, b) => a - b)[Math.floor((all.length - 1) / 2)] ?? 0;
  const isNear = (price: number) => price * maxMedianRatio >= median && price <= median * maxMedianRatio;
  const names = Map.groupBy(draft.dishes, (dish) => twinKey(applyDishEdit(dish, answers)));
  return dishes.filter((dish) => {
    const edited = applyDishEdit(dish, answers);
    const isAlone = names.get(twinKey(edited))?.length === 1;
    const prices = pricesOf(edited);
    return isAlone && canConfirm(dish, draft, answers) && prices.every((price) => price > 0 && isNear(price));
  });
}

function pricesOf({ price, sizes }: DraftDish): number[] {
  return [price, ...sizes.map((size) => size.price)].flatMap((one) => one ?? []);
}

export function applyDishEdit(dish: DraftDish, { edits }: DraftAnswers): DraftDish {
  return { ...dish, ...edits[dishKey(dish)] };
}

/** Converts a draft to rows after the person's answers. A dish with an unconfirmed doubt becomes a refused row. */
export function draftToTable(draft: MenuDraft, answers: DraftAnswers, currency: string): FileTable {
  const known = { item: new Set<string>(), option: new Set(['group', 'name', 'price', 'pricing']) };
  const table: FileTable = { rows: [], unknown: [], leftOut: [], known };
  const groupOf = createSizeGroupNames();
  const sets = draft.modifiers?.filter(({ options }) => options.length > 0) ?? [];
  for (const one of draft.dishes) {
    const dish = applyDishEdit(one, answers);
    const doubts = answers.confirmed.includes(dishKey(one)) ? [] : one.doubts;
    const own = sets.filter(({ name }) => hasModifiers(dish, name));
    table.rows.push(...fileRowsOf(dish, doubts, { group: groupOf(dish), sets: own, currency }));
  }
  table.rows.push(...sets.flatMap((set) => rowsOfModifiers(set, currency)));
  for (const { kind, cells } of table.rows) for (const key of Object.keys(cells)) known[kind].add(key);
  return table;
}

/** The modifier sets whose options the file does not list, each with the number of its dishes. */
export function modifierSetsWithoutOptions({ dishes, modifiers = [] }: MenuDraft): { name: string; count: number }[] {
  return modifiers
    .filter(({ options }) => options.length === 0)
    .map(({ name }) => ({ name, count: dishes.filter((dish) => hasModifiers(dish, name)).length }));
}

function hasModifiers({ modifiers = [] }: DraftDish, name: string): boolean {
  return modifiers.some((one) => foldNameCase(one) === foldNameCase(name));
}

function rowsOfModifiers({ name: group, sheet, options, rules }: ModifierSet, currency: string): FileRow[] {
  return options.map(({ name, price, number }) => ({
    kind: 'option',
    sheet,
    number,
    cells: {
      group: quoteName(group),
      name: textToCell(name),
      price: formatDecimalAmount(price ?? 0, currency),
      pricing: 'added',
      ...rules,
    },
  }));
}

function doubtWords({ text, doubtReason }: DraftDish): string {
  return [m.menu_import_doubt({ text: shorten(text, 160) }), doubtReason].filter(Boolean).join(' ');
}

function fileRowsOf(
  dish: DraftDish,
  doubts: readonly DoubtfulField[],
  { group, sets, currency }: { group: string; sets: readonly ModifierSet[]; currency: string },
): FileRow[] {
  const { sheet, number, sizes } = dish;
  const groups = [...(sizes.length > 0 ? [group] : []), ...sets.map(({ name }) => name)];
  const amount = (price: number | null) => (price === null ? '' : formatDecimalAmount(price, currency));
  const priced = sizes.flatMap(({ price }) => price ?? []);
  const least = sizes.length > 0 ? (priced.length > 0 ? Math.min(...priced) : null) : dish.price;
  const item: FileRow = {
    kind: 'item',
    sheet,
    number,
    cells: {
      ...dish.cells,
      name: textToCell(dish.name),
      category: dish.category === '' ? '' : quoteName(dish.category),
      price: amount(least),
      ...(sizes.length > 0 && {
        sizes: sizes
          .map(({ name, price }) => `${name} ${price === null ? '?' : formatMoney(price, currency)}`)
          .join(', '),
      }),
      // The size groups of an unconfirmed dish are not imported, so its row must not name them.
      ...(groups.length > 0 && doubts.length === 0 && { groups: groups.map(quoteName).join('; ') }),
    },
    ...(doubts.length > 0 && {
      doubts: doubts.map((key) => ({ key, words: doubtWords(dish) })),
    }),
  };
  if (doubts.length > 0) return [item];
  const options = sizes.map(({ name, price }): FileRow => ({
    kind: 'option',
    sheet,
    number,
    cells: { group: quoteName(group), name: textToCell(name), price: amount(price), pricing: 'whole price' },
    // A size without a price is refused, because it would be free.
    ...(price === null && { doubts: [{ key: 'price', words: m.menu_import_price_needed() }] }),
  }));
  return [item, ...options];
}

/**
 * Names the groups of sizes after their dish. If an earlier dish of another category has the same name, the category is
 * added.
 */
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
