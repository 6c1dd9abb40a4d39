import { Alert, Button, Group, SegmentedControl } from '@mantine/core';
import { type ComponentType, useState } from 'react';
import { Link } from 'wouter';
import { m } from '#messages';
import { knownFilterValue, type ListView, filtersWith } from '#ui/list-view.ts';
import { OfficePage } from '#ui/web/office/office-page.tsx';
import { useListView, usePagedList } from '#ui/web/office/use-paged-list.ts';
import { CardPaymentsBand } from '#payment/web/card-payments-band.tsx';
import { PaymentChecksView } from '#payment/web/checks-list.tsx';
import {
  orderRowProps,
  DisputesTable,
  pageAndDayParameters,
  RefundsTable,
  StatusAndDayFilters,
  type PaymentTableProps,
} from '#payment/web/money-tables.tsx';
import classes from '#payment/web/payments-page.module.css';
import { PayoutsTable } from '#payment/web/payouts-table.tsx';
import { RefundDialog } from '#payment/web/refund-dialog.tsx';
import type { Store } from '#store/contract.ts';
import { useQuery } from '@tanstack/react-query';
import {
  disputeDeadlineWords,
  MarkPaidButtons,
  refetchOrderMoney,
  pollIntervalUntilSettled,
} from '#payment/web/order-money.tsx';
import { api } from '#platform/web/api.ts';
import { useNow } from '#platform/web/clock.ts';
import { isAccepted, isCalledOff } from '#ordering/order-status.ts';
import { formatMoney } from '#platform/money.ts';
import { DataList } from '#ui/web/office/data-list.tsx';
import { EmptyState } from '#ui/web/office/states.tsx';
import type { OrderPayment } from '#payment/contract.ts';
import { disputeStatusWords } from '#payment/dispute-words.ts';
import { paidMethodWords, paymentStatusWords } from '#payment/web/payment-words.ts';
import { shortInstantWords } from '#platform/date-words.ts';

const tables = {
  payments: { label: m.payment_list_payments, Table: PaymentsTable },
  refunds: { label: m.payment_list_refunds, Table: RefundsTable },
  payouts: { label: m.payment_list_payouts, Table: PayoutsTable },
  disputes: { label: m.payment_list_disputes, Table: DisputesTable },
  checks: { label: m.payment_checks, Table: PaymentChecksView },
} as const satisfies Record<string, { label: () => string; Table: ComponentType<PaymentTableProps> }>;

export function PaymentsPage({ store }: { store: Store }) {
  const { view, change } = useListView();
  const [refunding, setRefunding] = useState<string | null>(null);
  const shown = knownFilterValue(view, 'show', tables) ?? 'payments';
  const show = (name: string) => change({ search: '', filters: name === 'payments' ? {} : { show: name } });
  const { Table } = tables[shown];
  return (
    <OfficePage title={m.office_page_payments()} isWide>
      <CardPaymentsBand store={store} />
      <FailedPayments store={store} />
      <HandedOverUnpaid store={store} />
      {shown !== 'disputes' && <DisputeAlert store={store} onShow={() => show('disputes')} />}
      <div className={classes.tabs}>
        <SegmentedControl
          classNames={{ root: classes.switch ?? '' }}
          withItemsBorders={false}
          aria-label={m.payment_list_show()}
          value={shown}
          onChange={show}
          data={Object.entries(tables).map(([value, { label }]) => ({ value, label: label() }))}
        />
      </div>
      <Table key={shown} store={store} {...within(view, change)} onOpen={setRefunding} />
      {refunding && <RefundDialog orderId={refunding} store={store} onClose={() => setRefunding(null)} />}
    </OfficePage>
  );
}

/** The view of the chosen table, without `show`, the filter that chooses the table. */
function within(view: ListView, change: PaymentTableProps['onView']): Pick<PaymentTableProps, 'view' | 'onView'> {
  const show = view.filters['show'] ?? '';
  return {
    view: { ...view, filters: filtersWith(view, 'show', '') },
    onView: ({ filters, ...part }) =>
      change({ ...part, ...(filters && { filters: show === '' ? filters : { ...filters, show } }) }),
  };
}

function DisputeAlert({ store, onShow }: { store: Store; onShow: () => void }) {
  const now = useNow();
  const { data } = useQuery({
    queryKey: ['disputes', store.id, 'unanswered'],
    queryFn: ({ signal }) =>
      api('GET /v1/disputes', { store_id: store.id, state: 'unanswered', per_page: 1 }, { signal, timeout: 20_000 }),
  });
  const [first] = data?.data ?? [];
  if (!data || !first) return null;
  return (
    <Alert color="bad" mb="md" title={m.payment_dispute_alert({ count: data.meta.total })}>
      <p>{disputeDeadlineWords(first, now, store.timezone) ?? m.payment_dispute_alert_hint()}</p>
      <Button variant="default" mt="xs" onClick={onShow}>
        {m.payment_dispute_show()}
      </Button>
    </Alert>
  );
}

/** The timeout of a call, in milliseconds. */
const timeout = 20_000;

interface Owing {
  id: string;
  number: string;
  name: string;
  total: number;
}

