import type { Role } from '#platform/http/viewer.ts';

export type PageAccess = 'everyone' | 'guests' | readonly Role[];

export type GuardDecision =
  | { kind: 'show' }
  | { kind: 'wait' }
  /** `remember`: whether the requested path is stored, to be opened after the sign-in. */
  | { kind: 'go'; to: string; remember: boolean };

/**
 * Decides whether a visitor sees a page or is redirected: guests to /login, others to `/`. Returns `wait` before the
 * first look-up of the session.
 */
export function guardPage(access: PageAccess, session: { role: Role; initialized: boolean }): GuardDecision {
  if (access === 'everyone') return { kind: 'show' };
  if (!session.initialized) return { kind: 'wait' };
  const isGuest = session.role === 'guest';
  if (access === 'guests') return isGuest ? { kind: 'show' } : { kind: 'go', to: '/', remember: false };
  if (isGuest) return { kind: 'go', to: '/login', remember: true };
  return access.includes(session.role) ? { kind: 'show' } : { kind: 'go', to: '/', remember: false };
}

const landings: Partial<Record<Role, string>> = { admin: '/store/orders', store_admin: '/kitchen' };

/** The page after a sign-in: the stored path if this role may see it, otherwise the role's start page. */
export function pathAfterSignIn(role: Role, storedPath: string | null, accessOf: (path: string) => PageAccess): string {
  const isTheirs = storedPath !== null && guardPage(accessOf(storedPath), { role, initialized: true }).kind === 'show';
  return isTheirs ? storedPath : (landings[role] ?? '/');
}

/**
 * Returns the wanted path with its query and hash; null for an address outside `origin`, such as `//elsewhere.example`
 * or `javascript:`.
 */
export function sameOriginPath(wanted: string | null, origin: string): string | null {
  if (!wanted?.startsWith('/')) return null;
  try {
    const url = new URL(wanted, origin);
    return url.origin === origin ? url.pathname + url.search + url.hash : null;
  } catch {
    return null;
  }
}
