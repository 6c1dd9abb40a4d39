import { Button } from '@mantine/core';
import { m } from '#messages';
import { filterOf } from '#ui/list-view.ts';
import { DataList } from '#ui/web/office/data-list.tsx';
import { ChoiceFilter, choicesOf } from '#ui/web/office/list-filters.tsx';
import { Empty } from '#ui/web/office/states.tsx';
import { usePagedList } from '#ui/web/office/use-paged-list.ts';
import type { Dispute } from '#payment/bank-contract.ts';
import { needsResponse } from '#payment/bank-rules.ts';
import { disputeReason, disputeStatusWords } from '#payment/dispute-words.ts';
import { Deadline } from '#payment/web/dispute-deadline.tsx';
import { type TableProps, TestMark } from '#payment/web/table-props.tsx';
import { dateWords } from '#platform/date-words.ts';
import { formatMoney } from '#platform/money.ts';
import { api } from '#platform/web/api.ts';
import { useNow } from '#platform/web/clock.ts';

const states = {
  unanswered: m.payment_dispute_state_unanswered,
  open: m.payment_dispute_state_open,
  closed: m.payment_dispute_state_closed,
};

/** Disputed payments: which to answer, by when and where, and the state of the others. */
export function DisputesTable({ store, view, onView, onOpen }: TableProps) {
  const state = filterOf(view, 'state', states);
  const { list } = usePagedList({
    key: ['disputes', store.id, view],
    load: (options) =>
      api('GET /v1/disputes', { store_id: store.id, page: view.page, per_page: 25, ...(state && { state }) }, options),
  });
  const now = useNow();
  return (
    <DataList<Dispute>
      label={m.payment_list_disputes()}
      hasSearch={false}
      columns={[
        {
          key: 'number',
          label: m.payment_list_order(),
          isWhole: true,
          cell: (row) => (
            <>
              {m.payment_list_number({ number: row.order_number })}
              <TestMark mode={row.mode} />
            </>
          ),
        },
        { key: 'name', label: m.payment_list_customer(), cell: (row) => row.customer_name || '–' },
        { key: 'at', label: m.payment_dispute_since(), cell: (row) => dateWords(row.created_at, store.timezone) },
        { key: 'reason', label: m.payment_refund_reason(), cell: (row) => disputeReason(row.reason) },
        { key: 'status', label: m.payment_list_status(), cell: (row) => disputeStatusWords[row.status]() },
        {
          key: 'answer',
          label: m.payment_dispute_answer(),
          cell: (row) => <Deadline dispute={row} now={now} timezone={store.timezone} />,
        },
        {
          key: 'amount',
          label: m.payment_refund_amount_label(),
          isNumeric: true,
          cell: (row) => formatMoney(row.amount, row.currency),
        },
      ]}
      {...list}
      rowId={(row) => row.id}
      rowName={(row) => m.payment_list_number({ number: row.order_number })}
      view={view}
      onView={onView}
      onOpen={(row) => onOpen(row.order_id)}
      hasWordyActions
      rowActions={(row) => <AtProvider dispute={row} />}
      filters={
        <ChoiceFilter
          name="state"
          label={m.payment_list_status()}
          choices={choicesOf(states)}
          view={view}
          onView={onView}
        />
      }
      empty={<Empty title={m.payment_dispute_none()}>{m.payment_dispute_none_hint()}</Empty>}
    />
  );
}

function AtProvider({ dispute: { link, status, order_number: number } }: { dispute: Dispute }) {
  const isWaiting = needsResponse(status);
  return (
    <Button
      component="a"
      href={link}
      target="_blank"
      rel="noreferrer"
      variant={isWaiting ? 'filled' : 'default'}
      aria-label={(isWaiting ? m.payment_dispute_answer_order : m.payment_dispute_see_order)({ number })}
    >
      {isWaiting ? m.payment_dispute_answer_now() : m.payment_at_provider()}
    </Button>
  );
}
