import { useState } from 'react';
import { m } from '#messages';
import { knownFilterValue } from '#ui/list-view.ts';
import { type ListColumn, DataList } from '#ui/web/office/data-list.tsx';
import { EmptyState, OfficeLoadFailure, LoadingState } from '#ui/web/office/states.tsx';
import { usePagedList } from '#ui/web/office/use-paged-list.ts';
import type { BankEntry, Payout, PayoutContent, StatementSums } from '#payment/bank-contract.ts';
import {
  amountColumn,
  pageAndDayParameters,
  StatusAndDayFilters,
  type PaymentTableProps,
  TestMoneyBadge,
} from '#payment/web/money-tables.tsx';
import { dateWords } from '#platform/date-words.ts';
import { formatMoney } from '#platform/money.ts';
import { api } from '#platform/web/api.ts';
import { Alert, Anchor, Button, Stack, Table } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { Dialog } from '#ui/web/office/dialogs.tsx';
import type { BankEntryKind, PayoutStatus } from '#payment/bank.ts';
import { isPayoutPaidOrExpected } from '#payment/bank-rules.ts';
import { disputeReasonWords, disputeStatusWords } from '#payment/dispute-words.ts';
import classes from '#payment/web/bank.module.css';

export function PayoutsTable({ view, onView, onOpen }: PaymentTableProps) {
  const status = knownFilterValue(view, 'status', payoutStatusWords);
  const [opened, setOpened] = useState<Payout | null>(null);
  const { list } = usePagedList({
    key: ['payouts', view],
    load: (options) =>
      api(
        'GET /v1/payouts',
        {
          ...pageAndDayParameters(view),
          ...(status && { status }),
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
        filters={<StatusAndDayFilters words={payoutStatusWords} view={view} onView={onView} />}
        empty={<EmptyState title={m.payment_payout_none()}>{m.payment_payout_none_hint()}</EmptyState>}
      />
      {opened && <PayoutDialog payout={opened} onClose={() => setOpened(null)} onOrder={onOpen} />}
    </>
  );
}

/** The columns, made at each render because the language may change. */
function columns(): ListColumn<Payout>[] {
  // The value is subtracted from 0 and not negated, because -0 would be shown with its sign.
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
          <TestMoneyBadge mode={row.mode} />
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
    {
      key: 'charged',
      label: m.payment_payout_charged(),
      isForWide: true,
      isNumeric: true,
      cell: (row) => sum(row, 'charged'),
    },
    {
      key: 'refunded',
      label: m.payment_payout_refunded(),
      isForWide: true,
      isNumeric: true,
      cell: (row) => sum(row, 'refunded', true),
    },
    {
      key: 'disputed',
      label: m.payment_payout_disputed(),
      isForWide: true,
      isNumeric: true,
      cell: (row) => sum(row, 'disputed', true),
    },
    { key: 'fees', label: m.payment_payout_fees(), isNumeric: true, cell: (row) => sum(row, 'fees', true) },
    {
      key: 'other',
      label: m.payment_payout_other(),
      isForWide: true,
      isNumeric: true,
      cell: (row) => sum(row, 'other'),
    },
    amountColumn(m.payment_payout_amount()),
  ];
}

interface DialogProps {
  payout: Payout;
  onClose: () => void;
  onOrder: (orderId: string) => void;
}

function PayoutDialog({ payout, onClose, onOrder }: DialogProps) {
  const { id, amount, currency, arrives_on } = payout;
  const query = useQuery({
    queryKey: ['payouts', id],
    queryFn: async ({ signal }) =>
      (await api('GET /v1/payouts/{payout}', { payout: id }, { signal, timeout: 20_000 })).data,
  });
  const title = m.payment_payout_title({ amount: formatMoney(amount, currency), date: dateWords(arrives_on, 'UTC') });
  return (
    <Dialog opened onClose={onClose} size="lg" title={title}>
      {query.data ? (
        <Content content={query.data} onOrder={onOrder} />
      ) : query.isError ? (
        <OfficeLoadFailure error={query.error} onRetry={() => void query.refetch()} />
      ) : (
        <LoadingState />
      )}
    </Dialog>
  );
}

function Content({ content, onOrder }: { content: PayoutContent; onOrder: (orderId: string) => void }) {
  const { status, sums, failure, is_automatic, link } = content;
  return (
    <Stack>
      <p>{payoutStatusWords[status]()}</p>
      {status === 'failed' && <Alert color="bad">{payoutFailure(failure)}</Alert>}
      {sums === null ? (
        isPayoutPaidOrExpected(status) && (
          <p>{is_automatic ? m.payment_payout_unknown_yet() : m.payment_payout_unknown()}</p>
        )
      ) : (
        <>
          <Sums content={content} />
          <Entries entries={content.entries} onOrder={onOrder} />
        </>
      )}
      <Button component="a" href={link} target="_blank" rel="noreferrer" variant="default">
        {m.payment_at_provider()}
      </Button>
    </Stack>
  );
}

function Sums({ content: { sums, currency, amount } }: { content: PayoutContent }) {
  if (!sums) return null;
  const rows: [string, number][] = [
    [m.payment_payout_charged(), sums.charged],
    [m.payment_payout_refunded(), 0 - sums.refunded],
    [m.payment_payout_disputed(), 0 - sums.disputed],
    [m.payment_payout_fees(), 0 - sums.fees],
    [m.payment_payout_other(), sums.other],
  ];
  return (
    <dl className={classes.sums}>
      {rows
        .filter(([name, value]) => value !== 0 || name === m.payment_payout_charged())
        .map(([name, value]) => (
          <Row key={name} name={name} value={formatMoney(value, currency)} />
        ))}
      <Row name={m.payment_payout_amount()} value={formatMoney(amount, currency)} isTotal />
    </dl>
  );
}

function Row({ name, value, isTotal = false }: { name: string; value: string; isTotal?: boolean }) {
  return (
    <>
      <dt data-total={isTotal || undefined}>{name}</dt>
      <dd data-total={isTotal || undefined}>{value}</dd>
    </>
  );
}

const atOnce = 50;

/** The groups of a payout's lines. Rare groups come first, because a busy week has hundreds of payments. */
const groups: { kinds: readonly BankEntryKind[]; title: (values: { count: number }) => string }[] = [
  { kinds: ['dispute', 'dispute_won'], title: m.payment_payout_group_disputes },
  { kinds: ['refund_failed'], title: m.payment_payout_group_came_back },
  { kinds: ['refund'], title: m.payment_payout_group_refunds },
  { kinds: ['fee', 'payout', 'payout_failed', 'other'], title: m.payment_payout_group_rest },
  { kinds: ['charge'], title: m.payment_payout_group_charges },
];

function Entries({ entries, onOrder }: { entries: readonly BankEntry[]; onOrder: (orderId: string) => void }) {
  return (
    // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- a scroller must be reached by key
    <div className={classes.entries} role="region" aria-label={m.payment_payout_entries()} tabIndex={0}>
      <Table>
        <Table.Thead>
          <Table.Tr>
            <Table.Th scope="col">{m.payment_payout_entry()}</Table.Th>
            <Table.Th scope="col">{m.payment_refund_amount_label()}</Table.Th>
            <Table.Th scope="col">{m.payment_payout_fee()}</Table.Th>
            <Table.Th scope="col">{m.payment_payout_net()}</Table.Th>
          </Table.Tr>
        </Table.Thead>
        {groups.map(({ kinds, title }) => {
          const own = entries.filter(({ kind }) => kinds.includes(kind));
          if (own.length === 0) return null;
          return <Group key={kinds[0]} title={title({ count: own.length })} entries={own} onOrder={onOrder} />;
        })}
      </Table>
    </div>
  );
}

interface GroupProps {
  title: string;
  entries: readonly BankEntry[];
  onOrder: (orderId: string) => void;
}

function Group({ title, entries, onOrder }: GroupProps) {
  const [shown, setShown] = useState(atOnce);
  const left = entries.length - shown;
  return (
    <Table.Tbody>
      <Table.Tr>
        <Table.Th scope="rowgroup" colSpan={4} className={classes.group}>
          {title}
        </Table.Th>
      </Table.Tr>
      {entries.slice(0, shown).map((entry) => (
        <Table.Tr key={entry.id}>
          <Table.Td>
            <EntryName entry={entry} onOrder={onOrder} />
          </Table.Td>
          <Table.Td>{formatMoney(entry.amount, entry.currency)}</Table.Td>
          <Table.Td>{formatMoney(entry.fee, entry.currency)}</Table.Td>
          <Table.Td>{formatMoney(entry.net, entry.currency)}</Table.Td>
        </Table.Tr>
      ))}
      {left > 0 && (
        <Table.Tr>
          <Table.Td colSpan={4}>
            <Button variant="default" onClick={() => setShown(shown + atOnce)}>
              {m.payment_payout_more({ count: left })}
            </Button>
          </Table.Td>
        </Table.Tr>
      )}
    </Table.Tbody>
  );
}

/** The kinds of lines that belong to an order, if the payment is this shop's. */
const ofOrders: ReadonlySet<BankEntryKind> = new Set(['charge', 'refund', 'refund_failed', 'dispute', 'dispute_won']);

/** The name of a line, with a link to its order if it has one. A fee and a payment of another system have no order. */
function EntryName({ entry, onOrder }: { entry: BankEntry; onOrder: (orderId: string) => void }) {
  const { order_id: id, order_number: number, kind } = entry;
  const more = moreWords(entry);
  return (
    <>
      {id !== null && number !== null && (
        <Anchor component="button" type="button" onClick={() => onOrder(id)}>
          {m.payment_list_number({ number })}
        </Anchor>
      )}
      <small className={classes.soft}>{entryWords[kind]()}</small>
      {more !== null && <small className={classes.soft}>{more}</small>}
    </>
  );
}

/**
 * A further text about a line: that the line belongs to no order here, the refund's reason, or the dispute's reason and
 * status; null: none.
 */
function moreWords({ kind, order_id, refund_reason, dispute }: BankEntry): string | null {
  if (order_id === null && ofOrders.has(kind)) return m.payment_entry_no_order();
  if (dispute === null) return refund_reason;
  return `${disputeReasonWords(dispute.reason)} (${disputeStatusWords[dispute.status]()})`;
}

const payoutStatusWords: Record<PayoutStatus, () => string> = {
  pending: m.payment_payout_pending,
  in_transit: m.payment_payout_in_transit,
  paid: m.payment_payout_paid,
  failed: m.payment_payout_failed,
  cancelled: m.payment_payout_cancelled,
};

const entryWords: Record<BankEntryKind, () => string> = {
  charge: m.payment_entry_charge,
  refund: m.payment_entry_refund,
  refund_failed: m.payment_entry_refund_failed,
  dispute: m.payment_entry_dispute,
  dispute_won: m.payment_entry_dispute_won,
  fee: m.payment_entry_fee,
  payout: m.payment_entry_payout,
  payout_failed: m.payment_entry_payout_failed,
  other: m.payment_entry_other,
};

const failures: Record<string, () => string> = {
  account_closed: m.payment_payout_account_closed,
  account_frozen: m.payment_payout_account_closed,
  no_account: m.payment_payout_no_account,
  invalid_account_number: m.payment_payout_no_account,
  incorrect_account_holder_name: m.payment_payout_wrong_name,
  insufficient_funds: m.payment_payout_insufficient,
};

/** A sentence that says why a payout failed and how to solve that. */
const payoutFailure = (failure: string | null): string => (failures[failure ?? ''] ?? m.payment_payout_failed_other)();
