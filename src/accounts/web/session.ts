import { useSyncExternalStore } from 'react';
import type { User } from '#accounts/contract.ts';
import type { Role } from '#platform/http/viewer.ts';
import { api, ApiError, onRefusal, readToken, storeToken } from '#platform/web/api.ts';
import { makeStore } from '#platform/web/store.ts';

export interface Session {
  /** null until a look-up succeeds, and for everyone who is not signed in; a later one without an answer changes nothing. */
  user: User | null;
  role: Role;
  /** True after the first look-up, whatever its end; guards wait for it. */
  initialized: boolean;
}

const signedOut: Session = { user: null, role: 'guest', initialized: false };
const session = makeStore(() => signedOut);
let firstLookUp: Promise<void> | null = null;
/** The token that the user was last seen with. */
let knownBy: string | null = null;
/** The look-up that goes on. */
let lookUp: Promise<void> | null = null;
/** Whether the server did not know the token of whoever was signed in. */
let isEnded = false;

/** The one session of the page; the server's rendering always sees a guest. */
export function useSession(): Session {
  return useSyncExternalStore(session.subscribe, session.read, readGuest);
}

export function readSession(): Session {
  return session.read();
}

/** Whether a look-up got no answer: nobody is known, but the server never said that the sign-in is over. */
export function isCutOff({ user, initialized }: Session): boolean {
  return initialized && user === null && readToken() !== null;
}

/** Whether somebody's sign-in ended without their doing, and nobody has signed in since. */
export function wasSignedOut(): boolean {
  return isEnded && session.read().user === null;
}

/** The first look-up. Calling it again waits for the same one. */
export function initialise(): Promise<void> {
  firstLookUp ??= begin();
  return firstLookUp;
}

/** Clears the user and the token where the server has ended them already. */
export function forgetUser(): void {
  storeToken(null);
  clearUser();
}

/** Nobody is known until the next look-up; the token stays. */
export function clearUser(): void {
  change({ user: null, role: 'guest' });
}

/** Takes what the server said about the user after a change. */
export function takeUser(user: User): void {
  change({ user, role: user.role });
}

/** Looks the user up again; a token that the server no longer knows is dropped. Never throws. */
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
  // Signed out, or in as somebody else, meanwhile: what was asked about an older token says nothing of now.
  if (readToken() !== token) return lookUserUp();
  if (isUnknown) {
    user = null;
    storeToken(null);
  }
  isEnded = isUnknown || (isEnded && user === null);
  knownBy = token;
  change({ user, role: user?.role ?? 'guest', initialized: true });
}

async function begin(): Promise<void> {
  // Signing in or out in another tab counts here too.
  addEventListener('storage', (event) => {
    if (event.key === 'token' || event.key === null) void reloadUser();
  });
  // A sign-in that was ended, or a role that was changed, elsewhere; the look-up itself may be what is refused.
  onRefusal(() => lookUp ?? reloadUser());
  addEventListener('online', () => void (isCutOff(session.read()) && reloadUser()));
  await reloadUser();
}

function change(part: Partial<Session>): void {
  session.set({ ...session.read(), ...part });
}

function readGuest(): Session {
  return signedOut;
}
