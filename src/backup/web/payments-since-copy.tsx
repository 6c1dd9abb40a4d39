import { Alert, Button, Loader } from '@mantine/core';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { Link } from 'wouter';
import { lastRestoreQuery } from '#backup/web/restored-query.ts';
import classes from '#backup/web/restored-page.module.css';
import { m } from '#messages';
import type { ProviderReadProgress, SinceCopy, UnknownPayment } from '#payment/since-copy.ts';
import { chooseMoneyReturnCall } from '#payment/unknown-payment.ts';
import { disputeStatusWords } from '#payment/dispute-words.ts';
import { cardProviderOf } from '#platform/card-providers.ts';
import { dateWords, timeWords } from '#platform/date-words.ts';
import { formatMoney } from '#platform/money.ts';
import { api } from '#platform/web/api.ts';
import type { Store } from '#store/contract.ts';
import { notify } from '#ui/web/notify.ts';
import { refusalWords } from '#ui/web/office/refusal-words.ts';

/**
 * Shows the providers' payments that are missing in the restored backup, and the progress of reading them from the
 * providers.
 */
export function PaymentsSinceBackup({ since, store }: { since: SinceCopy; store: Store }) {
  const { readings, payments, disputes } = since;
  const isAnswered = readings.every(({ state }) => state === 'answered');
  const hasListed = readings.some((reading) => reading.payments > 0);
  return (
    <section className={classes.orders} data-since-copy>
      <h2>{m.backup_since_title()}</h2>
      {readings.length === 0 && <p>{m.backup_since_no_cards()}</p>}
      {readings.map((reading) => (
        <Reading key={reading.key_set} reading={reading} store={store} />
      ))}
      {isAnswered && hasListed && payments.length === 0 && <p>{m.backup_since_none_unknown()}</p>}
      {payments.length > 0 && (
        <>
          <p>{m.backup_since_unknown({ count: payments.length })}</p>
          <ul>
            {payments.map((payment) => (
              <PaymentRow key={payment.id} payment={payment} store={store} />
            ))}
          </ul>
        </>
      )}
      {disputes > 0 && (
        <p>
          {m.backup_since_disputes({ count: disputes })} <Link href="/admin/payments">{m.backup_restored_open()}</Link>
        </p>
      )}
      {readings.length > 0 && <AskAgainButton isAsking={readings.some(({ state }) => state === 'asking')} />}
    </section>
  );
}

function Reading({ reading, store }: { reading: ProviderReadProgress; store: Store }) {
  const { state, payments, orders, failure, said } = reading;
  const provider = providerName(reading);
  const words = { provider, since: shopTimeWords(reading.since, store), payments };
  if (state === 'answered') {
    const answered = payments > 0 ? m.backup_since_answered : m.backup_since_answered_none;
    return (
      <p>
        {answered({ ...words, time: shopTimeWords(reading.answered_at ?? '', store) })}{' '}
        {orders > 0 && m.backup_since_compared({ orders })}
      </p>
    );
  }
  if (failure === null) {
    return (
      <p className={classes.asking} role="status">
        <Loader size="xs" aria-hidden="true" /> {m.backup_since_asking(words)}
      </p>
    );
  }
  return (
    <Alert color="bad" role="alert" title={failureWords[failure]({ provider })}>
      {said !== null && <p>{m.backup_since_said({ provider, words: said })}</p>}
      {m.backup_since_retry()}
    </Alert>
  );
}

const failureWords: Record<NonNullable<ProviderReadProgress['failure']>, (values: { provider: string }) => string> = {
  keys_refused: m.backup_since_keys_refused,
  refused: m.backup_since_refused,
  unreachable: m.backup_since_unreachable,
};

function AskAgainButton({ isAsking }: { isAsking: boolean }) {
  const client = useQueryClient();
  const ask = useMutation({
    mutationFn: () => api('POST /v1/restored/ask', {}),
    onSuccess: () => client.invalidateQueries({ queryKey: lastRestoreQuery.queryKey }),
    onError: (error) => notify({ id: 'since copy', text: refusalWords(error), tone: 'bad' }),
  });
  return (
    <Button variant="default" disabled={isAsking} loading={ask.isPending} onClick={() => ask.mutate()}>
      {m.backup_since_ask()}
    </Button>
  );
}

function PaymentRow({ payment, store }: { payment: UnknownPayment; store: Store }) {
  const client = useQueryClient();
  const { id, description, state, currency, created_at: createdAt, dispute_status: dispute } = payment;
  const returnMoney = useMutation({
    mutationFn: () => api('POST /v1/restored/payments/{id}/refund', { id }),
    onSuccess: () => client.invalidateQueries({ queryKey: lastRestoreQuery.queryKey }),
    onError: (error) => notify({ id: `unknown ${id}`, text: refusalWords(error), tone: 'bad' }),
  });
  const way = chooseMoneyReturnCall(payment);
  const left = formatMoney(payment.captured - payment.refunded, currency);
  return (
    <li data-payment={id}>
      <div>
        <strong>{description ?? m.backup_since_payment()}</strong>
        <span>{shopTimeWords(createdAt, store)}</span>
      </div>
      <div>
        <span>{formatMoney(payment.amount, currency)}</span>
        <span>{stateWords(payment)}</span>
        {dispute !== null && <span>{m.backup_since_dispute({ status: disputeStatusWords[dispute]() })}</span>}
      </div>
      <span className={classes.actions}>
        {way !== null && (
          <Button variant="default" loading={returnMoney.isPending} onClick={() => returnMoney.mutate()}>
            {way === 'refund'
              ? m.backup_since_refund({ amount: left })
              : state === 'open'
                ? m.backup_since_close()
                : m.backup_since_release()}
          </Button>
        )}
        <a href={payment.link} target="_blank" rel="noreferrer">
          {m.backup_since_look({ provider: providerName(payment) })}
        </a>
      </span>
    </li>
  );
}

function stateWords({ state, captured, refunded, currency }: UnknownPayment): string {
  if (state === 'open') return m.backup_since_state_open();
  if (state === 'authorised') return m.backup_since_state_held();
  if (state === 'refunded') return m.backup_since_state_refunded();
  if (state !== 'captured') return m.backup_since_state_released();
  if (refunded === 0) return m.backup_since_state_paid();
  return m.backup_since_state_part({
    refunded: formatMoney(refunded, currency),
    charged: formatMoney(captured, currency),
  });
}

const providerName = ({ provider }: { provider: string }) => cardProviderOf(provider).label ?? provider;

export const shopTimeWords = (iso: string, { timezone }: Store) =>
  `${dateWords(iso, timezone)}, ${timeWords(iso, timezone)}`;
