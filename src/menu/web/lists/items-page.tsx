import { m } from '#messages';
import { isSoldOut } from '#menu/sold-out.ts';
import type { Editing } from '#menu/web/editor/session/editing-context.ts';
import type { ItemPart } from '#menu/operations/menu-operation.ts';
import { listedPrice } from '#menu/web/editor/pricing-edit.tsx';
import {
  type ListRules,
  nameColumn,
  PartListPage,
  priceColumn,
  shownColumn,
  shownFilter,
  stockColumn,
  textColumn,
} from '#menu/web/lists/part-list.tsx';
import type { Store } from '#store/contract.ts';
import { shopNow } from '#platform/web/clock.ts';

export function ItemsPage({ store }: { store: Store }) {
  return <PartListPage store={store} kind="item" title={m.office_page_items()} rulesOf={rulesOf} />;
}

function rulesOf({ index, parts, store }: Editing): ListRules<'item'> {
  const now = new Date(shopNow());
  const categoriesOf = (row: ItemPart): string =>
    (index.categoriesOfItem.get(row.id) ?? []).map(({ name }) => name).join(', ');
  return {
    columns: [
      nameColumn(),
      priceColumn((row) => listedPrice(index, row, store.currency)),
      textColumn('categories', m.office_page_categories(), categoriesOf),
      stockColumn(now),
      shownColumn(),
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
