import { Alert, Button, Group } from '@mantine/core';
import { m } from '#messages';
import { problemWords, rightsWords, saidWords } from '#payment/key-problem-words.ts';
import type { KeySet } from '#payment/setup-contract.ts';
import { stripePages } from '#payment/stripe-pages.ts';
import { OutsideLink } from '#ui/web/office/outside-link.tsx';
import { notify } from '#ui/web/notify.ts';
import { refusalWords } from '#ui/web/office/refusal-words.ts';
import { useSetupCalls } from '#payment/web/setup/use-setup.ts';

interface KeyProblemProps {
  current: KeySet;
  /** null: the key is changed in the server's settings. */
  onChange: (() => void) | null;
}

/** The key's problem, and the next step. */
export function KeyProblemAlert({ current, onChange }: KeyProblemProps) {
  const { mode, problem } = current;
  if (!problem) return null;
  const needsKey = problem.kind === 'keys_refused' || problem.kind === 'not_here';
  return (
    <Alert color="bad" mb="md" title={problemWords(problem)}>
      {saidWords(problem) && <p>{saidWords(problem)}</p>}
      {nextSteps[problem.kind](problem.rights)}
      <Group gap="xs" mt="sm">
        {needsKey && onChange && <Button onClick={onChange}>{m.payment_setup_change_key()}</Button>}
        {problem.kind === 'not_activated' && (
          <OutsideLink to={stripePages.activate}>{m.payment_setup_open_activate()}</OutsideLink>
        )}
        {isOfKey[problem.kind] && <OutsideLink to={stripePages.keys(mode)}>{m.payment_setup_open_keys()}</OutsideLink>}
        {problem.kind !== 'no_address' && <LookAgain />}
      </Group>
    </Alert>
  );
}

type Kind = NonNullable<KeySet['problem']>['kind'];

/** It may be solved on Stripe's page of the key. */
const isOfKey: Record<Kind, boolean> = {
  keys_refused: false,
  address_refused: true,
  missing_right: true,
  not_activated: false,
  not_here: false,
  some_pages_refused: true,
  pages_refused: true,
  no_address: false,
};

export const nextSteps: Record<Kind, (rights: readonly string[]) => string> = {
  keys_refused: () => m.payment_setup_next_keys_refused(),
  address_refused: () => m.payment_setup_next_address_refused(),
  missing_right: (rights) => m.payment_setup_next_missing_right({ rights: rightsWords(rights) }),
  not_activated: () => m.payment_setup_next_not_activated(),
  not_here: () => m.payment_setup_next_not_here(),
  some_pages_refused: () => m.payment_setup_next_some_pages_refused(),
  pages_refused: () => m.payment_setup_next_pages_refused(),
  no_address: () => m.payment_setup_next_no_address(),
};

/** Has the current key set checked now. */
export function LookAgain() {
  const { lookAgain } = useSetupCalls();
  return (
    <Button
      variant="default"
      loading={lookAgain.isPending}
      onClick={() =>
        lookAgain.mutate(undefined, { onError: (error) => notify({ text: refusalWords(error), tone: 'bad' }) })
      }
    >
      {m.payment_setup_look_again()}
    </Button>
  );
}
