import { m } from '#messages';
import type { SignInKind } from '#database/sign-in-columns.ts';

export const kindWords: Record<SignInKind, { add: () => string }> = {
  google: { add: () => m.accounts_providers_add_google() },
  apple: { add: () => m.accounts_providers_add_apple() },
  other: { add: () => m.accounts_providers_add_other() },
};

/** The companies' own pages on which a shop is registered. */
export const companyPages = {
  googleClients: 'https://console.cloud.google.com/auth/clients',
  googleAudience: 'https://console.cloud.google.com/auth/audience',
  appleIdentifiers: 'https://developer.apple.com/account/resources/identifiers/list',
  appleKeys: 'https://developer.apple.com/account/resources/authkeys/list',
  appleMail: 'https://developer.apple.com/account/resources/services/configure',
} as const;
