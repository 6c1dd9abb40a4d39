import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import type { ProviderDetails, SignInProviderSetup } from '#accounts/provider-contract.ts';
import type { SignInProviderKind } from '#database/column-values.ts';
import { api, type ApiInput } from '#platform/web/api.ts';
import { m } from '#messages';

const key = ['sign-in-providers'];
/** The timeout (ms) of a call for which the server asks the provider. It is long, because the provider may be slow. */
const timeout = 40_000;

export function useSignInProviders() {
  return useQuery({
    queryKey: key,
    queryFn: async ({ signal }) => (await api('GET /v1/sign-in-providers', {}, { signal, timeout: 20_000 })).data,
    // The list is polled, because a customer's sign-in may reveal or clear a provider's problem.
    refetchInterval: 30_000,
  });
}

export function useSignInProviderCalls() {
  const client = useQueryClient();
  const show = (data: SignInProviderSetup) => client.setQueryData(key, data);
  const refetch = () => client.invalidateQueries({ queryKey: key });
  return {
    add: useMutation({
      mutationFn: async (details: ProviderDetails & { kind: SignInProviderKind }) =>
        (await api('POST /v1/sign-in-providers', details, { timeout })).data,
      onSuccess: show,
    }),
    change: useMutation({
      mutationFn: async (change: ProviderDetails & { id: string; is_on?: boolean }) =>
        (await api('PATCH /v1/sign-in-providers/{id}', change, { timeout })).data,
      onSuccess: show,
    }),
    remove: useMutation({
      mutationFn: (id: string) => api('DELETE /v1/sign-in-providers/{id}', { id }, { timeout: 20_000 }),
      onSuccess: refetch,
    }),
    beginTrial: useMutation({
      mutationFn: async (id: string) => (await api('POST /v1/sign-in-providers/{id}/trial', { id }, { timeout })).data,
      onError: refetch,
    }),
    endTrial: useMutation({
      mutationFn: async (answer: ApiInput<'POST /v1/sign-in-trial'>) =>
        (await api('POST /v1/sign-in-trial', answer, { timeout })).data,
      onSettled: refetch,
    }),
  };
}

export const providerKindWords: Record<SignInProviderKind, { add: () => string }> = {
  google: { add: () => m.accounts_providers_add_google() },
  apple: { add: () => m.accounts_providers_add_apple() },
  other: { add: () => m.accounts_providers_add_other() },
};

export const providerConsoleUrls = {
  googleClients: 'https://console.cloud.google.com/auth/clients',
  googleAudience: 'https://console.cloud.google.com/auth/audience',
  appleIdentifiers: 'https://developer.apple.com/account/resources/identifiers/list',
  appleKeys: 'https://developer.apple.com/account/resources/authkeys/list',
  appleMail: 'https://developer.apple.com/account/resources/services/configure',
} as const;
