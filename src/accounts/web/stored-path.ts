import { ownPath } from '#accounts/guard.ts';

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
