import { TextInput } from '@mantine/core';
import { m } from '#messages';
import type { ListView } from '#office/list-view.ts';
import type { Store } from '#store/contract.ts';

export interface TableProps {
  store: Store;
  view: ListView;
  onView: (part: Partial<ListView>) => void;
  onOpen: (orderId: string) => void;
}

type FilterProps = Pick<TableProps, 'view' | 'onView'>;

/** From and to, as trading days. */
export function DayFilters({ view, onView }: FilterProps) {
  return (
    <>
      {(['from', 'to'] as const).map((name) => (
        <TextInput
          key={name}
          type="date"
          label={name === 'from' ? m.payment_list_from() : m.payment_list_to()}
          value={view.filters[name] ?? ''}
          onChange={(event) => onView({ filters: withFilter(view, name, event.currentTarget.value) })}
        />
      ))}
    </>
  );
}

export function withFilter(view: ListView, name: string, value: string): Record<string, string> {
  const { [name]: _was, ...rest } = view.filters;
  return value === '' ? rest : { ...rest, [name]: value };
}
