import { queryOptions } from '@tanstack/react-query';
import type { Factors } from '#accounts/factor-contract.ts';
import { api } from '#platform/web/api.ts';
import type { Store } from '#store/contract.ts';
import { notify } from '#ui/web/notify.ts';
import { refusalWords } from '#ui/web/office/refusal-words.ts';

export interface FactorSectionProps {
  factors: Factors;
  store: Store;
  onChange: (answer: Factors) => void;
}

export const factorCallOptions = { timeout: 20_000 };

export const signInsQueryKey = ['sign-ins'];

export const factorsQuery = queryOptions({
  queryKey: ['factors'],
  queryFn: async ({ signal }) => (await api('GET /v1/auth/factors', {}, { signal, ...factorCallOptions })).data,
});

export function notifyFactorFailure(error: unknown): void {
  notify({ text: refusalWords(error), tone: 'bad' });
}
