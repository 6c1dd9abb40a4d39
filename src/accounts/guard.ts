import type { Role } from '#platform/http/viewer.ts';

/** The visitors of a page: everyone, only people who are not signed in, or the listed roles. */
export type PageAccess = 'everyone' | 'guests' | readonly Role[];

export type GuardDecision =
  | { kind: 'show' }
  | { kind: 'wait' }
  /** `remember`: the requested path is stored as the post-login redirect first. */
  | { kind: 'go'; to: string; remember: boolean };

/**
 * The specification's guards: a page that requires signing in sends a guest to /login and remembers the path; a page for
 * guests, and a page for another role, send home. Nothing is decided before the first look-up has ended.
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

/** Where a sign-in leads: the stored path if this role may see its page, or where the role's work is, or home. */
export function landingPath(role: Role, storedPath: string | null, accessOf: (path: string) => PageAccess): string {
  const isTheirs = storedPath !== null && guardPage(accessOf(storedPath), { role, initialized: true }).kind === 'show';
  return isTheirs ? storedPath : (landings[role] ?? '/');
}

/** A path within `origin` with its query, or null: `//elsewhere.example` and `javascript:` are not ours. */
export function ownPath(wanted: string | null, origin: string): string | null {
  if (!wanted?.startsWith('/')) return null;
  try {
    const url = new URL(wanted, origin);
    return url.origin === origin ? url.pathname + url.search + url.hash : null;
  } catch {
    return null;
  }
}
