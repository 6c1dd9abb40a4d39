import { ownPath } from '#accounts/guard.ts';
import { createContext } from 'react';
import type { Role } from '#platform/http/viewer.ts';

const key = 'login_redirect';

/** Stores the wanted path until a sign-in, for this tab only. */
export function storePath(path: string): void {
  sessionStorage.setItem(key, path);
}

/** The stored path, which stays; null like `takeStoredPath`. */
export function readStoredPath(): string | null {
  return ownPath(sessionStorage.getItem(key), location.origin);
}

/** The stored path, once; null when there is none or it is not of our own origin. */
export function takeStoredPath(): string | null {
  const path = readStoredPath();
  sessionStorage.removeItem(key);
  return path;
}

/** Leads a person on after signing in, here or in another tab; provided by the shell, which knows every page. */
export const AfterSignIn = createContext<(role: Role) => void>(() => {
  throw new Error('No front end has said where a sign-in leads.');
});

/** Whether the sign-in leads to a page of the staff; provided likewise. */
export const LeadsToOffice = createContext(false);
