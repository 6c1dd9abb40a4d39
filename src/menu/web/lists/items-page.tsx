import { m } from '#messages';
import type { Editing } from '#menu/web/editor/editing-context.ts';
import type { ItemPart } from '#menu/web/editor/menu-part.ts';
import { byName, byPrice, isSoldOut, shownFilter, shownWords, stockWords } from '#menu/web/lists/list-columns.ts';
import { type ListRules, PartListPage } from '#menu/web/lists/part-list.tsx';
import { formatMoney } from '#platform/money.ts';
import type { Store } from '#store/contract.ts';

export function ItemsPage({ store }: { store: Store }) {
  return <PartListPage store={store} kind="item" title={m.office_page_items()} rulesOf={rulesOf} />;
}

function rulesOf({ index, parts, store }: Editing): ListRules<'item'> {
  const now = Date.now();
  const categoriesOf = (row: ItemPart): string =>
    (index.categoriesOfItem.get(row.id) ?? []).map(({ name }) => name).join(', ');
  return {
    columns: [
      { key: 'name', label: m.menu_edit_name(), cell: (row) => row.name, compare: byName },
      {
        key: 'price',
        label: m.menu_edit_price(),
        isNumeric: true,
        cell: (row) => formatMoney(row.price, store.currency),
        compare: byPrice,
      },
      {
        key: 'categories',
        label: m.office_page_categories(),
        cell: (row) => categoriesOf(row) || m.menu_edit_none(),
        compare: (a, b) => categoriesOf(a).localeCompare(categoriesOf(b)),
      },
      { key: 'stock', label: m.menu_edit_available(), cell: (row) => stockWords(row, now) },
      { key: 'shown', label: m.menu_list_state(), cell: shownWords },
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
      shownFilter(),
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
