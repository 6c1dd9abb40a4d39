import { m } from '#messages';
import { changeSeen, create, link, unlink } from '#menu/operations/menu-operation.ts';
import {
  type CategoryPart,
  type GroupPart,
  indexParts,
  type ItemPart,
  type PartsIndex,
} from '#menu/operations/menu-part.ts';
import { itemCells } from '#menu/import/cells-of.ts';
import { changedFields, type Draft, findOrMakeCategory, readGroups, RowReader } from '#menu/import/plan-draft.ts';
import type { PlannedRow } from '#menu/import/planned-row.ts';
import {
  fold,
  readAllergens,
  readDietary,
  readNames,
  readOptionalWhole,
  readPrice,
  readText,
  readVat,
  readWhole,
  readYesNo,
} from '#menu/import/read-cell.ts';
import type { FileRow, FileTable } from '#menu/import/table.ts';
import { shorten } from '#platform/graphemes.ts';

interface Lists {
  index: PartsIndex;
  alike: ReadonlyMap<string, ItemPart[]>;
  /** How often each name is in the file. */
  times: Map<string, number>;
  /** The rows for each existing dish, by its id. */
  about: Map<string, number[]>;
  /** The rows for each name in a category. */
  named: Map<string, number[]>;
  intoCategory: Map<string, string[]>;
  outOfCategory: Map<string, string[]>;
}

/** Plans the rows of dishes: their fields, categories and option groups. */
export function planItems(draft: Draft, { rows }: FileTable): PlannedRow[] {
  const lists: Lists = {
    index: indexParts(draft.parts),
    alike: Map.groupBy(draft.parts.items, ({ name }) => fold(name)),
    times: new Map(),
    about: new Map(),
    named: new Map(),
    intoCategory: new Map(),
    outOfCategory: new Map(),
  };
  const ofItems = rows.filter(({ kind }) => kind === 'item');
  const nameOf = (row: FileRow) => fold(row.cells['name'] || (findItem(draft, lists, row)?.name ?? ''));
  for (const row of ofItems) lists.times.set(nameOf(row), (lists.times.get(nameOf(row)) ?? 0) + 1);
  for (const row of ofItems) {
    if (row.unknownType !== undefined || isVague(lists, row)) continue;
    const item = findItem(draft, lists, row);
    if (item) push(lists.about, item.id, row.number);
    for (const key of placesOf(lists, row, item)) push(lists.named, key, row.number);
  }
  const planned = ofItems.map((row) => planRow(draft, lists, row));
  for (const [id, items] of lists.intoCategory) draft.links.push(link('category', id, items));
  for (const [id, items] of lists.outOfCategory) draft.links.push(unlink('category', id, items));
  return planned;
}

function planRow(draft: Draft, lists: Lists, row: FileRow): PlannedRow {
  const reader = new RowReader(row);
  const name = reader.take('name', readText(reader.cell('name'), 120)) ?? '';
  const isNameRefused = reader.problems.length > 0;
  const fields = readFields(draft, reader, findItem(draft, lists, row));
  const groups = readGroups(draft, reader);
  const categoryNames = readNames(reader.cell('category'));
  const item = findItem(draft, lists, row);
  const shownName = name || (item?.name ?? shorten(reader.cell('name') ?? '', 60));
  if (item) draft.namedItems.add(item.id);
  else if (reader.cell('id')) reader.refuse('id', m.menu_import_id_unknown());
  if (row.unknownType !== undefined) {
    reader.refuse('type', m.menu_import_type({ name: row.unknownType }));
    return reader.planned(shownName, null, {});
  }
  if (isVague(lists, row)) {
    reader.refuse('category', m.menu_import_category_needed());
    return reader.planned(shownName, null, {});
  }
  if (!item && name === '' && !isNameRefused) reader.refuse('name', m.menu_text_needed());
  if (!item && reader.cell('id') === undefined) {
    if (reader.cell('price') === undefined) reader.refuse('price', m.menu_import_price_needed());
    if (categoryNames.length === 0) reader.refuse('category', m.menu_import_category_needed());
  }
  // If two rows match, neither is taken; a row with an id is unambiguous.
  const alike = [
    ...(lists.about.get(item?.id ?? '') ?? []),
    ...(reader.cell('id') ? [] : placesOf(lists, row, item).flatMap((key) => lists.named.get(key) ?? [])),
  ];
  const other = alike.find((number) => number !== row.number);
  if (other !== undefined) reader.refuse('name', m.menu_import_twice({ row: other }));
  if (reader.problems.length > 0) return reader.planned(shownName, null, {});

  const categories = categoriesFor(draft, reader, categoryNames);
  if (reader.problems.length > 0) return reader.planned(shownName, null, {});
  const named = { ...(name !== '' && { name }), ...fields };
  if (item) return changeItem(draft, lists, reader, item, named, categories, groups);
  const id = draft.options.newId();
  // A new dish without a price was refused above.
  const { price = 0 } = fields;
  draft.creations.push(create('item', { id, store_id: draft.parts.store_id, ...named, name, price }));
  for (const category of categories) push(lists.intoCategory, category.id, id);
  if (groups && groups.length > 0)
    draft.links.push(
      link(
        'item',
        id,
        groups.map((group) => group.id),
      ),
    );
  return reader.planned(name, null, {});
}

