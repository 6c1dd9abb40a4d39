import { useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { m } from '#messages';
import { type Column, DataList } from '#ui/web/office/data-list.tsx';
import { OfficePage } from '#ui/web/office/office-page.tsx';
import { Empty } from '#ui/web/office/states.tsx';
import { useListView, usePagedList } from '#ui/web/office/use-paged-list.ts';
import { CustomerDrawer } from '#people/web/customer-drawer.tsx';
import type { Customer } from '#people/contract.ts';
import { dateWords } from '#platform/date-words.ts';
import { formatMoney } from '#platform/money.ts';
import { api } from '#platform/web/api.ts';
import type { Store } from '#store/contract.ts';

const perPage = 50;
const sorts = (['name', 'created_at', 'orders', 'last_order_at'] as const).flatMap((key) => [key, `-${key}` as const]);

/** Everybody with an account, and their orders. */
export function CustomersPage({ store }: { store: Store }) {
  const { view, change } = useListView();
  const queries = useQueryClient();
  const [opened, setOpened] = useState<string | null>(null);
  const sort = sorts.find((known) => known === view.sort);
  const search = view.search || undefined;
  const { list } = usePagedList({
    key: ['customers', view],
    load: (options) => api('GET /v1/customers', { page: view.page, per_page: perPage, search, sort }, options),
  });
  const columns: Column<Customer>[] = [
    { key: 'name', label: m.people_name(), isSortable: true, cell: ({ name }) => name },
    { key: 'email', label: m.people_email(), cell: ({ email }) => email },
    { key: 'phone', label: m.people_phone(), cell: ({ phone }) => phone || '–' },
    { key: 'orders', label: m.people_orders(), isSortable: true, isNumeric: true, cell: ({ orders }) => orders },
    {
      key: 'spent',
      label: m.people_spent(),
      isNumeric: true,
      cell: ({ spent }) => formatMoney(spent, store.currency),
    },
    {
      key: 'last_order_at',
      label: m.people_last_order(),
      isSortable: true,
      cell: ({ last_order_at: at }) => (at ? dateWords(at, store.timezone) : '–'),
    },
    {
      key: 'created_at',
      label: m.people_since(),
      isSortable: true,
      cell: ({ created_at: at }) => dateWords(at, store.timezone),
    },
  ];
  return (
    <OfficePage title={m.office_page_customers()} hint={m.people_customers_hint()} isWide>
      <DataList
        label={m.office_page_customers()}
        columns={columns}
        {...list}
        rowId={({ id }) => id}
        rowName={({ name }) => name}
        view={view}
        onView={change}
        onOpen={({ id }) => setOpened(id)}
        empty={<Empty title={m.people_no_customers()}>{m.people_no_customers_hint()}</Empty>}
      />
      {opened && (
        <CustomerDrawer
          id={opened}
          store={store}
          onClose={() => setOpened(null)}
          onForgotten={() => {
            setOpened(null);
            void queries.invalidateQueries({ queryKey: ['customers'] });
          }}
        />
      )}
    </OfficePage>
  );
}
