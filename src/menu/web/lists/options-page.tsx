import { m } from '#messages';
import type { Editing } from '#menu/web/editor/session/editing-context.ts';
import type { OptionPart } from '#menu/operations/menu-operation.ts';
import {
  type ListRules,
  nameColumn,
  PartListPage,
  priceColumn,
  stockColumn,
  textColumn,
  usedFilter,
} from '#menu/web/lists/part-list.tsx';
import { formatMoney } from '#platform/money.ts';
import type { Store } from '#store/contract.ts';
import { shopNow } from '#platform/web/clock.ts';

export function OptionsPage({ store }: { store: Store }) {
  return <PartListPage store={store} kind="option" title={m.office_page_options()} rulesOf={rulesOf} />;
}

function rulesOf({ index, store }: Editing): ListRules<'option'> {
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
    filters: [usedFilter((id) => index.groupsOfOption.get(id)?.length ?? 0)],
  };
}
