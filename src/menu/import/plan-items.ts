import { m } from '#messages';
import {
  type CategoryPart,
  makeGuardedChangeOperation,
  makeCreateOperation,
  type GroupPart,
  indexParts,
  type ItemPart,
  makeLinkOperation,
  type PartsIndex,
  makeUnlinkOperation,
} from '#menu/operations/menu-operation.ts';
import { itemCells } from '#menu/import/export-menu.ts';
import { findCategories, readCategoriesCell, readGroupsCell } from '#menu/import/find-parts.ts';
import {
  fieldClearingText,
  foldName,
  foldNameCase,
  readAllergensCell,
  readDietaryCell,
  readNameCell,
  readNamesCell,
  readOptionalWholeNumberCell,
  readPriceCell,
  readTextCell,
  readVatCell,
  readWholeNumberCell,
  readYesNoCell,
  cellToText,
} from '#menu/import/read-cell.ts';
import {
  changedFields,
  matchIgnoringAccents,
  type ImportDraft,
  type RowMatch,
  type PlannedRow,
  RowReader,
  importRowKey,
} from '#menu/import/plan-draft.ts';
import type { FileRow, FileTable } from '#menu/import/table.ts';
import { shorten } from '#platform/graphemes.ts';

interface Lists extends ItemLists {
  intoCategory: Map<string, string[]>;
  outOfCategory: Map<string, string[]>;
}

export function planItems(draft: ImportDraft, { rows }: FileTable): PlannedRow[] {
  const lists: Lists = {
    index: indexParts(draft.parts),
    alike: Map.groupBy(draft.parts.items, ({ name }) => foldName(name)),
    matches: new Map(),
    times: new Map(),
    about: new Map(),
    named: new Map(),
    intoCategory: new Map(),
    outOfCategory: new Map(),
  };
  const ofItems = rows.filter(({ kind }) => kind === 'item');
  for (const row of ofItems) lists.matches.set(row, matchItem(draft, lists, row));
  recordRows(draft, lists, ofItems);
  const planned = ofItems.map((row) => planRow(draft, lists, row));
  for (const [id, items] of lists.intoCategory) draft.links.push(makeLinkOperation('category', id, items));
  for (const [id, items] of lists.outOfCategory) draft.links.push(makeUnlinkOperation('category', id, items));
  return planned;
}

function planRow(draft: ImportDraft, lists: Lists, row: FileRow): PlannedRow {
  const { part: item, question, keepsName } = lists.matches.get(row) ?? {};
  const inNow = categoriesOf(lists, item);
  const reader = new RowReader(row, item ? cellsOf(draft, item, inNow, groupsOf(lists, item)) : null, question);
  const name = reader.take('name', readNameCell(reader.cell('name'), 120)) ?? '';
  const isNameRefused = reader.problems.length > 0;
  const fields = readFields(draft, reader, item);
  const groups = readGroupsCell(draft, reader);
  const shownName = name || shownNameOf(item, reader);
  if (item) draft.namedItems.add(item.id);
  else refuseId(reader);
  if (refuseAmbiguous(draft, lists, reader, row)) return reader.planned(shownName, null, {});
  if (!item) refuseNew(reader, name === '' && !isNameRefused);
  refuseTwice(draft, lists, reader, { row, item });
  const into = readCategoriesCell(draft, reader, inNow);
  if (reader.problems.length > 0) return reader.planned(shownName, null, {});

  const categories = into.take();
  const named = { ...(name !== '' && !keepsName && { name }), ...fields };
  if (item) return changeItem(draft, lists, reader, item, named, categories, groups);
  const id = draft.newDishIds.get(importRowKey(row)) ?? draft.options.newId();
  addItem(draft, lists, { ...named, name, id }, categories, groups ?? []);
  return reader.planned(name, null, {});
}

function shownNameOf(item: ItemPart | undefined, reader: RowReader): string {
  return item?.name ?? shorten(cellToText(reader.cell('name') ?? ''), 60);
}

function categoriesOf(lists: ItemLists, item: ItemPart | undefined): readonly CategoryPart[] {
  return lists.index.categoriesOfItem.get(item?.id ?? '') ?? [];
}

function refuseId(reader: RowReader): void {
  if (reader.cell('id')) reader.refuse('id', m.menu_import_id_unknown());
}

function addItem(
  draft: ImportDraft,
  lists: Lists,
  fields: Partial<ItemPart> & { id: string; name: string },
  categories: readonly CategoryPart[],
  groups: readonly GroupPart[],
): void {
  // The default of 0 is never used, because a new dish without a price was refused before.
  const { id, price = 0 } = fields;
  draft.creations.push(makeCreateOperation('item', { store_id: draft.parts.store_id, ...fields, price }));
  for (const category of categories) appendTo(lists.intoCategory, category.id, id);
  const groupIds = groups.map((group) => group.id);
  if (groupIds.length > 0) draft.links.push(makeLinkOperation('item', id, groupIds));
}

