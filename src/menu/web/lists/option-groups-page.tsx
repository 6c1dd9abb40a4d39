import { m } from '#messages';
import type { Editing } from '#menu/web/editor/editing-context.ts';
import { byName, usedFilter } from '#menu/web/lists/list-columns.ts';
import { type ListRules, PartListPage } from '#menu/web/lists/part-list.tsx';
import { groupRuleWords } from '#menu/web/group-rule-words.ts';
import type { Store } from '#store/contract.ts';

export function OptionGroupsPage({ store }: { store: Store }) {
  return <PartListPage store={store} kind="group" title={m.office_page_option_groups()} rulesOf={rulesOf} />;
}

function rulesOf({ index }: Editing): ListRules<'group'> {
  const uses = (id: string): number => index.itemsOfGroup.get(id)?.length ?? 0;
  return {
    columns: [
      { key: 'name', label: m.menu_edit_name(), cell: (row) => row.name, compare: byName },
      { key: 'rules', label: m.menu_list_rules(), cell: groupRuleWords },
      {
        key: 'options',
        label: m.office_page_options(),
        isNumeric: true,
        cell: (row) => row.options.length,
        compare: (a, b) => a.options.length - b.options.length,
      },
      {
        key: 'uses',
        label: m.office_page_items(),
        isNumeric: true,
        cell: (row) => uses(row.id),
        compare: (a, b) => uses(a.id) - uses(b.id),
      },
    ],
    textOf: (row) => row.options.map(({ id }) => index.options.get(id)?.name).join(' '),
    filters: [usedFilter(uses)],
  };
}
