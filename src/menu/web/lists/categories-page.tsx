import { m } from '#messages';
import type { Editing } from '#menu/web/editor/editing-context.ts';
import { byName, shownFilter, shownWords } from '#menu/web/lists/list-columns.ts';
import { type ListRules, PartListPage } from '#menu/web/lists/part-list.tsx';
import type { Store } from '#store/contract.ts';

export function CategoriesPage({ store }: { store: Store }) {
  return <PartListPage store={store} kind="category" title={m.office_page_categories()} rulesOf={rulesOf} />;
}

function rulesOf({ index, parts }: Editing): ListRules<'category'> {
  const menuOf = (id: string): string => index.menus.get(id)?.name ?? '';
  return {
    columns: [
      { key: 'name', label: m.menu_edit_name(), cell: (row) => row.name, compare: byName },
      {
        key: 'menu',
        label: m.menu_list_menu(),
        cell: (row) => menuOf(row.menu_id),
        compare: (a, b) => menuOf(a.menu_id).localeCompare(menuOf(b.menu_id)),
      },
      {
        key: 'items',
        label: m.office_page_items(),
        isNumeric: true,
        cell: (row) => row.item_ids.length,
        compare: (a, b) => a.item_ids.length - b.item_ids.length,
      },
      { key: 'shown', label: m.menu_list_state(), cell: shownWords },
    ],
    filters: [
      shownFilter(),
      {
        name: 'menu',
        label: m.menu_list_menu(),
        choices: parts.menus.map(({ id, name }) => ({ value: id, label: name })),
        keeps: (row, value) => row.menu_id === value,
      },
    ],
  };
}