/** Refuses a row of unknown type, and a row that could mean several dishes. Returns whether it refused the row. */
function refuseAmbiguous(draft: ImportDraft, lists: Lists, reader: RowReader, row: FileRow): boolean {
  const { question, isOpen } = lists.matches.get(row) ?? {};
  if (row.unknownType !== undefined) reader.refuse('type', m.menu_import_type({ name: row.unknownType }));
  else if (isAmbiguous(lists, row)) reader.refuse('category', m.menu_import_category_needed());
  else if (isOpen) {
    for (const { id } of question?.choices ?? []) draft.namedItems.add(id);
    reader.refuse('name', m.menu_import_meant_needed());
  } else return false;
  return true;
}

function refuseNew(reader: RowReader, isUnnamed: boolean): void {
  if (isUnnamed) reader.refuse('name', m.menu_import_name_needed());
  if (reader.cell('id') !== undefined) return;
  if (reader.cell('price') === undefined) reader.refuse('price', m.menu_import_price_needed());
  if ((reader.cell('category') ?? fieldClearingText) !== fieldClearingText) return;
  reader.refuse('category', m.menu_import_category_needed());
  reader.needsCategory = true;
}

/**
 * Refuses a row if another row means the same dish, or has the same name in the same category. Rows with an id may
 * share a name.
 */
function refuseTwice(
  draft: ImportDraft,
  lists: Lists,
  reader: RowReader,
  { row, item }: { row: FileRow; item: ItemPart | undefined },
): void {
  const alike = [
    ...(lists.about.get(item?.id ?? '') ?? []),
    ...(reader.cell('id') ? [] : placesOf(draft, lists, row, item).flatMap((key) => lists.named.get(key) ?? [])),
  ];
  const other = alike.find((one) => one !== row);
  if (other === undefined) return;
  const place = other.sheet === row.sheet ? other.number : `${other.sheet}, ${other.number}`;
  reader.refuse('name', m.menu_import_twice({ row: place }));
}

function readFields(draft: ImportDraft, reader: RowReader, known: ItemPart | undefined): Partial<ItemPart> {
  const cell = (key: string) => reader.cell(key);
  const allergens = readAllergensCell(cell, known, draft.options.statesAllergens);
  const kitchenName = reader.take('kitchenName', readNameCell(cell('kitchenName'), 60));
  const station = reader.take('station', readTextCell(cell('station'), 40));
  const soldOut = reader.take('soldOut', readYesNoCell(cell('soldOut')));
  const fields = {
    price: reader.take('price', readPriceCell(cell('price'), draft.options.currency)),
    description: reader.take('description', readTextCell(cell('description'), 1000)),
    kitchen_name: kitchenName === '' ? null : kitchenName,
    vat_rate: reader.take('vatRate', readVatCell(cell('vatRate'))),
    ...reader.take(allergens.at ?? 'contains', allergens),
    dietary: reader.take('dietary', readDietaryCell(cell('dietary'))),
    spice_level: reader.take('spiceLevel', readWholeNumberCell(cell('spiceLevel'), 0, 3)),
    min_age: reader.take('minAge', readOptionalWholeNumberCell(cell('minAge'), 1, 99)),
    prep_minutes: reader.take('prepMinutes', readOptionalWholeNumberCell(cell('prepMinutes'), 0, 240)),
    max_per_order: reader.take('maxPerOrder', readOptionalWholeNumberCell(cell('maxPerOrder'), 1, 100)),
    station: station === '' ? null : station,
    is_active: reader.take('visible', readYesNoCell(cell('visible'))),
    is_available: soldOut === undefined ? undefined : !soldOut,
    unavailable_until: soldOut === false ? null : undefined,
  };
  // A missing column must not reset its field.
  return Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined));
}

function changeItem(
  draft: ImportDraft,
  lists: Lists,
  reader: RowReader,
  item: ItemPart,
  fields: Partial<ItemPart>,
  categories: readonly CategoryPart[],
  groups: readonly GroupPart[] | null,
): PlannedRow {
  const wanted = { ...item, ...fields };
  const changed = changedFields(item, fields);
  if (Object.keys(changed).length > 0) draft.changes.push(makeGuardedChangeOperation('item', item, changed));

  const inNow = categoriesOf(lists, item);
  const inThen = categories.length > 0 || reader.cell('category') === fieldClearingText ? categories : inNow;
  for (const category of inThen)
    if (!inNow.some(({ id }) => id === category.id)) appendTo(lists.intoCategory, category.id, item.id);
  for (const category of inNow)
    if (!inThen.some(({ id }) => id === category.id)) appendTo(lists.outOfCategory, category.id, item.id);

  const onNow = groupsOf(lists, item);
  const onThen = groups
    ? [
        ...onNow.filter((group) => groups.some(({ id }) => id === group.id)),
        ...groups.filter((group) => !onNow.some(({ id }) => id === group.id)),
      ]
    : onNow;
  const added = onThen.filter((group) => !onNow.includes(group)).map(({ id }) => id);
  const removed = onNow.filter((group) => !onThen.includes(group)).map(({ id }) => id);
  if (added.length > 0) draft.links.push(makeLinkOperation('item', item.id, added));
  if (removed.length > 0) draft.links.push(makeUnlinkOperation('item', item.id, removed));

  const before = cellsOf(draft, item, inNow, onNow);
  return reader.planned(wanted.name, before, cellsOf(draft, wanted, inThen, onThen));
}

