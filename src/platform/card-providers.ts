interface CardProvider {
  /** The provider's name for people; null for the sandbox, whose cards move no money. */
  label: string | null;
  /** Whether the provider needs keys of an account of the shop. Each payment then uses the key set that made it. */
  hasKeys: boolean;
  /** Whether customers can also pay straight from a bank account on the provider's page. */
  takesBanks: boolean;
}

/**
 * The card providers. Only the code of a provider, and of the set-up of its keys, compares providers' names; other code
 * uses these flags.
 */
export const cardProviders = {
  sandbox: { label: null, hasKeys: false, takesBanks: false },
  stripe: { label: 'Stripe', hasKeys: true, takesBanks: true },
} as const satisfies Record<string, CardProvider>;

export type CardProviderName = keyof typeof cardProviders;
/** The names of the providers with `hasKeys`. */
export type KeyedCardProviderName = {
  [Name in CardProviderName]: (typeof cardProviders)[Name]['hasKeys'] extends true ? Name : never;
}[CardProviderName];

export const cardProviderNames: readonly CardProviderName[] = Object.keys(cardProviders) as CardProviderName[];

const rows: Readonly<Record<string, CardProvider>> = cardProviders;

/** A provider's properties; the label of an unknown provider is its name. */
export function cardProviderOf(name: string): CardProvider {
  return rows[name] ?? { label: name, hasKeys: true, takesBanks: false };
}
