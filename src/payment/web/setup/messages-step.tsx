import { m } from '#messages';
import type { KeySet } from '#payment/setup-contract.ts';
import { stripePages } from '#payment/stripe-pages.ts';
import { LookAgain } from '#payment/web/setup/look-again.tsx';
import { OutsideLink } from '#ui/web/office/outside-link.tsx';
import { Step, type StepState } from '#ui/web/office/step.tsx';
import { dateWords, timeWords } from '#platform/date-words.ts';
import type { Store } from '#store/contract.ts';

type State = KeySet['webhook']['state'];

const states: Record<State, StepState> = {
  off: 'todo',
  missing: 'wait',
  waiting: 'wait',
  silent: 'bad',
  heard: 'done',
};

/** Whether Stripe's messages reach the shop. */
export function MessagesStep({ current, store }: { current: KeySet; store: Store }) {
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
