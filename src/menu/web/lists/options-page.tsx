import { m } from '#messages';
import type { Editing } from '#menu/web/editor/editing-context.ts';
import type { OptionPart } from '#menu/web/editor/menu-part.ts';
import { byName, byPrice, stockWords, usedFilter } from '#menu/web/lists/list-columns.ts';
import { type ListRules, PartListPage } from '#menu/web/lists/part-list.tsx';
import { formatMoney } from '#platform/money.ts';
import type { Store } from '#store/contract.ts';

export function OptionsPage({ store }: { store: Store }) {
  return <PartListPage store={store} kind="option" title={m.office_page_options()} rulesOf={rulesOf} />;
}

function rulesOf({ index, store }: Editing): ListRules<'option'> {
  const now = Date.now();
  const groupsOf = (row: OptionPart): string =>
    (index.groupsOfOption.get(row.id) ?? []).map(({ name }) => name).join(', ');
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
        key: 'groups',
        label: m.office_page_option_groups(),
        cell: (row) => groupsOf(row) || m.menu_edit_none(),
        compare: (a, b) => groupsOf(a).localeCompare(groupsOf(b)),
      },
      { key: 'stock', label: m.menu_edit_available(), cell: (row) => stockWords(row, now) },
    ],
    textOf: groupsOf,
    filters: [usedFilter((id) => index.groupsOfOption.get(id)?.length ?? 0)],
  };
}
