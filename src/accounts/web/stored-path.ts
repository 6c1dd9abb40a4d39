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

/** The stored path, consumed; null without one, or if it is not of this origin. */
export function takeStoredPath(): string | null {
  const path = readStoredPath();
  sessionStorage.removeItem(key);
  return path;
}

/** Goes on after a sign-in in this or another tab; the app shell provides it on every page. */
export const AfterSignIn = createContext<(role: Role) => void>(() => {
  throw new Error('No front end has said where a sign-in leads.');
});

/** Whether the sign-in leads to a staff page; the shell provides it. */
export const LeadsToOffice = createContext(false);
