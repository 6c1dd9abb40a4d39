import type { MenuParts } from '#menu/menu-parts.ts';
import type { Pricing } from '#menu/menu-shapes.ts';
import { type ChangedFields, create, type MenuOperation } from '#menu/operations/menu-operation.ts';
import type { CategoryPart, GroupPart, ItemPart } from '#menu/operations/menu-part.ts';
import { startPart } from '#menu/operations/new-part.ts';
import { priceLinksOf, refusedPriceLink } from '#menu/price-group.ts';
import { m } from '#messages';
import { type Column, columnsOf, type RowKind, typeHeader } from '#menu/import/columns.ts';
import { type Cells, type FileNames, namesOf, shownCell, within } from '#menu/import/cells-of.ts';
import { emptySign, fold, type Read, readNames } from '#menu/import/read-cell.ts';
import type { Difference, PlannedRow, PlanOptions, Problem } from '#menu/import/planned-row.ts';
import type { FileRow } from '#menu/import/table.ts';
import { minorDigits } from '#platform/money.ts';

/** A plan that is being made. */
export interface Draft {
  parts: MenuParts;
  options: PlanOptions;
  names: FileNames;
  decimals: number;
  creations: MenuOperation[];
  changes: MenuOperation[];
  links: MenuOperation[];
  /** The groups by folded name, including those that this file creates. */
  groups: Map<string, GroupPart[]>;
  /** The categories by menu and folded name, including those that this file creates. */
  categories: Map<string, CategoryPart>;
  /** The groups whose choices are the price, or no longer, by this file. */
  pricing: Map<string, Pricing>;
  mainMenu: string | null;
  /** The existing dishes that the file has rows for. */
  namedItems: Set<string>;
}

export function startDraft(parts: MenuParts, options: PlanOptions): Draft {
  const draft: Draft = {
    parts,
    options,
    names: namesOf(parts),
    decimals: minorDigits(options.currency),
    creations: [],
    changes: [],
    links: [],
    groups: Map.groupBy(parts.option_groups, ({ name }) => fold(name)),
    categories: new Map(),
    pricing: new Map(),
    mainMenu: parts.menus[0]?.id ?? null,
    namedItems: new Set(),
  };
  for (const category of parts.categories) {
    const key = categoryKey(category.menu_id, category.name);
    if (!draft.categories.has(key)) draft.categories.set(key, category);
  }
  return draft;
}

/** Reads a row's cells one by one, and collects the errors in them. */
export class RowReader {
  readonly problems: Problem[] = [];
  readonly row: FileRow;

  constructor(row: FileRow) {
    this.row = row;
  }

  cell(key: string): string | undefined {
    return this.row.cells[key] || undefined;
  }

  take<T>(key: string, read: Read<T>): T | undefined {
    if ('error' in read) {
      this.refuse(key, read.error);
      return undefined;
    }
    return read.value;
  }

  refuse(key: string, words: string): void {
    const found = columnsOf(this.row.kind).find((one) => one.key === key)?.header;
    const column = found ?? (key === 'type' ? typeHeader : '');
    this.problems.push({ column, words });
  }

  planned(name: string, before: Cells | null, after: Cells): PlannedRow {
    const { kind, sheet, number } = this.row;
    const differences = before ? differencesOf(kind, before, after) : [];
    const outcome =
      this.problems.length > 0 ? 'refused' : before === null ? 'new' : differences.length > 0 ? 'changed' : 'same';
    return { kind, sheet, number, name, outcome, differences, problems: this.problems };
  }
}

function differencesOf(kind: RowKind, before: Cells, after: Cells): Difference[] {
  return columnsOf(kind).flatMap(({ key, header }: Column) =>
    (before[key] ?? '') === (after[key] ?? '')
      ? []
      : { column: header, before: shownCell(before[key] ?? ''), after: shownCell(after[key] ?? '') },
  );
}

/** The fields of `wanted` that differ; the order of allergens and diets does not count. Those about allergens go together. */
export function changedFields<T extends object>(seen: T, wanted: Partial<T>): Partial<T> {
  const differs = (key: string): boolean =>
    inOneOrder(wanted[key as keyof T]) !== inOneOrder(seen[key as keyof T]) && key in wanted;
  const isOfPair = (key: string): boolean => allergenKeys.includes(key) && allergenKeys.some(differs);
  return Object.fromEntries(Object.entries(wanted).filter(([key]) => differs(key) || isOfPair(key))) as Partial<T>;
}

const allergenKeys = ['allergens', 'allergen_answers'];

