import { Button, Group } from '@mantine/core';
import { m } from '#messages';
import { confirm } from '#ui/web/office/confirm.tsx';
import { filterOf } from '#ui/list-view.ts';
import { DataList } from '#ui/web/office/data-list.tsx';
import { ChoiceFilter, choicesOf, DayFilters } from '#ui/web/office/list-filters.tsx';
import { notify } from '#ui/web/notify.ts';
import { refusalWords } from '#ui/web/office/refusal-words.ts';
import { Empty } from '#ui/web/office/states.tsx';
import { usePagedList } from '#ui/web/office/use-paged-list.ts';
import type { Refund } from '#payment/refund.ts';
import { refundState, refundStatusWords } from '#payment/refund-status-words.ts';
import { isBeingMade, refetchMoney, untilSettled } from '#payment/web/order-money.tsx';
import type { TableProps } from '#payment/web/table-props.tsx';
import { dateWords } from '#platform/date-words.ts';
import { formatMoney } from '#platform/money.ts';
import { api } from '#platform/web/api.ts';

export function RefundsView({ store, view, onView, onOpen }: TableProps) {
  const { from, to } = view.filters;
  const status = filterOf(view, 'status', refundStatusWords);
  const { list } = usePagedList({
    key: ['refunds', store.id, view],
    load: (options) =>
      api(
        'GET /v1/refunds',
        {
          store_id: store.id,
          page: view.page,
          per_page: 25,
          ...(status && { status }),
          ...(from && { start_date: from }),
          ...(to && { end_date: to }),
        },
        options,
      ),
    askAgain: (answer) => untilSettled(answer?.data.some(isBeingMade) ?? false),
  });
  return (
    <DataList<Refund>
      label={m.payment_list_refunds()}
      hasSearch={false}
      columns={[
        {
          key: 'number',
          label: m.payment_list_order(),
          cell: (row) => m.payment_list_number({ number: row.order_number }),
        },
        { key: 'day', label: m.payment_list_when(), cell: (row) => dateWords(row.created_at, store.timezone) },
        { key: 'status', label: m.payment_list_status(), cell: (row) => refundState(row) },
        { key: 'reason', label: m.payment_refund_reason(), cell: (row) => row.reason },
        { key: 'actor', label: m.payment_list_actor(), cell: (row) => (row.actor === 'system' ? '–' : row.actor) },
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
      rowActions={(row) => row.due > 0 && <Retry refund={row} />}
      filters={
        <>
          <ChoiceFilter
            name="status"
            label={m.payment_list_status()}
            choices={choicesOf(refundStatusWords)}
            view={view}
            onView={onView}
          />
          <DayFilters view={view} onView={onView} />
        </>
      }
      empty={<Empty title={m.payment_refund_none()} />}
    />
  );
}

function Retry({ refund }: { refund: Refund }) {
  const amount = formatMoney(refund.due, refund.currency);
  const retry = async (by: 'provider' | 'hand'): Promise<void> => {
    if (by === 'hand') {
      const body = m.payment_refund_hand_body({ amount, number: refund.order_number });
      if (!(await confirm({ title: m.payment_refund_hand_title(), body, action: m.payment_refund_hand() }))) return;
    }
    await api('POST /v1/refunds/{id}/retry', { id: refund.id, by }, { timeout: 20_000 }).catch((error: unknown) =>
      notify({ text: refusalWords(error), tone: 'bad' }),
    );
    await refetchMoney();
  };
  return (
    <Group gap="xs" justify="flex-end">
      {refund.problem !== 'keys_ended' && (
        <Button variant="default" onClick={() => void retry('provider')}>
          {m.payment_refund_again()}
        </Button>
      )}
      <Button variant="default" onClick={() => void retry('hand')}>
        {m.payment_refund_hand()}
      </Button>
    </Group>
  );
}
