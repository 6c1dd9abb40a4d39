import type { Endpoint } from '#platform/http/endpoint.ts';

export type Role = 'guest' | 'customer' | 'store_admin' | 'admin';

/** The caller of a request, as far as the access rules care. */
export interface Viewer {
  role: Role;
  /** null for a guest. */
  id: string | null;
  name: string;
  /** The scopes of a store_admin's access; the host gives each id its meaning. */
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

/**
 * By the role. A device makes the calls of staff and of guests; those about one's own account only where the row says so, because
 * it is no person.
 */
export function mayCall(viewer: Viewer, { access, devices = access !== 'customer' }: Called): boolean {
  if (viewer.isDevice ? !devices : devices === 'only') return false;
  return rank[viewer.role] >= rank[access];
}

/** The id of the person who calls; null for guests and devices. */
export function personOf({ id, isDevice }: Viewer): string | null {
  return isDevice ? null : id;
}

/** The sign-in or device of a viewer, as a text; null for a guest. */
export function signedInBy({ id, signInId, isDevice }: Viewer): string | null {
  return isDevice ? `device ${id ?? ''}` : signInId && `sign-in ${signInId}`;
}

const freshFor = 15 * 60_000;

/** Until when the sign-in counts as fresh. */
export function freshUntil(provenAt: Date): Date {
  return new Date(provenAt.getTime() + freshFor);
}

/** Whether the person has proved their identity within the last 15 minutes. A device never has. */
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
