import type { Endpoint } from '#platform/http/endpoint.ts';

export type Role = 'guest' | 'customer' | 'store_admin' | 'admin';

export interface Viewer {
  role: Role;
  /** The id of the person or device; null for a guest. */
  id: string | null;
  name: string;
  /**
   * The ids of the stores for which a store_admin may act. They are called scopes, because `platform` does not depend
   * on stores.
   */
  scopes: readonly string[];
  /** The id of the caller's sign-in, so that signing out ends only this sign-in. */
  signInId: string | null;
  /** When the person last proved their identity in this sign-in. */
  provenAt?: Date | null;
  /** Set if the caller is a device that is signed in as a board; `id` is then the device's id. */
  isDevice?: true;
}

export const guest: Viewer = { role: 'guest', id: null, name: 'guest', scopes: [], signInId: null };

const rank: Record<Role, number> = { guest: 0, customer: 1, store_admin: 2, admin: 3 };

type Called = Pick<Endpoint, 'access' | 'devices'>;

/** Whether the caller's role allows a call. The endpoint's `devices` may exclude devices, or all persons. */
export function mayCall(viewer: Viewer, { access, devices = access !== 'customer' }: Called): boolean {
  if (viewer.isDevice ? !devices : devices === 'only') return false;
  return rank[viewer.role] >= rank[access];
}

export function personIdOf({ id, isDevice }: Viewer): string | null {
  return isDevice ? null : id;
}

/** The key of the caller's sign-in or device; null for a guest. */
export function signInKeyOf({ id, signInId, isDevice }: Viewer): string | null {
  return isDevice ? `device ${id ?? ''}` : signInId && `sign-in ${signInId}`;
}

const freshFor = 15 * 60_000;

export function signInFreshUntil(provenAt: Date): Date {
  return new Date(provenAt.getTime() + freshFor);
}

/** Whether the caller proved their identity in the last 15 minutes; always false for a device. */
export function hasFreshSignIn({ provenAt }: Viewer, now: Date): boolean {
  return provenAt != null && signInFreshUntil(provenAt) > now;
}

/** Whether the caller is staff of a scope: any admin, or a store_admin with the scope. */
export function isStaffOf(viewer: Viewer, scope: string): boolean {
  return viewer.role === 'admin' || (viewer.role === 'store_admin' && viewer.scopes.includes(scope));
}

export function isStaff(viewer: Viewer): boolean {
  return viewer.role === 'admin' || viewer.role === 'store_admin';
}