function readFields(draft: Draft, reader: RowReader, known: ItemPart | undefined): Partial<ItemPart> {
  const cell = (key: string) => reader.cell(key);
  const allergens = readAllergens(cell, known, draft.options.statesAllergens);
  const kitchenName = reader.take('kitchenName', readText(cell('kitchenName'), 60));
  const station = reader.take('station', readText(cell('station'), 40));
  const soldOut = reader.take('soldOut', readYesNo(cell('soldOut')));
  const fields = {
    price: reader.take('price', readPrice(cell('price'), draft.options.currency)),
    description: reader.take('description', readText(cell('description'), 1000)),
    kitchen_name: kitchenName === '' ? null : kitchenName,
    vat_rate: reader.take('vatRate', readVat(cell('vatRate'))),
    ...reader.take(allergens.at ?? 'contains', allergens),
    dietary: reader.take('dietary', readDietary(cell('dietary'))),
    spice_level: reader.take('spiceLevel', readWhole(cell('spiceLevel'), 0, 3)),
    min_age: reader.take('minAge', readOptionalWhole(cell('minAge'), 1, 99)),
    prep_minutes: reader.take('prepMinutes', readOptionalWhole(cell('prepMinutes'), 0, 240)),
    max_per_order: reader.take('maxPerOrder', readOptionalWhole(cell('maxPerOrder'), 1, 100)),
    station: station === '' ? null : station,
    is_active: reader.take('visible', readYesNo(cell('visible'))),
    is_available: soldOut === undefined ? undefined : !soldOut,
    unavailable_until: soldOut === false ? null : undefined,
  };
  // Columns that the file does not have are left out, so that their values stay.
  return Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined));
}

/** By its id, or by its name in one of the categories; without a category, by its name if that is unique. */
function findItem(draft: Draft, { index, alike: byName }: Lists, { cells }: FileRow): ItemPart | undefined {
  const id = cells['id']?.toLowerCase();
  if (id) return index.items.get(id);
  const alike = byName.get(fold(cells['name'] ?? '')) ?? [];
  const wanted = new Set(readNames(cells['category']).map(fold));
  if (wanted.size === 0) return alike.length === 1 ? alike[0] : undefined;
  return alike.find((item) =>
    index.categoriesOfItem
      .get(item.id)
      ?.some((category) => wanted.has(fold(category.name)) || wanted.has(fold(draft.names.category(category)))),
  );
}

function categoriesFor(draft: Draft, reader: RowReader, names: readonly string[]): CategoryPart[] {
  const found: CategoryPart[] = [];
  for (const name of names) {
    const category = findOrMakeCategory(draft, name);
    if ('error' in category) reader.refuse('category', category.error);
    else if (!found.includes(category)) found.push(category);
  }
  return found;
}

function changeItem(
  draft: Draft,
  lists: Lists,
  reader: RowReader,
  item: ItemPart,
  fields: Partial<ItemPart>,
  categories: readonly CategoryPart[],
  groups: readonly GroupPart[] | null,
): PlannedRow {
  const wanted = { ...item, ...fields };
  const changed = changedFields(item, fields);
  if (Object.keys(changed).length > 0) draft.changes.push(changeSeen('item', item, changed));

  const inNow = lists.index.categoriesOfItem.get(item.id) ?? [];
  const inThen = categories.length > 0 ? categories : inNow;
  for (const category of inThen)
    if (!inNow.some(({ id }) => id === category.id)) push(lists.intoCategory, category.id, item.id);
  for (const category of inNow)
    if (!inThen.some(({ id }) => id === category.id)) push(lists.outOfCategory, category.id, item.id);

  const onNow = item.option_groups.flatMap(({ id }) => lists.index.groups.get(id) ?? []);
  const onThen = groups
    ? [
        ...onNow.filter((group) => groups.some(({ id }) => id === group.id)),
        ...groups.filter((group) => !onNow.some(({ id }) => id === group.id)),
      ]
    : onNow;
  const added = onThen.filter((group) => !onNow.includes(group)).map(({ id }) => id);
  const removed = onNow.filter((group) => !onThen.includes(group)).map(({ id }) => id);
  if (added.length > 0) draft.links.push(link('item', item.id, added));
  if (removed.length > 0) draft.links.push(unlink('item', item.id, removed));

  const cells = (one: ItemPart, its: readonly CategoryPart[], on: readonly GroupPart[]) =>
    itemCells(
      one,
      its.map((category) => draft.names.category(category)).toSorted(),
      on.map((group) => draft.names.group(group)),
      draft.decimals,
    );
  return reader.planned(wanted.name, cells(item, inNow, onNow), cells(wanted, inThen, onThen));
}

/** Without a category, a name that is in the file twice is ambiguous. */
function isVague({ times }: Lists, { cells }: FileRow): boolean {
  return !cells['id'] && readNames(cells['category']).length === 0 && (times.get(fold(cells['name'] ?? '')) ?? 0) > 1;
}

/** The categories of the row, or else the dish's current ones, each with the dish's name. */
function placesOf({ index }: Lists, { cells }: FileRow, item: ItemPart | undefined): string[] {
  const name = fold(cells['name'] || (item?.name ?? ''));
  const said = readNames(cells['category']);
  const categories = said.length > 0 ? said : (index.categoriesOfItem.get(item?.id ?? '') ?? []).map((one) => one.name);
  return [...new Set(categories.map((category) => `${fold(category)} ${name}`))];
}

function push<T>(lists: Map<string, T[]>, key: string, value: T): void {
  const list = lists.get(key);
  if (list) list.push(value);
  else lists.set(key, [value]);
}
