import { useSyncExternalStore } from 'react';
import type { User } from '#accounts/contract.ts';
import type { Role } from '#platform/http/viewer.ts';
import { api, ApiError, setUnauthorizedHandler, readToken, saveToken } from '#platform/web/api.ts';
import { createExternalStore } from '#platform/web/external-store.ts';

export interface Session {
  /**
   * The signed-in user; null for guests and before the first successful look-up. A look-up without an answer keeps the
   * last user.
   */
  user: User | null;
  role: Role;
  /** True after the first look-up, whatever its result; page guards wait for it. */
  initialized: boolean;
}

const signedOut: Session = { user: null, role: 'guest', initialized: false };
const session = createExternalStore(() => signedOut);
let firstLookUp: Promise<void> | null = null;
let knownBy: string | null = null;
/** The running look-up of the user; null: none is running. */
let lookUp: Promise<void> | null = null;
let isEnded = false;

/** The one session of the page; the server's rendering always sees a guest. */
export function useSession(): Session {
  return useSyncExternalStore(session.subscribe, session.read, readGuest);
}

export function readSession(): Session {
  return session.read();
}

/** Whether the look-up for the stored token got no answer. The user is then unknown, and the sign-in may be valid. */
export function hasUserLookupFailed({ user, initialized }: Session): boolean {
  return initialized && user === null && readToken() !== null;
}

/** Whether the last sign-in ended without the person's action. False again after the next sign-in. */
export function wasSignedOutByServer(): boolean {
  return isEnded && session.read().user === null;
}

/** Starts the first look-up of the user. Later calls wait for that look-up. */
export function startSession(): Promise<void> {
  firstLookUp ??= begin();
  return firstLookUp;
}

/** Clears the user and the token, after the server has ended the sign-in. */
export function clearUserAndToken(): void {
  saveToken(null);
  clearUser();
}

/** Treats the visitor as a guest until the next look-up; the token stays. */
export function clearUser(): void {
  change({ user: null, role: 'guest' });
}

export function setUser(user: User): void {
  change({ user, role: user.role });
}

/** Looks the user up again and drops a rejected token. Never throws. */
export function reloadUser(): Promise<void> {
  const begun = lookUserUp().finally(() => {
    if (lookUp === begun) lookUp = null;
  });
  lookUp = begun;
  return begun;
}

async function lookUserUp(): Promise<void> {
  const token = readToken();
  if (token === null) return change({ user: null, role: 'guest', initialized: true });
  let user = knownBy === token ? session.read().user : null;
  let isUnknown = false;
  try {
    ({ data: user } = await api('GET /v1/auth/user', {}, { timeout: 20_000 }));
  } catch (error) {
    isUnknown = error instanceof ApiError && error.status === 401;
  }
  // The person has signed out or in since, so the result for the older token is ignored.
  if (readToken() !== token) return lookUserUp();
  if (isUnknown) {
    user = null;
    saveToken(null);
  }
  isEnded = isUnknown || (isEnded && user === null);
  knownBy = token;
  change({ user, role: user?.role ?? 'guest', initialized: true });
}

async function begin(): Promise<void> {
  // Another tab has signed in or out, so the user is looked up again.
  addEventListener('storage', (event) => {
    if (event.key === 'token' || event.key === null) void reloadUser();
  });
  // A 401 or 403 means that the sign-in or role changed elsewhere. While a look-up is running, no second look-up is
  // started, because the refused call may be the look-up itself.
  setUnauthorizedHandler(() => lookUp ?? reloadUser());
  addEventListener('online', () => void (hasUserLookupFailed(session.read()) && reloadUser()));
  await reloadUser();
}

function change(part: Partial<Session>): void {
  session.set({ ...session.read(), ...part });
}

function readGuest(): Session {
  return signedOut;
}
