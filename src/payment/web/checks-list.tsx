import { Alert, Button } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { m } from '#messages';
import type {
  MoneyDisagreement,
  MoneyDisagreementKind,
  JournalCheck,
  JournalName,
  PaymentChecks,
} from '#payment/journal.ts';
import classes from '#payment/web/checks-list.module.css';
import type { PaymentTableProps } from '#payment/web/money-tables.tsx';
import { dateWords, timeWords } from '#platform/date-words.ts';
import { formatMoney } from '#platform/money.ts';
import { api } from '#platform/web/api.ts';
import { EmptyState, OfficeLoadFailure, LoadingState } from '#ui/web/office/states.tsx';
import type { Store } from '#store/contract.ts';

export function PaymentChecksView({ store, onOpen }: PaymentTableProps) {
  const query = useQuery({
    queryKey: ['payments', store.id, 'checks'],
    staleTime: 0,
    queryFn: ({ signal }) => api('GET /v1/payments/checks', { store_id: store.id }, { signal, timeout: 60_000 }),
  });
  if (query.isError) return <OfficeLoadFailure error={query.error} onRetry={() => void query.refetch()} />;
  if (!query.data) return <LoadingState />;
  const checks = query.data.data;
  return (
    <div className={classes.checks}>
      <div className={classes.head}>
        <span role="status">{m.payment_checks_at({ time: timeWords(checks.checked_at, store.timezone) })}</span>
        <Button variant="default" loading={query.isFetching} onClick={() => void query.refetch()}>
          {m.payment_checks_again()}
        </Button>
      </div>
      <Verdict checks={checks} />
      <Disagreements rows={checks.disagreements} store={store} onOpen={onOpen} />
      <Faults journals={checks.journals} />
      <Messages {...checks.messages} store={store} />
      <CheckValues journals={checks.journals} />
    </div>
  );
}

function Verdict({ checks: { orders, disagreements, journals } }: { checks: PaymentChecks }) {
  if (disagreements.length > 0 || journals.some(({ faults }) => faults.length > 0)) return null;
  if (orders === 0) return <EmptyState title={m.payment_checks_none()} />;
  return (
    <Alert color="good" title={m.payment_checks_good_title()}>
      {m.payment_checks_good({ orders })}
    </Alert>
  );
}

const disagreementWords: Record<MoneyDisagreementKind, (sums: { expected: string; found: string }) => string> = {
  kept: m.payment_checks_kept,
  held: m.payment_checks_held,
  unpaid: ({ found }) => m.payment_checks_unpaid({ found }),
  journal: m.payment_checks_journal,
  refunds: m.payment_checks_refunds,
  owed: ({ found }) => m.payment_checks_owed({ found }),
};

interface DisagreementsProps {
  rows: readonly MoneyDisagreement[];
  store: Store;
  onOpen: (orderId: string) => void;
}

function Disagreements({ rows, store, onOpen }: DisagreementsProps) {
  if (rows.length === 0) return null;
  const orders = Map.groupBy(rows, ({ order_id }) => order_id);
  const say = (amount: number, currency: string | null) => formatMoney(amount, currency ?? store.currency);
  return (
    <Alert color="bad" title={m.payment_checks_bad_title({ count: orders.size })}>
      <p>{m.payment_checks_bad_hint()}</p>
      <ul>
        {[...orders].map(([id, faults]) => (
          <li key={id} className={classes.order}>
            <div>
              <strong>
                {m.payment_checks_row({
                  number: faults[0]?.order_number ?? '',
                  day: dateWords(`${faults[0]?.trading_day}T12:00:00Z`, store.timezone),
                })}
              </strong>
              {faults.map(({ kind, expected, found, currency }) => (
                <div key={kind}>
                  {disagreementWords[kind]({ expected: say(expected, currency), found: say(found, currency) })}
                </div>
              ))}
            </div>
            <Button variant="default" onClick={() => onOpen(id)}>
              {m.payment_checks_open({ number: faults[0]?.order_number ?? '' })}
            </Button>
          </li>
        ))}
      </ul>
    </Alert>
  );
}

const recordWords: Record<JournalName, () => string> = {
  events: m.payment_checks_events,
  movements: m.payment_checks_movements,
};

function Faults({ journals }: { journals: readonly JournalCheck[] }) {
  const lines = journals.flatMap(({ name, faults }) =>
    faults.map(({ kind, position, entry }) => {
      const record = recordWords[name]();
      if (kind === 'unchained') return m.payment_checks_fault_unchained({ record, entry });
      const at = String(position);
      return kind === 'changed'
        ? m.payment_checks_fault_changed({ record, position: at })
        : m.payment_checks_fault_missing({ record, position: at });
    }),
  );
  if (lines.length === 0) return null;
  return (
    <Alert color="bad" title={m.payment_checks_journal_title()}>
      <p>{m.payment_checks_journal_hint()}</p>
      <ul>
        {lines.map((line) => (
          <li key={line}>{line}</li>
        ))}
      </ul>
    </Alert>
  );
}

function Messages({ last_at, waiting, failed, refused, store }: PaymentChecks['messages'] & { store: Store }) {
  const at = { day: '', time: '' };
  if (last_at) Object.assign(at, { day: dateWords(last_at, store.timezone), time: timeWords(last_at, store.timezone) });
  return (
    <section>
      <h2>{m.payment_checks_messages()}</h2>
      <p>{last_at ? m.payment_checks_last(at) : m.payment_checks_last_none()}</p>
      {waiting > 0 && <p>{m.payment_checks_waiting({ count: waiting })}</p>}
      {failed > 0 && <Alert color="bad">{m.payment_checks_failed({ count: failed })}</Alert>}
      {refused > 0 && <Alert color="bad">{m.payment_checks_refused({ count: refused })}</Alert>}
    </section>
  );
}

function CheckValues({ journals }: { journals: readonly JournalCheck[] }) {
  return (
    <details>
      <summary>{m.payment_checks_values()}</summary>
      <p>{m.payment_checks_values_hint()}</p>
      <ul>
        {journals.map(({ name, entries, head }) => (
          <li key={name} className={classes.value}>
            <strong>{m.payment_checks_value({ record: recordWords[name](), entries })}</strong>
            <code>{head ?? m.payment_checks_value_none()}</code>
          </li>
        ))}
      </ul>
    </details>
  );
}
