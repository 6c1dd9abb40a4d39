import { Button } from '@mantine/core';
import { m } from '#messages';
import { confirm } from '#ui/web/office/confirm.tsx';
import { notify } from '#ui/web/notify.ts';
import { refusalWords } from '#ui/web/office/refusal-words.ts';
import type { KeySet } from '#payment/setup-contract.ts';
import { MessagesStep } from '#payment/web/setup/messages-step.tsx';
import { preventsPaying } from '#payment/stripe-rights.ts';
import { OfferStep } from '#payment/web/setup/offer-step.tsx';
import { Step, Steps } from '#ui/web/office/step.tsx';
import { TrialStep } from '#payment/web/setup/trial-step.tsx';
import { useSetupCalls } from '#payment/web/setup/use-setup.ts';
import { isCardCurrency } from '#store/card-provider.ts';
import type { Store } from '#store/contract.ts';

interface SetupStepsProps {
  store: Store;
  current: KeySet;
  /** null: the key is changed in the server's settings. */
  onChange: (() => void) | null;
}

/** What is done and what is left to do, once there is a key. */
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
