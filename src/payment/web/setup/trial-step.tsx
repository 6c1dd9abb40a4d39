import { Button } from '@mantine/core';
import { m } from '#messages';
import { notify } from '#ui/web/notify.ts';
import { refusalWords } from '#ui/web/office/refusal-words.ts';
import type { KeySet } from '#payment/setup-contract.ts';
import { Step, type StepState } from '#ui/web/office/step.tsx';
import { useSetupCalls } from '#payment/web/setup/use-setup.ts';
import { dateWords, timeWords } from '#platform/date-words.ts';
import { formatMoney } from '#platform/money.ts';
import { isCardCurrency, leastCardAmount } from '#store/card-provider.ts';
import type { Store } from '#store/contract.ts';

type Trial = NonNullable<KeySet['trial']>;

const states: Record<Trial['state'], StepState> = {
  open: 'wait',
  paid: 'wait',
  refunded: 'done',
  abandoned: 'todo',
  failed: 'bad',
};

/** A payment of the least amount, which comes back by itself. */
export function TrialStep({ current, store }: { current: KeySet; store: Store }) {
  const { tryPayment } = useSetupCalls();
  const { mode, trial } = current;
  const begin = () =>
    tryPayment.mutate(undefined, {
      onSuccess: ({ data }) => {
        const page = data.current?.trial?.redirect_url;
        if (page) location.assign(page);
      },
      onError: (error) => notify({ text: refusalWords(error), tone: 'bad' }),
    });
  const page = trial?.redirect_url ?? null;
  const isUnderWay = trial?.state === 'open' || trial?.state === 'paid';
  return (
    <Step state={trial ? states[trial.state] : 'todo'} title={m.payment_setup_trial()} text={words(current, store)}>
      {page !== null && (
        <Button component="a" href={page}>
          {m.payment_setup_trial_continue()}
        </Button>
      )}
      {!isUnderWay && (
        <Button
          variant={trial?.state === 'refunded' ? 'default' : 'filled'}
          loading={tryPayment.isPending}
          disabled={current.problem !== null || !isCardCurrency(store.currency)}
          onClick={begin}
        >
          {trial?.state === 'refunded'
            ? m.payment_setup_trial_again()
            : m.payment_setup_trial_begin({ mode, amount: leastWords(store) })}
        </Button>
      )}
    </Step>
  );
}

function leastWords({ currency }: Store): string {
  return formatMoney(leastCardAmount(currency), currency);
}

function words({ mode, trial }: KeySet, store: Store): string {
  const { currency, timezone } = store;
  if (!trial) {
    const amount = leastWords(store);
    return mode === 'test' ? m.payment_setup_trial_test({ amount }) : m.payment_setup_trial_live({ amount });
  }
  const amount = formatMoney(trial.amount, trial.currency || currency);
  const at = `${dateWords(trial.at, timezone)}, ${timeWords(trial.at, timezone)}`;
  const said: Record<Trial['state'], () => string> = {
    open: () => m.payment_setup_trial_open({ amount }),
    paid: () => m.payment_setup_trial_paid({ amount }),
    refunded: () => m.payment_setup_trial_refunded({ amount, at }),
    abandoned: () => m.payment_setup_trial_abandoned(),
    failed: () => m.payment_setup_trial_failed(),
  };
  return said[trial.state]();
}
