import { Alert, Button } from '@mantine/core';
import { useState } from 'react';
import { Link } from 'wouter';
import { m } from '#messages';
import { OfficePage, NewTabLink } from '#ui/web/office/office-page.tsx';
import { OfficeLoadFailure, LoadingState } from '#ui/web/office/states.tsx';
import type { KeySet, PaymentSetup } from '#payment/setup-contract.ts';
import { CardModeBand } from '#payment/web/card-payments-band.tsx';
import { KeyProblemAlert, CheckKeysButton, usePaymentSetup, useSetupCalls } from '#payment/web/setup/key-problem.tsx';
import { NewKeyPanel } from '#payment/web/setup/new-key.tsx';
import classes from '#payment/web/setup/setup.module.css';
import { isCardCurrency, minCardAmount } from '#store/card-provider.ts';
import type { PaymentMethod, Store } from '#store/contract.ts';
import { dateWords, timeWords } from '#platform/date-words.ts';
import { keyProblemWords } from '#payment/key-problem-words.ts';
import { confirm } from '#ui/web/office/dialogs.tsx';
import { notify } from '#ui/web/notify.ts';
import { refusalWords } from '#ui/web/office/refusal-words.ts';
import { preventsCardPayments } from '#payment/stripe-rights.ts';
import { Step, Steps, type StepState } from '#ui/web/office/step.tsx';
import { stripeDashboardUrls } from '#payment/stripe-dashboard-urls.ts';
import { useMutation } from '@tanstack/react-query';
import { api } from '#platform/web/api.ts';
import { replaceStore } from '#store/web/stores.ts';
import { formatMoney } from '#platform/money.ts';

export function PaymentSetupPage({ store }: { store: Store }) {
  const query = usePaymentSetup();
  return (
    <OfficePage
      title={m.office_page_payment_setup()}
      hint={m.payment_setup_hint()}
      actions={
        <Button component={Link} href="/admin/payments" variant="default">
          {m.office_page_payments()}
        </Button>
      }
    >
      {query.isPending && <LoadingState />}
      {query.isError && !query.data && <OfficeLoadFailure error={query.error} onRetry={() => void query.refetch()} />}
      {query.data && <Setup store={store} setup={query.data} />}
    </OfficePage>
  );
}

function Setup({ store, setup }: { store: Store; setup: PaymentSetup }) {
  const { current, earlier, source } = setup;
  const [isChanging, setChanging] = useState(false);
  const isNewKeyShown = source === 'office' && (current === null || isChanging);
  const change = source === 'office' ? () => setChanging(true) : null;
  return (
    <>
      <CardsNow store={store} current={current} />
      {current?.problem && <KeyProblemAlert current={current} onChange={change} />}
      {source === 'environment' && (
        <p>{current ? m.payment_setup_environment() : m.payment_setup_environment_waiting()}</p>
      )}
      {isNewKeyShown && (
        <NewKeyPanel
          current={current}
          onDone={() => setChanging(false)}
          onCancel={current && (() => setChanging(false))}
        />
      )}
      {current && !isNewKeyShown && <SetupSteps store={store} current={current} onChange={change} />}
      {earlier.length > 0 && <EarlierKeys earlier={earlier} store={store} className={classes.panel ?? ''} />}
    </>
  );
}

function CardsNow({ store, current }: { store: Store; current: KeySet | null }) {
  const { currency, card_provider: provider } = store;
  return (
    <>
      <CardModeBand mode={current?.mode ?? (provider === 'sandbox' ? 'sandbox' : null)} isOffered={provider !== null} />
      {!isCardCurrency(currency) && (
        <Alert color="bad" mb="md">
          {m.store_card_currency({ currency })}
        </Alert>
      )}
    </>
  );
}

interface EarlierKeysProps {
  earlier: PaymentSetup['earlier'];
  store: Store;
  className: string;
}

function EarlierKeys({ earlier, store, className }: EarlierKeysProps) {
  return (
    <section className={className}>
      <h2>{m.payment_setup_earlier()}</h2>
      <p>{m.payment_setup_earlier_hint()}</p>
      <ul>
        {earlier.map((set) => (
          <li key={set.id}>
            {rowWords(set, store)} {set.problem && <strong>{keyProblemWords(set.problem)}</strong>}
          </li>
        ))}
      </ul>
    </section>
  );
}

function rowWords(set: PaymentSetup['earlier'][number], { timezone }: Store): string {
  const said = {
    mode: modeWords[set.mode](),
    account: set.account_name ?? m.payment_setup_account_unknown(),
    hint: set.key_hint,
    date: dateWords(set.replaced_at, timezone),
  };
  return set.unfinished > 0
    ? m.payment_setup_earlier_row({ ...said, count: set.unfinished })
    : m.payment_setup_earlier_row_closing(said);
}

const modeWords = {
  live: () => m.payment_mode_live(),
  test: () => m.payment_mode_test(),
};

interface SetupStepsProps {
  store: Store;
  current: KeySet;
  /** Opens the form for another key; null: the key is changed in the server's settings. */
  onChange: (() => void) | null;
}

function SetupSteps({ store, current, onChange }: SetupStepsProps) {
  return (
    <Steps>
      <KeyStep current={current} onChange={onChange} />
      <TrialStep current={current} store={store} />
      <MessagesStep current={current} store={store} />
      <OfferStep store={store} canPay={!preventsCardPayments(current.problem) && isCardCurrency(store.currency)} />
      {current.mode === 'test' && (
        <Step
          state="todo"
          title={m.payment_setup_go_live()}
          text={onChange ? m.payment_setup_go_live_hint() : m.payment_setup_go_live_environment()}
        >
          {onChange && (
            <Button variant="default" onClick={onChange}>
              {m.payment_setup_go_live_key()}
            </Button>
          )}
        </Step>
      )}
    </Steps>
  );
}

