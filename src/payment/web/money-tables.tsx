import { Badge, Button, Group } from '@mantine/core';
import { m } from '#messages';
import { knownFilterValue, type ListView } from '#ui/list-view.ts';
import { type ListColumn, DataList } from '#ui/web/office/data-list.tsx';
import { ChoiceFilter, choicesFromWords, DayFilters } from '#ui/web/office/list-filters.tsx';
import { EmptyState } from '#ui/web/office/states.tsx';
import { usePagedList } from '#ui/web/office/use-paged-list.ts';
import type { Dispute } from '#payment/bank-contract.ts';
import { disputeNeedsResponse } from '#payment/bank-rules.ts';
import { disputeReasonWords, disputeStatusWords } from '#payment/dispute-words.ts';
import {
  disputeDeadlineWords,
  DisputeDeadline,
  isSettlingSoon,
  refetchOrderMoney,
  pollIntervalUntilSettled,
} from '#payment/web/order-money.tsx';
import { dateWords } from '#platform/date-words.ts';
import { formatMoney } from '#platform/money.ts';
import { api } from '#platform/web/api.ts';
import { useNow } from '#platform/web/clock.ts';
import { confirm } from '#ui/web/office/dialogs.tsx';
import { notify } from '#ui/web/notify.ts';
import { refusalWords } from '#ui/web/office/refusal-words.ts';
import type { Refund } from '#payment/refund.ts';
import { refundStateWords, refundStatusWords } from '#payment/refund-status-words.ts';
import type { Store } from '#store/contract.ts';
import type { PaymentMode } from '#database/column-values.ts';
import classes from '#payment/web/bank.module.css';

const states = {
  unanswered: m.payment_dispute_state_unanswered,
  open: m.payment_dispute_state_open,
  closed: m.payment_dispute_state_closed,
};

/** The list of disputes, each with a link to the provider's page and, if the shop has to answer, the deadline. */
export function DisputesTable({ store, view, onView, onOpen }: PaymentTableProps) {
  const state = knownFilterValue(view, 'state', states);
  const { list } = usePagedList({
    key: ['disputes', store.id, view],
    load: (options) =>
      api('GET /v1/disputes', { store_id: store.id, ...pageAndDayParameters(view), ...(state && { state }) }, options),
  });
  const now = useNow();
  const hasDeadline = (row: Dispute) => disputeDeadlineWords(row, now, store.timezone) !== null;
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
              <TestMoneyBadge mode={row.mode} />
            </>
          ),
        },
        {
          key: 'name',
          label: m.payment_list_customer(),
          cell: (row) => row.customer_name || '–',
          isUsual: hasDeadline,
        },
        {
          key: 'at',
          label: m.payment_dispute_since(),
          isForWide: true,
          cell: (row) => dateWords(row.created_at, store.timezone),
        },
        {
          key: 'reason',
          label: m.payment_refund_reason(),
          cell: (row) => disputeReasonWords(row.reason),
          isUsual: hasDeadline,
        },
        {
          key: 'status',
          label: m.payment_list_status(),
          cell: (row) => disputeStatusWords[row.status](),
          isUsual: hasDeadline,
        },
        {
          key: 'answer',
          label: m.payment_dispute_answer(),
          isUsual: (row) => !hasDeadline(row),
          cell: (row) => <DisputeDeadline dispute={row} now={now} timezone={store.timezone} />,
        },
        amountColumn(m.payment_refund_amount_label()),
      ]}
      {...list}
      rowId={(row) => row.id}
      {...orderRowProps(onOpen)}
      view={view}
      onView={onView}
      rowActions={(row) => <AtProvider dispute={row} />}
      filters={
        <ChoiceFilter
          name="state"
          label={m.payment_list_status()}
          choices={choicesFromWords(states)}
          view={view}
          onView={onView}
        />
      }
      empty={<EmptyState title={m.payment_dispute_none()}>{m.payment_dispute_none_hint()}</EmptyState>}
    />
  );
}

function AtProvider({ dispute: { link, status, order_number: number } }: { dispute: Dispute }) {
  const isWaiting = disputeNeedsResponse(status);
  return (
    <Button
      component="a"
      href={link}
      target="_blank"
      rel="noreferrer"
      variant={isWaiting ? 'filled' : 'default'}
      className={classes.link ?? ''}
      aria-label={(isWaiting ? m.payment_dispute_answer_order : m.payment_dispute_see_order)({ number })}
    >
      <span className={classes.words}>{isWaiting ? m.payment_dispute_answer_now() : m.payment_at_provider()}</span>
      <span className={classes.arrow}>↗</span>
    </Button>
  );
}

export function RefundsTable({ store, view, onView, onOpen }: PaymentTableProps) {
  const status = knownFilterValue(view, 'status', refundStatusWords);
  const { list } = usePagedList({
    key: ['refunds', store.id, view],
    load: (options) =>
      api(
        'GET /v1/refunds',
        {
          store_id: store.id,
          ...pageAndDayParameters(view),
          ...(status && { status }),
        },
        options,
      ),
    askAgain: (answer) => pollIntervalUntilSettled(answer?.data.some(isSettlingSoon) ?? false),
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
        { key: 'status', label: m.payment_list_status(), cell: (row) => refundStateWords(row) },
        { key: 'reason', label: m.payment_refund_reason(), cell: (row) => row.reason },
        { key: 'actor', label: m.payment_list_actor(), cell: (row) => (row.actor === 'system' ? '–' : row.actor) },
        amountColumn(m.payment_refund_amount_label()),
      ]}
      {...list}
      rowId={(row) => row.id}
      {...orderRowProps(onOpen)}
      view={view}
      onView={onView}
      hasWordyActions
      rowActions={(row) => row.due > 0 && <Retry refund={row} />}
      filters={<StatusAndDayFilters words={refundStatusWords} view={view} onView={onView} />}
      empty={<EmptyState title={m.payment_refund_none()} />}
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
    await refetchOrderMoney();
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

export interface PaymentTableProps {
  store: Store;
  view: ListView;
  onView: (part: Partial<ListView>) => void;
  onOpen: (orderId: string) => void;
}

export function pageAndDayParameters({ page, filters: { from, to } }: ListView) {
  return { page, per_page: 25, ...(from && { start_date: from }), ...(to && { end_date: to }) };
}

export function amountColumn<R extends { amount: number; currency: string }>(label: string): ListColumn<R> {
  return {
    key: 'amount',
    label,
    isNumeric: true,
    isBesideTitle: true,
    cell: (row) => formatMoney(row.amount, row.currency),
  };
}

export function orderRowProps(onOpen: PaymentTableProps['onOpen']) {
  return {
    rowName: (row: { order_number: string }) => m.payment_list_number({ number: row.order_number }),
    onOpen: (row: { order_id: string }) => onOpen(row.order_id),
  };
}

export function StatusAndDayFilters({
  words,
  ...list
}: Pick<PaymentTableProps, 'view' | 'onView'> & { words: Record<string, () => string> }) {
  return (
    <>
      <ChoiceFilter name="status" label={m.payment_list_status()} choices={choicesFromWords(words)} {...list} />
      <DayFilters {...list} />
    </>
  );
}

export function TestMoneyBadge({ mode }: { mode: PaymentMode }) {
  if (mode === 'live') return null;
  return (
    <Badge className={classes.test} variant="outline" tt="none">
      {m.payment_mark_test()}
    </Badge>
  );
}
