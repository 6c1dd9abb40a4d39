import { sameOriginPath } from '#accounts/guard.ts';
import { createContext } from 'react';
import type { Role } from '#platform/http/viewer.ts';

const key = 'login_redirect';

export function saveSignInReturnPath(path: string): void {
  sessionStorage.setItem(key, path);
}

/** Reads the stored path without deleting it; null: none is stored, or the path is not of this origin. */
export function readSignInReturnPath(): string | null {
  return sameOriginPath(sessionStorage.getItem(key), location.origin);
}

/** Reads and deletes the stored path; null: none is stored, or the path is not of this origin. */
export function consumeSignInReturnPath(): string | null {
  const path = readSignInReturnPath();
  sessionStorage.removeItem(key);
  return path;
}

/** Opens the next page after a sign-in in this or another tab. Each front end's shell provides the function. */
export const AfterSignInContext = createContext<(role: Role) => void>(() => {
  throw new Error('No front end has said where a sign-in leads.');
});

/** Whether the next sign-in leads to a staff page. Each front end's shell provides the value. */
export const SignInLeadsToOfficeContext = createContext(false);
