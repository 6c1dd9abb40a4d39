import { keepPreviousData, useQuery } from '@tanstack/react-query';
import type { CardPayments } from '#payment/setup-contract.ts';
import { providerRow } from '#platform/card-providers.ts';
import { api } from '#platform/web/api.ts';
import type { Store } from '#store/contract.ts';

/**
 * Whether card payments are real, and why they may not be charged; undefined while unknown. A change of the keys also
 * changes the store, so it is asked for at once then.
 */
export function useCardPayments({ id, version, card_provider }: Store): CardPayments | undefined {
  const { data } = useQuery({
    queryKey: ['card-payments', id, version],
    queryFn: async ({ signal }) =>
      (await api('GET /v1/stores/{id}/card-payments', { id }, { signal, timeout: 20_000 })).data,
    placeholderData: keepPreviousData,
    refetchInterval: card_provider !== null && providerRow(card_provider).hasKeys ? 30_000 : 5 * 60_000,
  });
  return data;
}
