interface CardProvider {
  /** The provider's name for people; null for the sandbox, which moves no money. */
  label: string | null;
  /**
   * Whether the provider needs API keys of the shop's own account. If so, each payment keeps using the key set that
   * created it.
   */
  hasKeys: boolean;
  /** Whether the provider's payment page accepts payments from a bank account. */
  takesBanks: boolean;
}

/**
 * The card providers. Outside of the `payment` domain, code reads these flags and does not compare the providers'
 * names.
 */
export const cardProviders = {
  sandbox: { label: null, hasKeys: false, takesBanks: false },
  stripe: { label: 'Stripe', hasKeys: true, takesBanks: true },
} as const satisfies Record<string, CardProvider>;

export type CardProviderName = keyof typeof cardProviders;
export type KeyedCardProviderName = {
  [Name in CardProviderName]: (typeof cardProviders)[Name]['hasKeys'] extends true ? Name : never;
}[CardProviderName];

export const cardProviderNames: readonly CardProviderName[] = Object.keys(cardProviders) as CardProviderName[];

const rows: Readonly<Record<string, CardProvider>> = cardProviders;

/** A provider's properties; an unknown provider's label is its name. */
export function cardProviderOf(name: string): CardProvider {
  return rows[name] ?? { label: name, hasKeys: true, takesBanks: false };
}
