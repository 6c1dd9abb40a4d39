import type { Endpoint } from '#platform/http/endpoint.ts';

export type Role = 'guest' | 'customer' | 'store_admin' | 'admin';

/** A request's caller for the access rules. */
export interface Viewer {
  role: Role;
  /** null for a guest. */
  id: string | null;
  name: string;
  /** The scopes of a store_admin; the host defines the ids' meaning. */
  scopes: readonly string[];
  /** The sign-in of the request, so that signing out ends just this one. */
  signInId: string | null;
  /** When the person last proved their identity on this sign-in. */
  provenAt?: Date | null;
  /** A tablet or a browser that is signed in as itself: its id is no person's. */
  isDevice?: true;
}

export const guest: Viewer = { role: 'guest', id: null, name: 'guest', scopes: [], signInId: null };

const rank: Record<Role, number> = { guest: 0, customer: 1, store_admin: 2, admin: 3 };

type Called = Pick<Endpoint, 'access' | 'devices'>;

/** By role. A device makes the calls of staff and guests, and an account's own only where the row allows it. */
export function mayCall(viewer: Viewer, { access, devices = access !== 'customer' }: Called): boolean {
  if (viewer.isDevice ? !devices : devices === 'only') return false;
  return rank[viewer.role] >= rank[access];
}

/** The id of the person who calls; null for guests and devices. */
export function personOf({ id, isDevice }: Viewer): string | null {
  return isDevice ? null : id;
}

/** The key of a viewer's sign-in or device; null for a guest. */
export function signedInBy({ id, signInId, isDevice }: Viewer): string | null {
  return isDevice ? `device ${id ?? ''}` : signInId && `sign-in ${signInId}`;
}

const freshFor = 15 * 60_000;

/** Until when the sign-in counts as fresh. */
export function freshUntil(provenAt: Date): Date {
  return new Date(provenAt.getTime() + freshFor);
}

/** Whether the person proved their identity in the last 15 minutes. Devices never do. */
export function isFresh({ provenAt }: Viewer, now: Date): boolean {
  return provenAt != null && freshUntil(provenAt) > now;
}

/** True for any admin, and for a store_admin whose access includes the scope. */
export function isStaffOf(viewer: Viewer, scope: string): boolean {
  return viewer.role === 'admin' || (viewer.role === 'store_admin' && viewer.scopes.includes(scope));
}

export function isStaff(viewer: Viewer): boolean {
  return viewer.role === 'admin' || viewer.role === 'store_admin';
}
