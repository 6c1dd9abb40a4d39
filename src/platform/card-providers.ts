interface CardProvider {
  /** Its name for people; null: it is no company, and takes cards that move no money. */
  label: string | null;
  /** It is asked with keys of the shop's own account, of which each payment remembers its own. */
  hasKeys: boolean;
  /** Its page also takes payments straight from a bank account. */
  takesBanks: boolean;
}

/** The companies that take card payments. Nothing outside a provider's own folder, and the set-up of its keys, asks for a name. */
export const cardProviders = {
  sandbox: { label: null, hasKeys: false, takesBanks: false },
  stripe: { label: 'Stripe', hasKeys: true, takesBanks: true },
} as const satisfies Record<string, CardProvider>;

export type ProviderName = keyof typeof cardProviders;
/** Of those that need keys. */
export type KeyedProviderName = {
  [Name in ProviderName]: (typeof cardProviders)[Name]['hasKeys'] extends true ? Name : never;
}[ProviderName];

export const providerNames: readonly ProviderName[] = Object.keys(cardProviders) as ProviderName[];

const rows: Readonly<Record<string, CardProvider>> = cardProviders;

/** The row of a provider; of one that this version does not know, its name. */
export function providerRow(name: string): CardProvider {
  return rows[name] ?? { label: name, hasKeys: true, takesBanks: false };
}
