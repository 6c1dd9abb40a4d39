import { Button } from '@mantine/core';
import { m } from '#messages';
import { confirm } from '#ui/web/office/confirm.tsx';
import { notify } from '#ui/web/notify.ts';
import { refusalWords } from '#ui/web/office/refusal-words.ts';
import type { KeySet } from '#payment/setup-contract.ts';
import { preventsPaying } from '#payment/stripe-rights.ts';
import { Step, Steps, type StepState } from '#ui/web/office/step.tsx';
import { TrialStep } from '#payment/web/setup/trial-step.tsx';
import { useSetupCalls } from '#payment/web/setup/use-setup.ts';
import { isCardCurrency } from '#store/card-provider.ts';
import type { PaymentMethod, Store } from '#store/contract.ts';
import { stripePages } from '#payment/stripe-pages.ts';
import { LookAgain } from '#payment/web/setup/look-again.tsx';
import { OutsideLink } from '#ui/web/office/outside-link.tsx';
import { dateWords, timeWords } from '#platform/date-words.ts';
import { useMutation } from '@tanstack/react-query';
import { Link } from 'wouter';
import { api } from '#platform/web/api.ts';
import { replaceStore } from '#store/web/stores.ts';

interface SetupStepsProps {
  store: Store;
  current: KeySet;
  /** null: the key is changed in the server's settings. */
  onChange: (() => void) | null;
}

/** The steps that are done and those that are left, once there is a key. */
export function SetupSteps({ store, current, onChange }: SetupStepsProps) {
  return (
    <Steps>
      <KeyStep current={current} onChange={onChange} />
      <TrialStep current={current} store={store} />
      <MessagesStep current={current} store={store} />
      <OfferStep store={store} canPay={!preventsPaying(current.problem) && isCardCurrency(store.currency)} />
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

/** Whether Stripe's messages reach the shop. */
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
        <OutsideLink to={stripePages.webhooks(current.mode)}>{m.payment_setup_open_webhooks()}</OutsideLink>
      )}
      {(state === 'silent' || state === 'missing') && <LookAgain />}
    </Step>
  );
}

/** Whether customers of this store may choose to pay by card, as far as the key works. */
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
