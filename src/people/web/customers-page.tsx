import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { Link } from 'wouter';
import { m } from '#messages';
import { type ListColumn, DataList } from '#ui/web/office/data-list.tsx';
import { OfficePage } from '#ui/web/office/office-page.tsx';
import { EmptyState, OfficeLoadFailure, LoadingState } from '#ui/web/office/states.tsx';
import { useListView, usePagedList } from '#ui/web/office/use-paged-list.ts';
import type { Consent, Customer } from '#people/contract.ts';
import { dateWords } from '#platform/date-words.ts';
import { formatMoney } from '#platform/money.ts';
import { api } from '#platform/web/api.ts';
import type { Store } from '#store/contract.ts';
import { Button } from '@mantine/core';
import { boardStatusWords } from '#kitchen/web/board-words.ts';
import { pickByMailServer } from '#mail/web/pick-by-mail-server.ts';
import { confirm, SideSheet } from '#ui/web/office/dialogs.tsx';
import { notify } from '#ui/web/notify.ts';
import { ErasureWarning } from '#ui/web/office/erasure-warning.tsx';
import { refusalWords } from '#ui/web/office/refusal-words.ts';
import type { Order } from '#ordering/order.ts';
import classes from '#people/web/people.module.css';

const perPage = 50;
const sorts = (['name', 'created_at', 'orders', 'last_order_at'] as const).flatMap((key) => [key, `-${key}` as const]);

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
  const columns: ListColumn<Customer>[] = [
    { key: 'name', label: m.people_name(), isSortable: true, cell: ({ name }) => name },
    { key: 'email', label: m.people_email(), isForWide: true, cell: ({ email }) => email },
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
      isForWide: true,
      cell: ({ last_order_at: at }) => (at ? dateWords(at, store.timezone) : '–'),
    },
    {
      key: 'created_at',
      label: m.people_since(),
      isSortable: true,
      isForWide: true,
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
        empty={
          <EmptyState title={m.people_no_customers()}>
            <p>{m.people_no_customers_hint()}</p>
            <Button component={Link} href="/admin/paper" variant="default">
              {m.people_no_customers_paper()}
            </Button>
          </EmptyState>
        }
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

const shownOrders = 50;

interface Props {
  id: string;
  store: Store;
  onClose: () => void;
  onForgotten: () => void;
}

function CustomerDrawer({ id, store, onClose, onForgotten }: Props) {
  const query = useQuery({
    queryKey: ['customer', id],
    queryFn: async ({ signal }) => {
      const [customer, orders] = await Promise.all([
        api('GET /v1/customers/{id}', { id }, { signal }),
        api('GET /v1/orders', { customer_id: id, per_page: shownOrders }, { signal }),
      ]);
      return { customer: customer.data, orders: orders.data, total: orders.meta.total };
    },
  });
  return (
    <SideSheet
      opened
      onClose={onClose}
      position="right"
      size="lg"
      title={query.data?.customer.name ?? m.people_customer()}
    >
      {query.isPending ? (
        <LoadingState />
      ) : query.isError ? (
        <OfficeLoadFailure error={query.error} onRetry={() => void query.refetch()} />
      ) : (
        <div className={classes.facts}>
          <Facts {...query.data} store={store} />
          <h3>{m.people_consents()}</h3>
          <Consents consents={query.data.customer.consents} store={store} />
          <h3>{m.people_their_orders({ count: query.data.total })}</h3>
          <Orders orders={query.data.orders} store={store} />
          <div className={classes.buttons}>
            <Button variant="default" onClick={() => void signOut(query.data.customer)}>
              {m.people_sign_out()}
            </Button>
            <Button variant="outline" color="bad" onClick={() => void forget(query.data.customer, onForgotten)}>
              {m.people_forget()}
            </Button>
          </div>
        </div>
      )}
    </SideSheet>
  );
}

type Details = Awaited<ReturnType<typeof api<'GET /v1/customers/{id}'>>>['data'];

function Facts({ customer, store }: { customer: Details; store: Store }) {
  return (
    <dl>
      <dt>{m.people_email()}</dt>
      <dd>
        <a href={`mailto:${customer.email}`}>{customer.email}</a>
        {' · '}
        {customer.email_verified_at ? m.people_email_confirmed() : m.people_email_unconfirmed()}
      </dd>
      <dt>{m.people_phone()}</dt>
      <dd>{customer.phone ? <a href={`tel:${customer.phone}`}>{customer.phone}</a> : '–'}</dd>
      <dt>{m.people_since()}</dt>
      <dd>{dateWords(customer.created_at, store.timezone)}</dd>
      <dt>{m.people_spent()}</dt>
      <dd>{formatMoney(customer.spent, store.currency)}</dd>
      {customer.addresses.map((address) => (
        <Address key={JSON.stringify(address)} address={address} />
      ))}
    </dl>
  );
}

function Address({ address }: { address: Details['addresses'][number] }) {
  const { line1, line2, city, postcode } = address;
  return (
    <>
      <dt>{m.people_address()}</dt>
      <dd>{[line1, line2, city, postcode].filter(Boolean).join(', ')}</dd>
    </>
  );
}

function Consents({ consents, store }: { consents: readonly Consent[]; store: Store }) {
  if (consents.length === 0) return <p>{m.people_no_consents()}</p>;
  const date = (at: string) => dateWords(at, store.timezone);
  return (
    <ul className={classes.consents}>
      {consents.map(({ kind, page, words, device, given_at: given, withdrawn_at: withdrawn }) => (
        <li key={`${kind} ${given} ${device}`} data-ended={withdrawn !== null || undefined}>
          <strong>{consentWords[kind]()}</strong>
          <span>{timeOf(date(given), withdrawn && date(withdrawn))}</span>
          {page !== null && <span>{pageWords(page)}</span>}
          {words !== '' && <q>{words}</q>}
        </li>
      ))}
    </ul>
  );
}

function timeOf(date: string, end: string | null): string {
  if (end === null) return m.people_consent_given({ date });
  return date === end ? m.people_consent_one_day({ date }) : m.people_consent_withdrawn({ date, end });
}

/** The name of the page on which a consent was given; the path of a page whose name is not known. */
function pageWords(page: string): string {
  if (page === '/customer/profile') return m.people_consent_page({ page: `“${m.accounts_profile()}”` });
  return page.startsWith('/orders/') ? m.people_consent_order_page() : m.people_consent_page({ page });
}

const consentWords: Record<Consent['kind'], () => string> = {
  notifications: m.people_consent_notifications,
  allergies: m.people_consent_allergies,
};

function Orders({ orders, store }: { orders: readonly Order[]; store: Store }) {
  if (orders.length === 0) return <p>{m.people_no_orders()}</p>;
  return (
    <ul className={classes.orders}>
      {orders.map((order) => (
        <li key={order.id}>
          <a href={`/orders/${order.id}`} target="_blank" rel="noreferrer">
            <strong>#{order.number}</strong>
            <span>
              {dateWords(order.created_at, store.timezone)} · {boardStatusWords[order.status]()}
            </span>
            <span>{formatMoney(order.total, store.currency)}</span>
          </a>
        </li>
      ))}
    </ul>
  );
}

async function forget({ id, name }: Customer, onForgotten: () => void): Promise<void> {
  const isSure = await confirm({
    title: m.people_forget_title({ name }),
    body: (
      <>
        <ErasureWarning goes={m.people_forget_goes()} />
        <p>{pickByMailServer(m.people_told_by_mail, m.people_told_unsent)()}</p>
        <p>{m.people_forget_guests()}</p>
      </>
    ),
    action: m.people_forget(),
    isDangerous: true,
  });
  if (!isSure) return;
  try {
    await api('DELETE /v1/customers/{id}', { id });
    notify({ text: m.people_forgotten({ name }) });
    onForgotten();
  } catch (error) {
    notify({ text: refusalWords(error), tone: 'bad' });
  }
}

async function signOut({ id, name }: Customer): Promise<void> {
  const isSure = await confirm({
    title: m.people_sign_out_title({ name }),
    body: m.people_sign_out_body(),
    action: m.people_sign_out(),
  });
  if (!isSure) return;
  try {
    await api('POST /v1/customers/{id}/logout-everywhere', { id });
    notify({ text: m.people_signed_out({ name }) });
  } catch (error) {
    notify({ text: refusalWords(error), tone: 'bad' });
  }
}