function KeyStep({ current, onChange }: Omit<SetupStepsProps, 'store'>) {
  const { stop } = useSetupCalls();
  const stopCards = async (): Promise<void> => {
    const body = m.payment_setup_stop_means();
    const isSure = await confirm({
      title: m.payment_setup_stop_title(),
      body,
      action: m.payment_setup_stop(),
      isDangerous: true,
    });
    if (!isSure) return;
    stop.mutate(undefined, { onError: (error) => notify({ text: refusalWords(error), tone: 'bad' }) });
  };
  const account = current.account_name ?? m.payment_setup_account_unknown();
  return (
    <Step
      state={current.problem ? 'bad' : 'done'}
      title={m.payment_setup_key()}
      text={m.payment_setup_key_of({ account, hint: current.key_hint })}
    >
      {onChange && (
        <>
          <Button variant="default" onClick={onChange}>
            {m.payment_setup_change_key()}
          </Button>
          <Button variant="subtle" color="bad" loading={stop.isPending} onClick={() => void stopCards()}>
            {m.payment_setup_stop()}
          </Button>
        </>
      )}
    </Step>
  );
}

type State = KeySet['webhook']['state'];

const states: Record<State, StepState> = {
  off: 'todo',
  missing: 'wait',
  waiting: 'wait',
  silent: 'bad',
  heard: 'done',
};

function MessagesStep({ current, store }: { current: KeySet; store: Store }) {
  const { state, url, heard_at } = current.webhook;
  const at = heard_at ? `${dateWords(heard_at, store.timezone)}, ${timeWords(heard_at, store.timezone)}` : '';
  const words: Record<State, () => string> = {
    off: () => m.payment_setup_messages_off(),
    missing: () => m.payment_setup_messages_missing(),
    waiting: () => m.payment_setup_messages_waiting(),
    silent: () => m.payment_setup_messages_silent({ url: url ?? '' }),
    heard: () => m.payment_setup_messages_heard({ at }),
  };
  return (
    <Step state={states[state]} title={m.payment_setup_messages()} text={words[state]()}>
      {state === 'silent' && (
        <NewTabLink to={stripeDashboardUrls.webhooks(current.mode)}>{m.payment_setup_open_webhooks()}</NewTabLink>
      )}
      {(state === 'silent' || state === 'missing') && <CheckKeysButton />}
    </Step>
  );
}

function OfferStep({ store, canPay }: { store: Store; canPay: boolean }) {
  const { collection, delivery } = store.payment_methods;
  const offered = { collection: collection.includes('card'), delivery: delivery.includes('card') };
  const offer = useMutation({
    mutationFn: async () =>
      (
        await api(
          'PATCH /v1/stores/{id}',
          {
            id: store.id,
            payment_methods: { collection: withCard(collection), delivery: withCard(delivery) },
            was: { payment_methods: store.payment_methods },
          },
          { timeout: 20_000 },
        )
      ).data,
    onSuccess: replaceStore,
    onError: (error) => notify({ text: refusalWords(error), tone: 'bad' }),
  });
  const isOffered = offered.collection || offered.delivery;
  return (
    <Step
      state={!isOffered ? 'todo' : canPay ? 'done' : 'bad'}
      title={m.payment_setup_offer()}
      text={
        !isOffered
          ? m.payment_setup_offer_none()
          : canPay
            ? m.payment_setup_offered({ ways: waysOf(offered), shop: store.name })
            : m.payment_setup_offer_stopped()
      }
    >
      {!isOffered && (
        <Button loading={offer.isPending} onClick={() => offer.mutate()}>
          {m.payment_setup_offer_cards()}
        </Button>
      )}
      {isOffered && (
        <Button component={Link} href="/store/manage?section=ordering" variant="default">
          {m.payment_setup_offer_change()}
        </Button>
      )}
    </Step>
  );
}

function withCard(methods: readonly PaymentMethod[]): PaymentMethod[] {
  return [...new Set<PaymentMethod>([...methods, 'card'])];
}

function waysOf({ collection, delivery }: { collection: boolean; delivery: boolean }): string {
  if (collection && delivery) return 'both';
  return collection ? 'collection' : 'delivery';
}

type Trial = NonNullable<KeySet['trial']>;

const trialStates: Record<Trial['state'], StepState> = {
  open: 'wait',
  paid: 'wait',
  refunded: 'done',
  abandoned: 'todo',
  failed: 'bad',
};

/** The step that tries the keys with a payment of the minimum amount, which is refunded automatically. */
function TrialStep({ current, store }: { current: KeySet; store: Store }) {
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
    <Step
      state={trial ? trialStates[trial.state] : 'todo'}
      title={m.payment_setup_trial()}
      text={words(current, store)}
    >
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
            : m.payment_setup_trial_begin({ mode, amount: minWords(store) })}
        </Button>
      )}
    </Step>
  );
}

function minWords({ currency }: Store): string {
  return formatMoney(minCardAmount(currency), currency);
}

function words({ mode, trial }: KeySet, store: Store): string {
  const { currency, timezone } = store;
  if (!trial) {
    const amount = minWords(store);
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
