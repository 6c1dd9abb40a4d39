import type { Endpoint } from '#platform/http/endpoint.ts';

export type Role = 'guest' | 'customer' | 'store_admin' | 'admin';

/** Who makes a request, as far as the access rules care. */
export interface Viewer {
  role: Role;
  /** null for a guest. */
  id: string | null;
  name: string;
  /** The ids of what a store_admin's access is limited to: what they name is the host's to say. */
  scopes: readonly string[];
  /** The sign-in the request came with, so that signing out ends just this one. */
  signInId: string | null;
  /** When the person last showed, on this sign-in, who they are. */
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

/** What a viewer is signed in by, as a text: a sign-in or a device. null for a guest. */
export function signedInBy({ id, signInId, isDevice }: Viewer): string | null {
  return isDevice ? `device ${id ?? ''}` : signInId && `sign-in ${signInId}`;
}

const freshFor = 15 * 60_000;

/** Until when the sign-in counts as fresh. */
export function freshUntil(provenAt: Date): Date {
  return new Date(provenAt.getTime() + freshFor);
}

/** Whether the person has shown who they are within the last 15 minutes. A device never has. */
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
