interface CardProvider {
  /** Its name for people; null for the sandbox, whose cards move no money. */
  label: string | null;
  /** It needs keys of the shop's account, and each payment uses the set that made it. */
  hasKeys: boolean;
  /** Its page also takes payments straight from a bank account. */
  takesBanks: boolean;
}

/** The companies that take card payments. Only a provider's own folder, and the set-up of its keys, compare names. */
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

/** A provider's row; an unknown one gets its name. */
export function providerRow(name: string): CardProvider {
  return rows[name] ?? { label: name, hasKeys: true, takesBanks: false };
}
