import { Alert, Button, Group } from '@mantine/core';
import { m } from '#messages';
import { keyProblemWords, keyPermissionListWords, providerMessageWords } from '#payment/key-problem-words.ts';
import type { KeySet, PaymentSetup } from '#payment/setup-contract.ts';
import { stripeDashboardUrls } from '#payment/stripe-dashboard-urls.ts';
import { NewTabLink } from '#ui/web/office/office-page.tsx';
import { notify } from '#ui/web/notify.ts';
import { refusalWords } from '#ui/web/office/refusal-words.ts';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { api } from '#platform/web/api.ts';

interface KeyProblemProps {
  current: KeySet;
  /** Opens the form for another key; null: the key is changed in the server's settings. */
  onChange: (() => void) | null;
}

export function KeyProblemAlert({ current, onChange }: KeyProblemProps) {
  const { mode, problem } = current;
  if (!problem) return null;
  const needsKey = problem.kind === 'keys_refused' || problem.kind === 'not_here';
  return (
    <Alert color="bad" mb="md" title={keyProblemWords(problem)}>
      {providerMessageWords(problem) && <p>{providerMessageWords(problem)}</p>}
      {keyRemedyWords[problem.kind](problem.rights)}
      <Group gap="xs" mt="sm">
        {needsKey && onChange && <Button onClick={onChange}>{m.payment_setup_change_key()}</Button>}
        {problem.kind === 'not_activated' && (
          <NewTabLink to={stripeDashboardUrls.activate}>{m.payment_setup_open_activate()}</NewTabLink>
        )}
        {isOfKey[problem.kind] && (
          <NewTabLink to={stripeDashboardUrls.keys(mode)}>{m.payment_setup_open_keys()}</NewTabLink>
        )}
        {problem.kind !== 'no_address' && <CheckKeysButton />}
      </Group>
    </Alert>
  );
}

type Kind = NonNullable<KeySet['problem']>['kind'];

/** Whether the owner can solve a problem of this kind on the key's page at Stripe. */
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

export const keyRemedyWords: Record<Kind, (rights: readonly string[]) => string> = {
  keys_refused: () => m.payment_setup_next_keys_refused(),
  address_refused: () => m.payment_setup_next_address_refused(),
  missing_right: (rights) => m.payment_setup_next_missing_right({ rights: keyPermissionListWords(rights) }),
  not_activated: () => m.payment_setup_next_not_activated(),
  not_here: () => m.payment_setup_next_not_here(),
  some_pages_refused: () => m.payment_setup_next_some_pages_refused(),
  pages_refused: () => m.payment_setup_next_pages_refused(),
  no_address: () => m.payment_setup_next_no_address(),
};

export function CheckKeysButton() {
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

const key = ['payment-setup'];
/** The timeout of a key's check in milliseconds; the check makes a dozen calls to the provider. */
const timeout = 60_000;

/** Reads the shop's keys, and polls fast while a trial is unfinished or webhooks do not arrive yet. */
export function usePaymentSetup() {
  return useQuery({
    queryKey: key,
    queryFn: async ({ signal }) => (await api('GET /v1/payments/setup', {}, { signal, timeout: 20_000 })).data,
    refetchInterval: ({ state }) => (isMoving(state.data) ? 2_000 : 30_000),
  });
}

function isMoving(setup: PaymentSetup | undefined): boolean {
  const current = setup?.current;
  if (!current) return false;
  const isTrying = current.trial?.state === 'open' || current.trial?.state === 'paid';
  return isTrying || ['missing', 'waiting', 'silent'].includes(current.webhook.state);
}

/** The owner's calls that change or check the keys; the page shows each result at once. */
export function useSetupCalls() {
  const client = useQueryClient();
  const onSuccess = ({ data }: { data: PaymentSetup }) => {
    client.setQueryData(key, data);
    // These queries show whether cards are offered.
    void client.invalidateQueries({ queryKey: ['stores'] });
    void client.invalidateQueries({ queryKey: ['card-payments'] });
  };
  return {
    use: useMutation({
      mutationFn: (input: { secret_key: string; is_test_wanted?: boolean }) =>
        api('POST /v1/payments/setup', input, { timeout }),
      onSuccess,
    }),
    stop: useMutation({
      mutationFn: () => api('DELETE /v1/payments/setup', {}, { timeout }),
      onSuccess,
    }),
    tryPayment: useMutation({
      mutationFn: () => api('POST /v1/payments/setup/trial', {}, { timeout }),
      onSuccess,
    }),
    lookAgain: useMutation({
      mutationFn: () => api('POST /v1/payments/setup/webhook', {}, { timeout }),
      onSuccess,
    }),
  };
}

export function useKeyCheck() {
  return useMutation({
    mutationFn: async (secret_key: string) =>
      (await api('POST /v1/payments/setup/check', { secret_key }, { timeout })).data,
  });
}
