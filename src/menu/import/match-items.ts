import type { ItemPart, PartsIndex } from '#menu/operations/menu-part.ts';
import { findCategories } from '#menu/import/find-parts.ts';
import { fold, foldCase, readNames } from '#menu/import/names-in-cell.ts';
import { chooseMeant, type Draft, type Match } from '#menu/import/plan-draft.ts';
import { emptySign, textOf } from '#menu/import/read-cell.ts';
import type { FileRow } from '#menu/import/table.ts';

export interface ItemLists {
  index: PartsIndex;
  alike: ReadonlyMap<string, ItemPart[]>;
  matches: Map<FileRow, Match<ItemPart>>;
  /** How often each name is in the file. */
  times: Map<string, number>;
  /** The rows for each existing dish, by its id. */
  about: Map<string, number[]>;
  /** The rows for each name in a category. */
  named: Map<string, number[]>;
}

/** By its id, or by its name in one of the categories; without a category, by its name if that is unique. */
export function matchItem(draft: Draft, { index, alike: byName }: ItemLists, row: FileRow): Match<ItemPart> {
  const id = row.cells['id']?.toLowerCase();
  if (id) {
    const part = index.items.get(id);
    return part ? { part } : {};
  }
  const name = textOf(row.cells['name'] ?? '');
  const alike = byName.get(fold(name)) ?? [];
  const wanted = namesOf(row);
  if (wanted.length === 0) {
    const exact = alike.filter((item) => foldCase(item.name) === foldCase(name));
    return exact.length > 1 ? {} : chooseMeant(draft, row, alike, name);
  }
  const places = wanted.flatMap((text) => {
    const place = findCategories(draft, text);
    return 'error' in place ? [] : place;
  });
  const ids = new Set(places.flatMap(({ found }) => found.map((category) => category.id)));
  const names = new Set(places.map((place) => fold(place.name)));
  const within = (isOne: (category: { id: string; name: string }) => boolean) =>
    alike.filter((item) => index.categoriesOfItem.get(item.id)?.some(isOne));
  const there = within((category) => ids.has(category.id));
  return chooseMeant(draft, row, there.length > 0 ? there : within((category) => names.has(fold(category.name))), name);
}

/** Counts names and places, so that no two rows mean one dish. */
export function noteRows(draft: Draft, lists: ItemLists, rows: readonly FileRow[]): void {
  for (const row of rows) {
    const name = nameOf(row, lists.matches.get(row)?.part);
    lists.times.set(name, (lists.times.get(name) ?? 0) + 1);
  }
  for (const row of rows) {
    if (row.unknownType !== undefined || isVague(lists, row)) continue;
    const { part: item, isOpen } = lists.matches.get(row) ?? {};
    if (isOpen) continue;
    if (item) push(lists.about, item.id, row.number);
    for (const key of placesOf(draft, lists, row, item)) push(lists.named, key, row.number);
  }
}

/** Without a category, a name that is in the file twice is ambiguous. */
export function isVague({ times }: ItemLists, row: FileRow): boolean {
  return !row.cells['id'] && namesOf(row).length === 0 && (times.get(nameOf(row, undefined)) ?? 0) > 1;
}

/** The categories of the row, or else the dish's current ones, each with the dish's name. */
export function placesOf(draft: Draft, { index }: ItemLists, row: FileRow, item: ItemPart | undefined): string[] {
  const said = namesOf(row).map((text) => {
    const place = findCategories(draft, text);
    return 'error' in place ? text : (place.found[0]?.id ?? fold(place.name));
  });
  const places = said.length > 0 ? said : (index.categoriesOfItem.get(item?.id ?? '') ?? []).map(({ id }) => id);
  return [...new Set(places.map((place) => `${place}\n${nameOf(row, item)}`))];
}

export function push<T>(lists: Map<string, T[]>, key: string, value: T): void {
  const list = lists.get(key);
  if (list) list.push(value);
  else lists.set(key, [value]);
}

function namesOf({ cells: { category } }: FileRow): string[] {
  return category === emptySign ? [] : readNames(category);
}

function nameOf({ cells: { name } }: FileRow, item: ItemPart | undefined): string {
  return foldCase(textOf(name ?? '') || (item?.name ?? ''));
}
