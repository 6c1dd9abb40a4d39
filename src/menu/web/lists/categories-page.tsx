import { m } from '#messages';
import type { Editing } from '#menu/web/editor/session/editing-context.ts';
import type { CategoryPart } from '#menu/operations/menu-operation.ts';
import {
  countColumn,
  type ListRules,
  nameColumn,
  PartListPage,
  shownColumn,
  shownFilter,
  textColumn,
} from '#menu/web/lists/part-list.tsx';
import type { Store } from '#store/contract.ts';

export function CategoriesPage({ store }: { store: Store }) {
  return <PartListPage store={store} kind="category" title={m.office_page_categories()} rulesOf={rulesOf} />;
}

function rulesOf({ index, parts }: Editing): ListRules<'category'> {
  const menuOf = (row: CategoryPart): string => index.menus.get(row.menu_id)?.name ?? '';
  return {
    columns: [
      nameColumn(),
      textColumn('menu', m.menu_list_menu(), menuOf),
      countColumn('items', m.office_page_items(), (row) => row.item_ids.length),
      shownColumn(),
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
