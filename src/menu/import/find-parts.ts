import { m } from '#messages';
import {
  type CategoryPart,
  type ChangedFields,
  makeCreateOperation,
  type GroupPart,
  type ItemPart,
  type MenuPart,
  newPartWithDefaults,
} from '#menu/operations/menu-operation.ts';
import { priceGroupLinksOf, findPriceGroupLinkProblem } from '#menu/price-group.ts';
import {
  preferExactAccents,
  fieldClearingText,
  foldName,
  readNamesCell,
  readQuotedCategoryPath,
  unquoteName,
} from '#menu/import/read-cell.ts';
import type { ImportDraft, RowReader } from '#menu/import/plan-draft.ts';
import { shorten } from '#platform/graphemes.ts';

/** Finds the group of this name; null if there is none, an error message if several match. */
export function findGroup(draft: ImportDraft, text: string): GroupPart | null | { error: string } {
  const known = draft.named.groups.get(foldName(text));
  if (known) return known;
  const name = unquoteName(text);
  const found = preferExactAccents(draft.groups.get(foldName(name)) ?? [], name);
  const [first] = found;
  if (first && found.length > 1) {
    return { error: m.menu_import_group_twice({ name, count: found.length, example: draft.names.group(first) }) };
  }
  return first ?? null;
}

export function createImportedGroup(draft: ImportDraft, name: string, rules: ChangedFields<'group'>): GroupPart {
  const fields = { id: draft.options.newId(), name, ...rules };
  draft.creations.push(makeCreateOperation('group', { ...fields, store_id: draft.parts.store_id }));
  const group = { ...newPartWithDefaults('group', fields), options: [] };
  draft.groups.set(foldName(name), [...(draft.groups.get(foldName(name)) ?? []), group]);
  return group;
}

/** The groups that the cell names; null if the cell is empty. */
export function readGroupsCell(draft: ImportDraft, reader: RowReader): GroupPart[] | null {
  const cell = reader.cell('groups');
  if (cell === undefined) return null;
  if (cell === fieldClearingText) return [];
  const found: GroupPart[] = [];
  for (const name of readNamesCell(cell)) {
    const group = findGroup(draft, name);
    if (group === null) reader.refuse('groups', m.menu_import_group_unknown({ name }));
    else if ('error' in group) reader.refuse('groups', group.error);
    else if (!found.includes(group)) found.push(group);
  }
  const links = found.map(({ id }) => ({ id, shown_when_option_id: null }));
  refuseSecondPriceGroup(draft, reader, 'groups', found, [
    { id: reader.cell('id') ?? '', name: reader.cell('name') ?? '', option_groups: links },
  ]);
  return found;
}

/** Refuses a row that would give a dish two groups that set its price, or put a condition on such a group. */
export function refuseSecondPriceGroup(
  draft: ImportDraft,
  reader: RowReader,
  key: string,
  groups: readonly GroupPart[],
  items: readonly Pick<ItemPart, 'id' | 'name' | 'option_groups'>[],
): void {
  const option_groups = groups.map((group) => ({ ...group, pricing: draft.pricing.get(group.id) ?? group.pricing }));
  const refused = findPriceGroupLinkProblem(priceGroupLinksOf({ items, option_groups }));
  if (refused) reader.refuse(key, refused);
}

/** The existing categories that a cell names, and the menu in which a missing category is created. */
interface CategoryPlace {
  found: readonly CategoryPart[];
  /** The menu's id; null if the import creates the first menu. */
  menuId: string | null;
  name: string;
}

/**
 * Finds the categories for `Category` or `Menu > Category`. A `>` without a menu's name before it belongs to the
 * category's name; double quotes mark where a name ends. Returns an error message for an unknown menu or unusable name.
 */
