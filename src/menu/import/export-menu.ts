import type { MenuParts } from '#menu/fields.ts';
import {
  type CategoryPart,
  type GroupPart,
  indexParts,
  type ItemPart,
  type MenuPart,
  type OptionPart,
} from '#menu/operations/menu-operation.ts';
import { columnsOfRowKind, type RowKind } from '#menu/import/table.ts';
import { minorDigits } from '#platform/money.ts';
import { allergenAnswersOf, awaitsAllergenConfirmation, type AllergenAnswerFields } from '#menu/allergen-answers.ts';
import type { Pricing } from '#menu/menu-shapes.ts';
import { fieldClearingText, foldName, quoteName, textToCell, namePathSeparator } from '#menu/import/read-cell.ts';

export interface ExportSheet {
  kind: RowKind;
  heads: string[];
  lines: string[][];
}

export function exportMenu(parts: MenuParts, currency: string): ExportSheet[] {
  const decimals = minorDigits(currency);
  const index = indexParts(parts);
  const names = createUniqueNamesInFile(parts);
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
      return option ? [optionCells(option, group, names, decimals)] : [];
    }),
  );
  return [toSheet('item', items), toSheet('option', options)];
}

export function exampleMenuSheets(): ExportSheet[] {
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

function toSheet(kind: RowKind, rows: readonly ExportCells[]): ExportSheet {
  const own = columnsOfRowKind(kind);
  return {
    kind,
    heads: own.map(({ header }) => header),
    lines: rows.map((row) => own.map(({ key }) => row[key] ?? '')),
  };
}

export type ExportCells = Record<string, string>;

/**
 * The file's words for `pricing`: whether an option's price is added to the dish's price or replaces the dish's price.
 */
const pricingCells: Record<Pricing, string> = { adds: 'added', is_price: 'whole price' };

/** Names that are unique in the file, so that an import finds the named parts. */
export interface UniqueNamesInFile {
  menu(menu: MenuPart): string;
  category(category: CategoryPart): string;
  group(group: GroupPart): string;
  /** Returns the name of the dish with this id; undefined if the dish was deleted. */
  dish(itemId: string): string | undefined;
  answer(group: GroupPart, option: OptionPart): string;
  /** Returns a deal choice's answers as one cell, without answers that its dish no longer offers. */
  answers(option: Pick<OptionPart, 'item_id' | 'item_options'>): string;
}

export function createUniqueNamesInFile(parts: MenuParts): UniqueNamesInFile {
  const menus = new Map<string, MenuPart>(parts.menus.map((menu) => [menu.id, menu]));
  const [firstMenu] = parts.menus;
  const menuOf = ({ menu_id: id }: CategoryPart) => (id === firstMenu?.id ? undefined : menus.get(id));
  const dishName = createUniqueNames(parts.items, () => '');
  const dishes = new Map(parts.items.map((item) => [item.id, dishName(item)]));
  const menuName = createUniqueNames(parts.menus, () => '');
  const categoryName = createUniqueNames(parts.categories, (category) => menuOf(category)?.id ?? '');
  const groupName = createUniqueNames(parts.option_groups, () => '');
  const { items, groups, options } = indexParts(parts);
  const answer = (group: GroupPart, option: OptionPart): string => {
    const inGroup = group.options.flatMap(({ id }) => options.get(id) ?? []);
    const optionName = createUniqueNames(inGroup, () => '');
    return `${quoteName(groupName(group))}${namePathSeparator}${quoteName(optionName(option))}`;
  };
  return {
    menu: menuName,
    category: (category) => {
      const menu = menuOf(category);
      return `${menu ? quoteName(menuName(menu)) + namePathSeparator : ''}${quoteName(categoryName(category))}`;
    },
    group: groupName,
    dish: (itemId) => dishes.get(itemId),
    answer,
    answers({ item_id: dishId, item_options: answers }) {
      const onDish = items.get(dishId ?? '')?.option_groups ?? [];
      const offered = answers.flatMap(({ option_group_id: groupId, option_id: optionId }) => {
        const group = onDish.some(({ id }) => id === groupId) ? groups.get(groupId) : undefined;
        const option = group?.options.some(({ id }) => id === optionId) ? options.get(optionId) : undefined;
        return group && option ? [answer(group, option)] : [];
      });
      return offered.join('; ');
    },
  };
}

/**
 * Returns the function that makes names unique: it appends the end of the id to equal names, such as the groups "Size"
 * of several dishes.
 */
function createUniqueNames<T extends { id: string; name: string }>(all: readonly T[], placeOf: (one: T) => string) {
  const keyOf = (one: T) => `${placeOf(one)}\n${foldName(one.name)}`;
  const times = countBy(all.map(keyOf));
  return (one: T): string =>
    (times.get(keyOf(one)) ?? 0) > 1 || /\s#[\da-f]{6}$/i.test(one.name)
      ? `${one.name} #${one.id.slice(-6)}`
      : one.name;
}

export function itemCells(
  item: ItemPart,
  categories: readonly string[],
  groups: readonly string[],
  decimals: number,
): ExportCells {
  return {
    id: item.id,
    category: categories.join('; '),
    name: textToCell(item.name),
    price: amountCell(item.price, decimals),
    description: textToCell(item.description),
    kitchenName: textToCell(item.kitchen_name ?? ''),
    groups: groups.map(quoteName).join('; '),
    vatRate: vatCell(item.vat_rate),
    ...allergenCells(item),
    dietary: item.dietary.toSorted().join('; '),
    spiceLevel: String(item.spice_level),
    minAge: numberCell(item.min_age),
    prepMinutes: numberCell(item.prep_minutes),
    maxPerOrder: numberCell(item.max_per_order),
    station: textToCell(item.station ?? ''),
    visible: yesNo(item.is_active),
    soldOut: yesNo(!item.is_available),
  };
}

export function optionCells(
  option: OptionPart,
  group: GroupPart,
  names: UniqueNamesInFile,
  decimals: number,
): ExportCells {
  const override = group.options.find(({ id }) => id === option.id)?.price_override;
  return {
    id: option.id,
    group: names.group(group),
    name: textToCell(option.name),
    price: amountCell(override ?? option.price, decimals),
    pricing: pricingCells[group.pricing],
    minSelect: String(group.min_select),
    maxSelect: String(group.max_select),
    freeSelect: String(group.free_select),
    maxPerOption: String(group.max_per_option),
    isDefault: yesNo(option.is_default),
    dealDish: textToCell(names.dish(option.item_id ?? '') ?? ''),
    dealAnswers: names.answers(option),
    vatRate: option.vat_rate === null ? '' : vatCell(option.vat_rate),
    ...allergenCells(option),
    soldOut: yesNo(!option.is_available),
  };
}

/**
 * The cell `All 14 stated` is `yes` only if the answers about all fourteen allergens are confirmed; empty without
 * answers.
 */
function allergenCells(part: AllergenAnswerFields): ExportCells {
  const { contains, may_contain: may, not_in: not } = allergenAnswersOf(part);
  if (contains.length + may.length + not.length === 0) return { contains: '', mayContain: '', allergensStated: '' };
  const isAnswered = part.allergens !== null || awaitsAllergenConfirmation(part);
  return {
    contains: contains.join('; ') || (isAnswered ? 'none' : ''),
    mayContain: may.join('; '),
    allergensStated: yesNo(part.allergens !== null),
  };
}

function amountCell(amount: number, decimals: number): string {
  return (amount / 10 ** decimals).toFixed(decimals);
}

function vatCell(points: number): string {
  return `${points / 100}%`;
}

function numberCell(value: number | null): string {
  return value === null ? '' : String(value);
}

function yesNo(value: boolean): string {
  return value ? 'yes' : 'no';
}

/** Returns the cell, or `-` for an empty one, because an import ignores empty cells. */
export function cellOrClearingText(cell: string): string {
  return cell === '' ? fieldClearingText : cell;
}

function countBy(names: readonly string[]): Map<string, number> {
  const counts = new Map<string, number>();
  for (const name of names) counts.set(name, (counts.get(name) ?? 0) + 1);
  return counts;
}
