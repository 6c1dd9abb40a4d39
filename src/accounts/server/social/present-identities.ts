import type { IdentityRow } from '#accounts/server/social/identities.ts';
import { isSameIssuer, type SignInProviders } from '#accounts/server/social/providers.ts';
import type { UserRow } from '#accounts/server/users.ts';
import { presetNames, type SignInChoice } from '#accounts/sign-in-kinds.ts';
import type { Identity } from '#accounts/social-contract.ts';
import { keysOf } from '#platform/keys-of.ts';

type Known = Pick<SignInProviders, 'offered' | 'issuerOf'>;

export function presentIdentities(identities: readonly IdentityRow[], providers: Known): Identity[] {
  return identities.map((identity) => ({
    id: identity.id,
    ...providerOf(identity, providers),
    email: identity.email,
    created_at: identity.created_at.toISOString(),
    is_offered: isOffered(identity, providers),
  }));
}

/** Which provider an identity is of, also if the shop no longer offers it. */
export function providerOf({ issuer }: Pick<IdentityRow, 'issuer'>, providers: Known): Omit<SignInChoice, 'id'> {
  const known = providers.offered().find((provider) => isSameIssuer(provider.issuer, issuer));
  if (known) return { kind: known.kind, name: known.name };
  const preset = keysOf(presetNames).find((kind) => isSameIssuer(providers.issuerOf(kind), issuer));
  return preset ? { kind: preset, name: presetNames[preset] } : { kind: 'other', name: new URL(issuer).hostname };
}

/** Whether the account could not be signed in to without this identity. */
export function isLastWay(
  user: Pick<UserRow, 'password_hash'>,
  identity: IdentityRow,
  all: readonly IdentityRow[],
  providers: Known,
): boolean {
  if (user.password_hash !== null) return false;
  return !all.some((other) => other.id !== identity.id && isOffered(other, providers));
}

function isOffered({ issuer }: Pick<IdentityRow, 'issuer'>, providers: Known): boolean {
  return providers.offered().some((provider) => isSameIssuer(provider.issuer, issuer));
}
