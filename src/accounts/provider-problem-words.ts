import { m } from '#messages';
import type { SignInProvider } from '#accounts/provider-contract.ts';

type ProblemKind = NonNullable<SignInProvider['problem']>['kind'];

export function providerProblemWords(
  problem: ProblemKind,
  { kind, name }: Pick<SignInProvider, 'kind' | 'name'>,
): string {
  if (problem === 'client_refused') {
    return kind === 'apple' ? m.accounts_provider_apple_refused() : m.accounts_provider_client_refused({ name });
  }
  const words = {
    away: () => m.accounts_provider_away({ name }),
    no_provider: () => m.accounts_provider_none({ name }),
    return_refused: () => m.accounts_provider_return_refused({ name }),
    clock: () => m.accounts_provider_clock({ name }),
    not_here: () => m.accounts_provider_not_here(),
    twice: () => m.accounts_provider_twice({ name }),
  };
  return words[problem]();
}
