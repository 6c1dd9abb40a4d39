import { SegmentedControl } from '@mantine/core';
import { type ReactNode, useState } from 'react';
import { m } from '#messages';
import { filterOf } from '#ui/list-view.ts';
import { DataList } from '#ui/web/office/data-list.tsx';
import { ChoiceFilter, choicesOf, DayFilters } from '#ui/web/office/list-filters.tsx';
import { OfficePage } from '#ui/web/office/office-page.tsx';
import { Empty } from '#ui/web/office/states.tsx';
import { useListView } from '#ui/web/office/use-list-view.ts';
import { usePagedList } from '#ui/web/office/use-paged-list.ts';
import type { OrderPayment } from '#payment/contract.ts';
import { PaymentChecksList } from '#payment/web/checks-list.tsx';
import { CardPaymentsBand } from '#payment/web/card-payments-band.tsx';
import { FailedPayments } from '#payment/web/failed-payments.tsx';
import type { TableProps } from '#payment/web/table-props.ts';
import { untilSettled } from '#payment/web/order-money.ts';
import { paymentMethodWords, paymentStatusWords } from '#payment/web/payment-words.ts';
import { RefundDialog } from '#payment/web/refund-dialog.tsx';
import { RefundsTable } from '#payment/web/refunds-table.tsx';
import { dateWords, timeWords } from '#platform/date-words.ts';
import { keysOf } from '#platform/keys-of.ts';
import { formatMoney } from '#platform/money.ts';
import { api } from '#platform/web/api.ts';
import type { Store } from '#store/contract.ts';

/** Payments, failures and refunds, for the owner. */
export function PaymentsPage({ store }: { store: Store }) {
  const { view, change } = useListView();
  const [refunding, setRefunding] = useState<string | null>(null);
  const show = filterOf(view, 'show', tables) ?? 'payments';
  const { Table } = tables[show];
  return (
    <OfficePage title={m.office_page_payments()} isWide>
      <CardPaymentsBand store={store} />
      <FailedPayments store={store} />
      <SegmentedControl
        aria-label={m.payment_list_show()}
        mb="md"
        value={show}
        onChange={(next) => change({ search: '', filters: next === 'payments' ? {} : { show: next } })}
        data={keysOf(tables).map((value) => ({ value, label: tables[value].label() }))}
      />
      <Table store={store} view={view} onView={change} onOpen={setRefunding} />
      {refunding && <RefundDialog orderId={refunding} currency={store.currency} onClose={() => setRefunding(null)} />}
    </OfficePage>
  );
}

function PaymentsTable({ store, view, onView, onOpen }: TableProps) {
  const { from, to } = view.filters;
  const status = filterOf(view, 'status', paymentStatusWords);
  const { list } = usePagedList({
    key: ['payments', store.id, view],
    load: (options) =>
      api(
        'GET /v1/payments',
        {
          store_id: store.id,
          page: view.page,
          per_page: 25,
          ...(view.search && { search: view.search }),
          ...(status && { payment_status: status }),
          ...(from && { start_date: from }),
          ...(to && { end_date: to }),
        },
        options,
      ),
    askAgain: (answer) => untilSettled(answer?.data.some(({ pending }) => pending > 0) ?? false),
  });
  const say = (amount: number) => formatMoney(amount, store.currency);
  return (
    <DataList<OrderPayment>
      label={m.payment_list_payments()}
      columns={[
        {
          key: 'number',
          label: m.payment_list_order(),
          cell: (row) => m.payment_list_number({ number: row.order_number }),
        },
        {
          key: 'at',
          label: m.payment_list_when(),
          isWhole: true,
          // As in the accountant's file; an order that was never placed shows the time it was created.
          cell: ({ placed_at, created_at }) => {
            const at = placed_at ?? created_at;
            return `${dateWords(at, store.timezone)}, ${timeWords(at, store.timezone)}`;
          },
        },
        { key: 'name', label: m.payment_list_customer(), cell: (row) => row.customer_name || '–' },
        { key: 'method', label: m.payment_list_method(), cell: (row) => paymentMethodWords[row.payment_method]() },
        { key: 'status', label: m.payment_list_status(), cell: (row) => paymentStatusWords[row.payment_status]() },
        { key: 'total', label: m.payment_list_total(), isNumeric: true, cell: (row) => say(row.total) },
        {
          key: 'refunded',
          label: m.payment_list_refunded(),
          isNumeric: true,
          cell: (row) =>
            [
              ...(row.refunded > 0 ? [say(row.refunded)] : []),
              ...(row.pending > 0 ? [m.payment_list_pending({ amount: say(row.pending) })] : []),
            ].join(', ') || '–',
        },
      ]}
      {...list}
      rowId={(row) => row.order_id}
      rowName={(row) => m.payment_list_number({ number: row.order_number })}
      view={view}
      onView={onView}
      onOpen={(row) => onOpen(row.order_id)}
      filters={
        <>
          <ChoiceFilter
            name="status"
            label={m.payment_list_status()}
            choices={choicesOf(paymentStatusWords)}
            view={view}
            onView={onView}
          />
          <DayFilters view={view} onView={onView} />
        </>
      }
      empty={<Empty title={m.payment_list_none()} />}
    />
  );
}

/** What the page can show, by the name in its address. */
const tables = {
  payments: { label: m.payment_list_payments, Table: PaymentsTable },
  refunds: { label: m.payment_list_refunds, Table: RefundsTable },
  checks: { label: m.payment_checks, Table: PaymentChecksList },
} satisfies Record<string, { label: () => string; Table: (props: TableProps) => ReactNode }>;
