import { m } from '#messages';
import type { ProviderDetails } from '#accounts/provider-contract.ts';
import type { SignInKind } from '#database/sign-in-columns.ts';
import type { FieldErrors } from '#platform/errors.ts';

export type WholeDetails = Required<ProviderDetails>;

type Rule = [field: keyof ProviderDetails, isRight: (typed: string, all: WholeDetails) => boolean, words: () => string];

const appleName = /^[A-Z0-9]{10}$/;
const wanted = (typed: string): boolean => typed !== '';

/** The required fields, by kind, and common wrong pastes. Each field's first broken rule counts. */
const rules: Record<SignInKind, readonly Rule[]> = {
  google: [
    ['client_id', wanted, () => m.accounts_provider_client_id_missing()],
    ['client_id', (typed) => /^\S+\.apps\.googleusercontent\.com$/.test(typed), () => m.accounts_provider_google_id()],
    ['client_secret', wanted, () => m.accounts_provider_secret_missing()],
    ['client_secret', isNoId, () => m.accounts_provider_google_secret()],
  ],
  apple: [
    ['client_id', wanted, () => m.accounts_provider_services_id_missing()],
    ['client_id', (typed) => /^[\w-]+(\.[\w-]+)+$/.test(typed), () => m.accounts_provider_services_id()],
    ['team_id', (typed) => appleName.test(typed), () => m.accounts_provider_team_id()],
    ['key_id', (typed) => appleName.test(typed), () => m.accounts_provider_key_id()],
    ['key_id', (typed, { team_id: team }) => typed !== team, () => m.accounts_provider_key_id_is_team()],
    ['private_key', wanted, () => m.accounts_provider_private_key_missing()],
    ['private_key', (typed) => typed.includes('-----BEGIN PRIVATE KEY-----'), () => m.accounts_provider_private_key()],
  ],
  other: [
    ['name', wanted, () => m.accounts_provider_name_missing()],
    ['issuer', (typed) => URL.canParse(typed), () => m.accounts_provider_issuer_missing()],
    ['client_id', wanted, () => m.accounts_provider_client_id_missing()],
  ],
};

/** Messages by field; empty if all is there. Whether it is right, only the provider knows. */
export function checkDetails(kind: SignInKind, details: WholeDetails): FieldErrors {
  const errors: FieldErrors = {};
  for (const [field, isRight, words] of rules[kind]) {
    if (!errors[field] && !isRight(details[field], details)) errors[field] = [words()];
  }
  return errors;
}

function isNoId(typed: string): boolean {
  return !typed.endsWith('.apps.googleusercontent.com');
}
