import { ownPath } from '#accounts/guard.ts';

const key = 'login_redirect';

/** Keeps the wanted path until a sign-in, for this tab only. */
export function storePath(path: string): void {
  sessionStorage.setItem(key, path);
}

/** The stored path, once; null when there is none or it is not of our own origin. */
export function takeStoredPath(): string | null {
  const path = sessionStorage.getItem(key);
  sessionStorage.removeItem(key);
  return ownPath(path, location.origin);
}
