import { m } from '#messages';
import type { GroupPart } from '#menu/operations/menu-operation.ts';
import type { Editing } from '#menu/web/editor/session/editing-context.ts';
import { countColumn, type ListRules, nameColumn, PartListPage, usedFilter } from '#menu/web/lists/part-list.tsx';
import { groupRuleWords } from '#menu/web/menu-words.ts';
import type { Store } from '#store/contract.ts';

export function OptionGroupsPage({ store }: { store: Store }) {
  return <PartListPage store={store} kind="group" title={m.office_page_option_groups()} rulesOf={rulesOf} />;
}

function rulesCell(row: GroupPart): string {
  return row.pricing === 'is_price' ? m.menu_list_is_price() : groupRuleWords(row);
}

function rulesOf({ index }: Editing): ListRules<'group'> {
  const uses = (id: string): number => index.itemsOfGroup.get(id)?.length ?? 0;
  return {
    columns: [
      nameColumn(),
      { key: 'rules', label: m.menu_list_rules(), cell: rulesCell },
      countColumn('options', m.office_page_options(), (row) => row.options.length),
      countColumn('uses', m.office_page_items(), (row) => uses(row.id)),
    ],
    textOf: (row) => row.options.map(({ id }) => index.options.get(id)?.name).join(' '),
    filters: [usedFilter(uses)],
  };
}
