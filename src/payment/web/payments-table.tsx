import { m } from '#messages';
import { filterOf } from '#ui/list-view.ts';
import { DataList } from '#ui/web/office/data-list.tsx';
import { ChoiceFilter, choicesOf, DayFilters } from '#ui/web/office/list-filters.tsx';
import { Empty } from '#ui/web/office/states.tsx';
import { usePagedList } from '#ui/web/office/use-paged-list.ts';
import type { OrderPayment } from '#payment/contract.ts';
import { disputeStatusWords } from '#payment/dispute-words.ts';
import { untilSettled } from '#payment/web/order-money.ts';
import { methodWords, paymentStatusWords } from '#payment/web/payment-words.ts';
import type { TableProps } from '#payment/web/table-props.ts';
import { dateWords, timeWords } from '#platform/date-words.ts';
import { formatMoney } from '#platform/money.ts';
import { api } from '#platform/web/api.ts';

/** Orders by how they are paid. */
export function PaymentsTable({ store, view, onView, onOpen }: TableProps) {
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
        { key: 'method', label: m.payment_list_method(), cell: (row) => methodWords(row) },
        { key: 'status', label: m.payment_list_status(), cell: (row) => statusOf(row) },
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

/** A disputed payment says so beside how it was paid. */
function statusOf({ payment_status, dispute_status }: OrderPayment): string {
  const status = paymentStatusWords[payment_status]();
  if (dispute_status === null) return status;
  return m.payment_list_disputed({ status, dispute: disputeStatusWords[dispute_status]() });
}
