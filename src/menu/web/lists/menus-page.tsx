import { m } from '#messages';
import type { Editing } from '#menu/web/editor/editing-context.ts';
import { fieldWords } from '#menu/web/editor/field-words.ts';
import { byName, shownFilter, shownWords } from '#menu/web/lists/list-columns.ts';
import { type ListRules, PartListPage } from '#menu/web/lists/part-list.tsx';
import type { Store } from '#store/contract.ts';

export function MenusPage({ store }: { store: Store }) {
  return <PartListPage store={store} kind="menu" title={m.office_page_menus()} rulesOf={rulesOf} />;
}

function rulesOf({ index, store }: Editing): ListRules<'menu'> {
  const count = (id: string): number => index.categoriesOfMenu.get(id)?.length ?? 0;
  const words = { currency: store.currency, index };
  return {
    columns: [
      { key: 'name', label: m.menu_edit_name(), cell: (row) => row.name, compare: byName },
      {
        key: 'categories',
        label: m.office_page_categories(),
        isNumeric: true,
        cell: (row) => count(row.id),
        compare: (a, b) => count(a.id) - count(b.id),
      },
      {
        key: 'served',
        label: m.menu_edit_served(),
        cell: (row) =>
          row.availability ? fieldWords('availability', row.availability, words) : m.menu_edit_served_always(),
      },
      { key: 'shown', label: m.menu_list_state(), cell: shownWords },
    ],
    filters: [shownFilter()],
  };
}