function groupsOf({ index }: Lists, item: ItemPart): GroupPart[] {
  return item.option_groups.flatMap(({ id }) => index.groups.get(id) ?? []);
}

function cellsOf(
  draft: ImportDraft,
  item: ItemPart,
  categories: readonly CategoryPart[],
  groups: readonly GroupPart[],
) {
  const { names, decimals } = draft;
  return itemCells(item, categories.map(names.category).toSorted(), groups.map(names.group), decimals);
}

interface ItemLists {
  index: PartsIndex;
  alike: ReadonlyMap<string, ItemPart[]>;
  matches: Map<FileRow, RowMatch<ItemPart>>;
  times: Map<string, number>;
  about: Map<string, FileRow[]>;
  named: Map<string, FileRow[]>;
}

/** Finds the dish of a row: by id, by name in its category, or by a unique name if it has no category. */
function matchItem(draft: ImportDraft, { index, alike: byName }: ItemLists, row: FileRow): RowMatch<ItemPart> {
  const id = row.cells['id']?.toLowerCase();
  if (id) {
    const part = index.items.get(id);
    return part ? { part } : {};
  }
  const name = cellToText(row.cells['name'] ?? '');
  const alike = byName.get(foldName(name)) ?? [];
  const wanted = categoryNamesOf(row);
  if (wanted.length === 0) {
    const exact = alike.filter((item) => foldNameCase(item.name) === foldNameCase(name));
    return exact.length > 1 ? {} : matchIgnoringAccents(draft, row, alike, name);
  }
  const places = wanted.flatMap((text) => {
    const place = findCategories(draft, text);
    return 'error' in place ? [] : place;
  });
  const ids = new Set(places.flatMap(({ found }) => found.map((category) => category.id)));
  const names = new Set(places.map((place) => foldName(place.name)));
  const within = (isOne: (category: { id: string; name: string }) => boolean) =>
    alike.filter((item) => index.categoriesOfItem.get(item.id)?.some(isOne));
  const there = within((category) => ids.has(category.id));
  return matchIgnoringAccents(
    draft,
    row,
    there.length > 0 ? there : within((category) => names.has(foldName(category.name))),
    name,
  );
}

/** Records the rows' dishes, names and categories, so that duplicates are found. */
function recordRows(draft: ImportDraft, lists: ItemLists, all: readonly FileRow[]): void {
  // An unconfirmed row is left out, so that it is no duplicate of a confirmed row with the same name.
  const rows = all.filter(({ doubts = [] }) => doubts.length === 0);
  for (const row of rows) {
    const name = nameOf(row, lists.matches.get(row)?.part);
    lists.times.set(name, (lists.times.get(name) ?? 0) + 1);
  }
  for (const row of rows) {
    if (row.unknownType !== undefined || isAmbiguous(lists, row)) continue;
    const { part: item, isOpen } = lists.matches.get(row) ?? {};
    if (isOpen) continue;
    if (item) appendTo(lists.about, item.id, row);
    for (const key of placesOf(draft, lists, row, item)) appendTo(lists.named, key, row);
  }
}

/** Whether a row is ambiguous: it has neither id nor category, and another row has the same name. */
function isAmbiguous({ times }: ItemLists, row: FileRow): boolean {
  return !row.cells['id'] && categoryNamesOf(row).length === 0 && (times.get(nameOf(row, undefined)) ?? 0) > 1;
}

/**
 * Returns a key for each category of the row's dish: rows with a common key have the same name and category. A row
 * without a category uses the categories that its dish has in the menu.
 */
function placesOf(draft: ImportDraft, lists: ItemLists, row: FileRow, item: ItemPart | undefined): string[] {
  const named = categoryNamesOf(row).map((text) => {
    const place = findCategories(draft, text);
    return 'error' in place ? text : (place.found[0]?.id ?? foldName(place.name));
  });
  const places = named.length > 0 ? named : categoriesOf(lists, item).map(({ id }) => id);
  return [...new Set(places.map((place) => `${place}\n${nameOf(row, item)}`))];
}

function appendTo<T>(lists: Map<string, T[]>, key: string, value: T): void {
  const list = lists.get(key);
  if (list) list.push(value);
  else lists.set(key, [value]);
}

function categoryNamesOf({ cells: { category } }: FileRow): string[] {
  return category === fieldClearingText ? [] : readNamesCell(category);
}

function nameOf({ cells: { name } }: FileRow, item: ItemPart | undefined): string {
  return foldNameCase(cellToText(name ?? '') || (item?.name ?? ''));
}
