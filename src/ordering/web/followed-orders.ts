import { personKeys } from '#accounts/web/person-keys.ts';

const storageKey = personKeys.followedOrders;
const kept = 30;

interface Followed {
  /** The user who turned it on; null: a guest. Signing out ends it for an account. */
  user: string | null;
  /** Whether every order that is placed in this browser is followed. */
  all: boolean;
  ids: string[];
}

/** The orders that this browser follows, for a guest or for the user who is signed in now. */
export function followedOrders(user: string | null): Followed {
  const held = load();
  return held.user === null || held.user === user ? held : { user, all: false, ids: [] };
}

export function keepFollowed(id: string, user: string | null, all: boolean): void {
  const { ids } = followedOrders(user);
  keep({ user, all, ids: [id, ...ids.filter((other) => other !== id)].slice(0, kept) });
}

export function keepUnfollowed(id: string, user: string | null): void {
  keep({ user, all: false, ids: followedOrders(user).ids.filter((other) => other !== id) });
}

function load(): Followed {
  try {
    const held = JSON.parse(localStorage.getItem(storageKey) ?? '{}') as Partial<Followed>;
    return { user: held.user ?? null, all: held.all === true, ids: Array.isArray(held.ids) ? held.ids : [] };
  } catch {
    return { user: null, all: false, ids: [] };
  }
}

function keep(followed: Followed): void {
  try {
    localStorage.setItem(storageKey, JSON.stringify(followed));
  } catch {
    // Without storage the page asks again.
  }
}
