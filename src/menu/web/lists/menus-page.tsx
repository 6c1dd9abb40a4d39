import { m } from '#messages';
import type { Editing } from '#menu/web/editor/session/editing-context.ts';
import { fieldWords } from '#menu/web/editor/part-words.ts';
import {
  countColumn,
  type ListRules,
  nameColumn,
  PartListPage,
  shownColumn,
  shownFilter,
} from '#menu/web/lists/part-list.tsx';
import type { Store } from '#store/contract.ts';

export function MenusPage({ store }: { store: Store }) {
  return <PartListPage store={store} kind="menu" title={m.office_page_menus()} rulesOf={rulesOf} />;
}

function rulesOf({ index, store }: Editing): ListRules<'menu'> {
  const words = { currency: store.currency, index };
  return {
    columns: [
      nameColumn(),
      countColumn('categories', m.office_page_categories(), (row) => index.categoriesOfMenu.get(row.id)?.length ?? 0),
      {
        key: 'served',
        label: m.menu_edit_served(),
        cell: (row) =>
          row.availability ? fieldWords('availability', row.availability, words) : m.menu_edit_served_always(),
      },
      shownColumn(),
    ],
    filters: [shownFilter()],
  };
}
