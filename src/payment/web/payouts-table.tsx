import { useState } from 'react';
import { m } from '#messages';
import { filterOf } from '#ui/list-view.ts';
import { type Column, DataList } from '#ui/web/office/data-list.tsx';
import { ChoiceFilter, choicesOf, DayFilters } from '#ui/web/office/list-filters.tsx';
import { Empty } from '#ui/web/office/states.tsx';
import { usePagedList } from '#ui/web/office/use-paged-list.ts';
import type { Payout, StatementSums } from '#payment/bank-contract.ts';
import { payoutStatusWords } from '#payment/web/bank-words.ts';
import { PayoutDialog } from '#payment/web/payout-dialog.tsx';
import { TestMark } from '#payment/web/test-mark.tsx';
import type { TableProps } from '#payment/web/table-props.ts';
import { dateWords } from '#platform/date-words.ts';
import { formatMoney } from '#platform/money.ts';
import { api } from '#platform/web/api.ts';

/** Payouts to the bank account. A day is a date without a time, so no time zone applies. */
export function PayoutsTable({ view, onView, onOpen }: TableProps) {
  const { from, to } = view.filters;
  const status = filterOf(view, 'status', payoutStatusWords);
  const [opened, setOpened] = useState<Payout | null>(null);
  const { list } = usePagedList({
    key: ['payouts', view],
    load: (options) =>
      api(
        'GET /v1/payouts',
        {
          page: view.page,
          per_page: 25,
          ...(status && { status }),
          ...(from && { start_date: from }),
          ...(to && { end_date: to }),
        },
        options,
      ),
  });
  return (
    <>
      <DataList<Payout>
        label={m.payment_list_payouts()}
        hasSearch={false}
        columns={columns()}
        {...list}
        rowId={(row) => row.id}
        rowName={(row) => m.payment_payout_name({ date: dateWords(row.arrives_on, 'UTC') })}
        view={view}
        onView={onView}
        onOpen={setOpened}
        filters={
          <>
            <ChoiceFilter
              name="status"
              label={m.payment_list_status()}
              choices={choicesOf(payoutStatusWords)}
              view={view}
              onView={onView}
            />
            <DayFilters view={view} onView={onView} />
          </>
        }
        empty={<Empty title={m.payment_payout_none()}>{m.payment_payout_none_hint()}</Empty>}
      />
      {opened && <PayoutDialog payout={opened} onClose={() => setOpened(null)} onOrder={onOpen} />}
    </>
  );
}

/** Made at each showing, in the reader's language. */
function columns(): Column<Payout>[] {
  // Taken from 0 and not negated: -0 would be written with its sign.
  const sum = ({ sums, currency }: Payout, key: keyof StatementSums, isOff = false) =>
    sums === null ? '–' : formatMoney(isOff ? 0 - sums[key] : sums[key], currency);
  return [
    {
      key: 'arrives',
      label: m.payment_payout_arrives(),
      isWhole: true,
      cell: (row) => (
        <>
          {dateWords(row.arrives_on, 'UTC')}
          <TestMark mode={row.mode} />
        </>
      ),
    },
    { key: 'status', label: m.payment_list_status(), cell: (row) => payoutStatusWords[row.status]() },
    {
      key: 'orders',
      label: m.payment_payout_orders(),
      isNumeric: true,
      cell: (row) => (row.orders === null ? '–' : String(row.orders)),
    },
    { key: 'charged', label: m.payment_payout_charged(), isNumeric: true, cell: (row) => sum(row, 'charged') },
    {
      key: 'refunded',
      label: m.payment_payout_refunded(),
      isNumeric: true,
      cell: (row) => sum(row, 'refunded', true),
    },
    {
      key: 'disputed',
      label: m.payment_payout_disputed(),
      isNumeric: true,
      cell: (row) => sum(row, 'disputed', true),
    },
    { key: 'fees', label: m.payment_payout_fees(), isNumeric: true, cell: (row) => sum(row, 'fees', true) },
    { key: 'other', label: m.payment_payout_other(), isNumeric: true, cell: (row) => sum(row, 'other') },
    {
      key: 'amount',
      label: m.payment_payout_amount(),
      isNumeric: true,
      cell: (row) => formatMoney(row.amount, row.currency),
    },
  ];
}
