import type { SignInProviderKind } from '#database/column-values.ts';

export type PresetProviderKind = Exclude<SignInProviderKind, 'other'>;

export interface SignInChoice {
  /** The provider's id, for `POST /v1/auth/social/begin`. */
  id: string;
  kind: SignInProviderKind;
  name: string;
}

export const presetProviderNames: Record<PresetProviderKind, string> = { google: 'Google', apple: 'Apple' };
export const presetProviderIssuers: Record<PresetProviderKind, string> = {
  google: 'https://accounts.google.com',
  apple: 'https://appleid.apple.com',
};

/** A provider's claims about an address. Apple sends `"true"` for `true`. */
export interface AddressClaims {
  email?: unknown;
  email_verified?: unknown;
  /** Google: the domain of the organisation that manages the address. */
  hd?: unknown;
}

/**
 * Whether the provider confirms that the address is this person's now. Google is reliable only for its own addresses,
 * and for addresses that an organisation manages (`hd`).
 */
export function isAddressConfirmed(
  kind: SignInProviderKind,
  { email, email_verified: isVerified, hd }: AddressClaims,
): boolean {
  if (typeof email !== 'string' || (isVerified !== true && isVerified !== 'true')) return false;
  if (kind !== 'google') return true;
  return /@gmail\.com$/i.test(email.trim()) || (typeof hd === 'string' && hd !== '');
}

/** Whether Apple forwards mail to this address, because the person hides their own. */
export function isAppleRelayAddress(email: string): boolean {
  return /@privaterelay\.appleid\.com$/i.test(email);
}
