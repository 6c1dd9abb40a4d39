import type { PresetKind } from '#accounts/sign-in-kinds.ts';

/** Why a company does not send browsers back to an address. */
export type ReturnProblem = 'https' | 'domain';

/** Google accepts plain http for `localhost` only, and no numeric address; Apple accepts neither of the three. */
export function returnProblem(kind: PresetKind, address: string): ReturnProblem | null {
  const { protocol, hostname } = new URL(address);
  const isLocal = hostname === 'localhost' || hostname.endsWith('.localhost');
  if (isNumeric(hostname) || (isLocal && kind === 'apple')) return 'domain';
  return protocol === 'https:' || isLocal ? null : 'https';
}

function isNumeric(hostname: string): boolean {
  return hostname.startsWith('[') || /^\d+(\.\d+){3}$/.test(hostname);
}
