import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import type { PaymentSetup } from '#payment/setup-contract.ts';
import { api } from '#platform/web/api.ts';

const key = ['payment-setup'];
/** Checks of a key are a dozen calls to the provider. */
const timeout = 60_000;

/** The shop's keys, asked for again every few seconds while something about them is on its way. */
export function useSetup() {
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

/** The owner's calls about the keys; each shows its answer at once. */
export function useSetupCalls() {
  const client = useQueryClient();
  const onSuccess = ({ data }: { data: PaymentSetup }) => {
    client.setQueryData(key, data);
    // Whether cards are offered, and the board's line about them.
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