export function findCategories(draft: ImportDraft, text: string): CategoryPlace | { error: string } {
  const known = draft.named.categories.get(foldName(text));
  if (known) return { found: [known], menuId: known.menu_id, name: known.name };
  const place = splitMenu(draft, text);
  if ('error' in place) return place;
  const { menu, name } = place;
  if (name === '' || name.length > 80) return { error: m.menu_import_category_name({ name: shorten(text, 100) }) };
  const menuId = menu?.id ?? draft.mainMenu;
  const alike = draft.categories.get(foldName(name)) ?? [];
  const inMenu = preferExactAccents(
    alike.filter((category) => category.menu_id === menuId),
    name,
  );
  if (inMenu.length > 0 || menu) return { found: inMenu, menuId, name };
  const elsewhere = preferExactAccents(alike, name);
  return { found: elsewhere.length === 1 ? elsewhere : [], menuId, name };
}

function splitMenu(draft: ImportDraft, text: string): { menu: MenuPart | null; name: string } | { error: string } {
  const [first = text, second] = readQuotedCategoryPath(text) ?? [];
  if (second !== undefined) {
    const menu = findMenu(draft, first);
    return menu ? { menu, name: second } : { error: m.menu_import_menu_unknown({ name: shorten(first, 100) }) };
  }
  if (first !== text) return { menu: null, name: first };
  for (let at = text.indexOf('>'); at > 0; at = text.indexOf('>', at + 1)) {
    const menu = findMenu(draft, text.slice(0, at).trim());
    const name = text.slice(at + 1).trim();
    if (menu && name !== '') return { menu, name };
  }
  return { menu: null, name: text };
}

function findMenu(draft: ImportDraft, text: string): MenuPart | null {
  const { menus } = draft.parts;
  const known = menus.find((menu) => foldName(draft.names.menu(menu)) === foldName(text));
  const alike = menus.filter((menu) => foldName(menu.name) === foldName(text));
  return known ?? preferExactAccents(alike, text)[0] ?? null;
}

/**
 * Reads the categories of a dish's cell. `take` returns them and creates missing ones; it is called only if the whole
 * row is readable. Among categories with the same name, the dish's own is preferred.
 */
export function readCategoriesCell(
  draft: ImportDraft,
  reader: RowReader,
  inNow: readonly CategoryPart[],
): { take: () => CategoryPart[] } {
  const cell = reader.cell('category');
  const places = (cell === fieldClearingText ? [] : readNamesCell(cell)).flatMap((text) => {
    const place = findCategories(draft, text);
    if ('error' in place) {
      reader.refuse('category', place.error);
      return [];
    }
    const own = place.found.filter(({ id }) => inNow.some((category) => category.id === id));
    const found = own.length === 1 ? own : place.found;
    const [example] = found;
    if (example && found.length > 1) {
      const words = { name: place.name, count: found.length, example: draft.names.category(example) };
      reader.refuse('category', m.menu_import_category_twice(words));
      return [];
    }
    return { ...place, found };
  });
  return { take: () => [...new Set(places.map((place) => place.found[0] ?? createImportedCategory(draft, place)))] };
}

function createImportedCategory(draft: ImportDraft, { menuId, name }: CategoryPlace): CategoryPart {
  const alike = draft.categories.get(foldName(name)) ?? [];
  const [made] = preferExactAccents(
    alike.filter((category) => category.menu_id === (menuId ?? draft.mainMenu)),
    name,
  );
  // If a row names a new category twice, the first mention has already created it.
  if (made) return made;
  const fields = { id: draft.options.newId(), name, menu_id: menuId ?? mainMenu(draft) };
  draft.creations.push(makeCreateOperation('category', fields));
  const category = { ...newPartWithDefaults('category', fields), position: 0, item_ids: [] };
  draft.categories.set(foldName(name), [...alike, category]);
  return category;
}

function mainMenu(draft: ImportDraft): string {
  if (draft.mainMenu === null) {
    const id = draft.options.newId();
    draft.creations.push(
      makeCreateOperation('menu', { id, name: m.accounts_first_menu_name(), store_id: draft.parts.store_id }),
    );
    draft.mainMenu = id;
  }
  return draft.mainMenu;
}