function inOneOrder(value: unknown): string {
  const sorted = (inner: unknown): unknown => {
    if (Array.isArray(inner)) return inner.toSorted();
    if (typeof inner !== 'object' || inner === null) return inner;
    return Object.fromEntries(Object.entries(inner).toSorted(([a], [b]) => a.localeCompare(b)));
  };
  return JSON.stringify(value, (_, inner: unknown) => sorted(inner)) ?? '';
}

/** The group with this name; null if there is none, an error message if there are several. */
export function findGroup(draft: Draft, name: string): GroupPart | null | { error: string } {
  const marked = /^(.+?) #([0-9a-f]{6})$/i.exec(name);
  if (marked) {
    const [, bare = '', ending = ''] = marked;
    const found = (draft.groups.get(fold(bare)) ?? []).find(({ id }) => id.endsWith(ending.toLowerCase()));
    if (found) return found;
  }
  const found = draft.groups.get(fold(name)) ?? [];
  if (found.length > 1) {
    const [first] = found;
    return {
      error: m.menu_import_group_twice({ name, count: found.length, example: first ? draft.names.group(first) : '' }),
    };
  }
  return found[0] ?? null;
}

export function makeGroup(draft: Draft, name: string, rules: ChangedFields<'group'>): GroupPart {
  const fields = { id: draft.options.newId(), name, ...rules };
  draft.creations.push(create('group', { ...fields, store_id: draft.parts.store_id }));
  const group = { ...startPart('group', fields), options: [] };
  draft.groups.set(fold(name), [...(draft.groups.get(fold(name)) ?? []), group]);
  return group;
}

/** The groups that the cell names; null if the cell is empty. */
export function readGroups(draft: Draft, reader: RowReader): GroupPart[] | null {
  const cell = reader.cell('groups');
  if (cell === undefined) return null;
  if (cell === emptySign) return [];
  const found: GroupPart[] = [];
  for (const name of readNames(cell)) {
    const group = findGroup(draft, name);
    if (group === null) reader.refuse('groups', m.menu_import_group_unknown({ name }));
    else if ('error' in group) reader.refuse('groups', group.error);
    else if (!found.includes(group)) found.push(group);
  }
  const links = found.map(({ id }) => ({ id, shown_when_option_id: null }));
  refuseSecondPrice(draft, reader, 'groups', found, [
    { id: reader.cell('id') ?? '', name: reader.cell('name') ?? '', option_groups: links },
  ]);
  return found;
}

/** Refuses the row if one of these dishes would have two groups whose choices are its price, or hide the only one. */
export function refuseSecondPrice(
  draft: Draft,
  reader: RowReader,
  key: string,
  groups: readonly GroupPart[],
  items: readonly Pick<ItemPart, 'id' | 'name' | 'option_groups'>[],
): void {
  const option_groups = groups.map((group) => ({ ...group, pricing: draft.pricing.get(group.id) ?? group.pricing }));
  const refused = refusedPriceLink(priceLinksOf({ items, option_groups }));
  if (refused) reader.refuse(key, refused);
}

/** The category for `Category` or `Menu > Category`, created if it is missing; an error message for an unknown menu. */
export function findOrMakeCategory(draft: Draft, text: string): CategoryPart | { error: string } {
  const at = text.indexOf(within.trim());
  const menuName = at > 0 ? text.slice(0, at).trim() : null;
  const name = at > 0 ? text.slice(at + 1).trim() : text;
  if (name === '' || name.length > 80) return { error: m.menu_import_category_name({ name: text }) };
  const menuId = menuName === null ? mainMenu(draft) : findMenu(draft, menuName);
  if (menuId === null) return { error: m.menu_import_menu_unknown({ name: menuName ?? '' }) };
  const known = draft.categories.get(categoryKey(menuId, name));
  if (known) return known;
  const elsewhere = [...draft.categories.values()].filter((category) => fold(category.name) === fold(name));
  const [only] = elsewhere;
  if (menuName === null && only && elsewhere.length === 1) return only;
  const fields = { id: draft.options.newId(), name, menu_id: menuId };
  draft.creations.push(create('category', fields));
  const category = { ...startPart('category', fields), position: 0, item_ids: [] };
  draft.categories.set(categoryKey(menuId, name), category);
  return category;
}

function mainMenu(draft: Draft): string {
  if (draft.mainMenu === null) {
    const id = draft.options.newId();
    draft.creations.push(create('menu', { id, name: m.accounts_first_menu_name(), store_id: draft.parts.store_id }));
    draft.mainMenu = id;
  }
  return draft.mainMenu;
}

function findMenu(draft: Draft, name: string): string | null {
  return draft.parts.menus.find((menu) => fold(menu.name) === fold(name))?.id ?? null;
}

function categoryKey(menuId: string, name: string): string {
  return `${menuId} ${fold(name)}`;
}
