import type { Access } from '#platform/http/endpoint.ts';

export type Role = 'guest' | 'customer' | 'store_admin' | 'admin';

/** Who makes a request, as far as the access rules care. */
export interface Viewer {
  role: Role;
  /** null for a guest. */
  id: string | null;
  name: string;
  /** The stores a store_admin works in. */
  storeIds: readonly string[];
  /** The sign-in the request came with, so that signing out ends just this one. */
  signInId: string | null;
}

export const guest: Viewer = { role: 'guest', id: null, name: 'guest', storeIds: [], signInId: null };

const rank: Record<Role, number> = { guest: 0, customer: 1, store_admin: 2, admin: 3 };

export function mayCall(viewer: Viewer, access: Access): boolean {
  return rank[viewer.role] >= rank[access];
}

/** True for any admin, and for a store_admin of this very store. */
export function isStaffOf(viewer: Viewer, storeId: string): boolean {
  return viewer.role === 'admin' || (viewer.role === 'store_admin' && viewer.storeIds.includes(storeId));
}

export function isStaff(viewer: Viewer): boolean {
  return viewer.role === 'admin' || viewer.role === 'store_admin';
}
