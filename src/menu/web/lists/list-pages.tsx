import { m } from '#messages';
import type { MenuEditingState } from '#menu/web/editor/session/editing-context.ts';
import { fieldValueWords } from '#menu/web/editor/part-words.ts';
import {
  type PartListRules,
  PartListPage,
  countColumn,
  nameColumn,
  priceColumn,
  visibilityColumn,
  visibilityFilter,
  stockColumn,
  textColumn,
  usageFilter,
} from '#menu/web/lists/part-list.tsx';
import type { Store } from '#store/contract.ts';
import type { CategoryPart, GroupPart, ItemPart, OptionPart } from '#menu/operations/menu-operation.ts';
import { isSoldOut } from '#menu/sold-out.ts';
import { listedDishPrice } from '#menu/web/editor/pricing-edit.tsx';
import { shopNow } from '#platform/web/clock.ts';
import { groupRuleWords } from '#menu/web/menu-words.ts';
import { formatMoney } from '#platform/money.ts';

export function MenusPage({ store }: { store: Store }) {
  return <PartListPage store={store} kind="menu" title={m.office_page_menus()} rulesOf={rulesOfMenus} />;
}

function rulesOfMenus({ index, store }: MenuEditingState): PartListRules<'menu'> {
  const words = { currency: store.currency, index };
  return {
    columns: [
      nameColumn(),
      countColumn('categories', m.office_page_categories(), (row) => index.categoriesOfMenu.get(row.id)?.length ?? 0),
      {
        key: 'served',
        label: m.menu_edit_served(),
        cell: (row) =>
          row.availability ? fieldValueWords('availability', row.availability, words) : m.menu_edit_served_always(),
      },
      visibilityColumn(),
    ],
    filters: [visibilityFilter()],
  };
}

export function CategoriesPage({ store }: { store: Store }) {
  return <PartListPage store={store} kind="category" title={m.office_page_categories()} rulesOf={rulesOfCategories} />;
}

function rulesOfCategories({ index, parts }: MenuEditingState): PartListRules<'category'> {
  const menuOf = (row: CategoryPart): string => index.menus.get(row.menu_id)?.name ?? '';
  return {
    columns: [
      nameColumn(),
      textColumn('menu', m.menu_list_menu(), menuOf),
      countColumn('items', m.office_page_items(), (row) => row.item_ids.length),
      visibilityColumn(),
    ],
    filters: [
      visibilityFilter(),
      {
        name: 'menu',
        label: m.menu_list_menu(),
        choices: parts.menus.map(({ id, name }) => ({ value: id, label: name })),
        keeps: (row, value) => row.menu_id === value,
      },
    ],
  };
}

export function ItemsPage({ store }: { store: Store }) {
  return <PartListPage store={store} kind="item" title={m.office_page_items()} rulesOf={rulesOfItems} />;
}

function rulesOfItems({ index, parts, store }: MenuEditingState): PartListRules<'item'> {
  const now = new Date(shopNow());
  const categoriesOf = (row: ItemPart): string =>
    (index.categoriesOfItem.get(row.id) ?? []).map(({ name }) => name).join(', ');
  return {
    columns: [
      nameColumn(),
      priceColumn((row) => listedDishPrice(index, row, store.currency)),
      textColumn('categories', m.office_page_categories(), categoriesOf),
      stockColumn(now),
      visibilityColumn(),
    ],
    textOf: (row) => `${row.description} ${row.kitchen_name ?? ''} ${categoriesOf(row)}`,
    filters: [
      {
        name: 'category',
        label: m.menu_list_category(),
        choices: [
          ...parts.categories.map(({ id, name }) => ({ value: id, label: name })),
          { value: 'none', label: m.menu_list_used_no() },
        ],
        keeps: (row, value) => {
          const own = index.categoriesOfItem.get(row.id) ?? [];
          return value === 'none' ? own.length === 0 : own.some(({ id }) => id === value);
        },
      },
      visibilityFilter(),
      {
        name: 'stock',
        label: m.menu_edit_available(),
        choices: [
          { value: 'in', label: m.menu_edit_stock_in() },
          { value: 'out', label: m.menu_edit_sold_out() },
        ],
        keeps: (row, value) => isSoldOut(row, now) === (value === 'out'),
      },
    ],
  };
}

export function OptionGroupsPage({ store }: { store: Store }) {
  return <PartListPage store={store} kind="group" title={m.office_page_option_groups()} rulesOf={rulesOfGroups} />;
}

function rulesCell(row: GroupPart): string {
  return row.pricing === 'is_price' ? m.menu_list_is_price() : groupRuleWords(row);
}

function rulesOfGroups({ index }: MenuEditingState): PartListRules<'group'> {
  const uses = (id: string): number => index.itemsOfGroup.get(id)?.length ?? 0;
  return {
    columns: [
      nameColumn(),
      { key: 'rules', label: m.menu_list_rules(), cell: rulesCell },
      countColumn('options', m.office_page_options(), (row) => row.options.length),
      countColumn('uses', m.office_page_items(), (row) => uses(row.id)),
    ],
    textOf: (row) => row.options.map(({ id }) => index.options.get(id)?.name).join(' '),
    filters: [usageFilter(uses)],
    emptyHint: m.menu_list_empty_groups(),
  };
}

export function OptionsPage({ store }: { store: Store }) {
  return <PartListPage store={store} kind="option" title={m.office_page_options()} rulesOf={rulesOfOptions} />;
}

function rulesOfOptions({ index, store }: MenuEditingState): PartListRules<'option'> {
  const now = new Date(shopNow());
  const groupsOf = (row: OptionPart): string =>
    (index.groupsOfOption.get(row.id) ?? []).map(({ name }) => name).join(', ');
  return {
    columns: [
      nameColumn(),
      priceColumn(({ price }) => ({ price, words: formatMoney(price, store.currency) })),
      textColumn('groups', m.office_page_option_groups(), groupsOf),
      stockColumn(now),
    ],
    textOf: groupsOf,
    filters: [usageFilter((id) => index.groupsOfOption.get(id)?.length ?? 0)],
  };
}