/** Accepted orders whose card payment failed, so that staff must ask the customer for the money. */
function FailedPayments({ store }: { store: Store }) {
  const { data } = useQuery({
    queryKey: ['payments', store.id, 'failed'],
    queryFn: ({ signal }) =>
      api('GET /v1/payments', { store_id: store.id, payment_status: 'failed', per_page: 50 }, { signal, timeout }),
  });
  const failed = (data?.data ?? []).filter(({ status }) => isAccepted(status));
  return (
    <OwedMoney
      title={m.payment_failed_title({ count: failed.length })}
      hint={m.payment_failed_hint()}
      store={store}
      orders={failed.map(({ order_id: id, order_number: number, customer_name: name, total }) => ({
        id,
        number,
        name,
        total,
      }))}
    />
  );
}

function HandedOverUnpaid({ store }: { store: Store }) {
  const { data } = useQuery({
    queryKey: ['payments', store.id, 'not paid'],
    queryFn: ({ signal }) =>
      api('GET /v1/orders', { store_id: store.id, not_paid: '1', per_page: 50 }, { signal, timeout }),
  });
  const orders = data?.data ?? [];
  return (
    <OwedMoney
      title={m.payment_not_paid_title({ count: data?.meta.total ?? 0 })}
      hint={m.payment_not_paid_hint()}
      store={store}
      orders={orders.map(({ id, number, contact, total }) => ({ id, number, name: contact.name, total }))}
    />
  );
}

function OwedMoney({
  title,
  hint,
  orders,
  store,
}: {
  title: string;
  hint: string;
  orders: readonly Owing[];
  store: Store;
}) {
  if (orders.length === 0) return null;
  return (
    <Alert color="bad" mb="md" title={title}>
      <p>{hint}</p>
      {orders.map(({ id, number, name, total }) => {
        const amount = formatMoney(total, store.currency);
        return (
          <Group key={id} justify="space-between" mt="xs">
            <span>{m.payment_failed_row({ number, name, amount })}</span>
            <MarkPaidButtons orderId={id} number={number} amount={amount} onDone={refetchOrderMoney} />
          </Group>
        );
      })}
    </Alert>
  );
}

function PaymentsTable({ store, view, onView, onOpen }: PaymentTableProps) {
  const status = knownFilterValue(view, 'status', paymentStatusWords);
  const { list } = usePagedList({
    key: ['payments', store.id, view],
    load: (options) =>
      api(
        'GET /v1/payments',
        {
          store_id: store.id,
          ...pageAndDayParameters(view),
          ...(view.search && { search: view.search }),
          ...(status && { payment_status: status }),
        },
        options,
      ),
    askAgain: (answer) => pollIntervalUntilSettled(answer?.data.some(({ pending }) => pending > 0) ?? false),
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
          // The column shows when the order was placed, as the accountant's file does. If the order was never placed,
          // the column shows when it was created.
          cell: ({ placed_at, created_at }) => shortInstantWords(placed_at ?? created_at, store.timezone),
        },
        {
          key: 'name',
          label: m.payment_list_customer(),
          cell: (row) => row.customer_name || '–',
          isUsual: (row) => !row.customer_name,
        },
        { key: 'method', label: m.payment_list_method(), cell: (row) => paidMethodWords(row) },
        {
          key: 'status',
          label: m.payment_list_status(),
          cell: (row) => statusOf(row),
          isUsual: (row) => statusOf(row) === paymentStatusWords.paid(),
        },
        {
          key: 'total',
          label: m.payment_list_total(),
          isNumeric: true,
          isBesideTitle: true,
          cell: (row) => say(row.total),
        },
        {
          key: 'refunded',
          label: m.payment_list_refunded(),
          isNumeric: true,
          isUsual: ({ refunded, pending }) => refunded === 0 && pending === 0,
          cell: (row) => refundedWords(row, say),
        },
      ]}
      {...list}
      rowId={(row) => row.order_id}
      {...orderRowProps(onOpen)}
      view={view}
      onView={onView}
      filters={<StatusAndDayFilters words={paymentStatusWords} view={view} onView={onView} />}
      empty={
        <EmptyState title={m.payment_list_none()}>
          <Button component={Link} href="/admin/payments/setup">
            {m.office_page_payment_setup()}
          </Button>
        </EmptyState>
      }
    />
  );
}

function refundedWords({ refunded, pending }: OrderPayment, say: (amount: number) => string): string {
  const parts = [
    ...(refunded > 0 ? [say(refunded)] : []),
    ...(pending > 0 ? [m.payment_list_pending({ amount: say(pending) })] : []),
  ];
  return parts.join(', ') || '–';
}

function statusOf({ payment_status, dispute_status, is_test: isTest, status: order }: OrderPayment): string {
  if (isTest && isCalledOff(order) && dispute_status === null) return m.payment_list_test_removed();
  const known = paymentStatusWords[payment_status]();
  const status = isTest ? m.payment_list_test({ status: known }) : known;
  if (dispute_status === null) return status;
  return m.payment_list_disputed({ status, dispute: disputeStatusWords[dispute_status]() });
}
