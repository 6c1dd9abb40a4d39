import { useEffect, useState } from 'react';
import { useSession } from '#accounts/web/session.ts';
import { m } from '#messages';
import { orderSessionHeader } from '#ordering/web/order/stored-order-sessions.ts';
import { api } from '#platform/web/api.ts';
import type { PushSubscription } from '#push/contract.ts';
import {
  findBrowserSubscription,
  PushRefusedError,
  pushState,
  PushUnavailableError,
  subscribeDevice,
} from '#push/web/this-device.ts';
import { formFailureOf } from '#ui/web/form-errors.ts';
import { personalStorageKeys } from '#accounts/web/personal-storage.ts';

export type OrderPushState =
  /** The state in server rendering, and in a browser until permission and subscription are read. */
  | { kind: 'unknown' }
  | { kind: 'off' }
  | { kind: 'on' }
  | { kind: 'refused' }
  | { kind: 'needs_home_screen' }
  | { kind: 'unable' };

export function useOrderPush(id: string) {
  const { user, initialized } = useSession();
  const userId = user?.id ?? null;
  const [push, setPush] = useState<OrderPushState>({ kind: 'unknown' });
  const [isBusy, setBusy] = useState(false);
  const [failure, setFailure] = useState<string | null>(null);
  useEffect(() => {
    if (!initialized) return;
    let isGone = false;
    void readOrderPush(id, userId).then((found) => !isGone && setPush(found));
    return () => {
      isGone = true;
    };
  }, [id, userId, initialized]);
  const change = async (work: () => Promise<OrderPushState>) => {
    if (isBusy) return;
    setBusy(true);
    setFailure(null);
    try {
      setPush(await work());
    } catch (error) {
      if (error instanceof PushRefusedError) setPush(await readOrderPush(id, userId));
      else setFailure(error instanceof PushUnavailableError ? m.ordering_push_unable_now() : failureWords(error));
    } finally {
      setBusy(false);
    }
  };
  return {
    push,
    isBusy,
    failure,
    turnOn: (all: boolean) => change(async () => follow({ id, userId, all }, await subscribeDevice())),
    turnOff: () => change(() => unfollow(id, userId)),
  };
}

export async function readOrderPush(id: string, userId: string | null): Promise<OrderPushState> {
  const state = pushState();
  if (state === 'unasked') return { kind: 'off' };
  if (state !== 'allowed') return { kind: state };
  const subscription = await findBrowserSubscription().catch(() => 'unreadable' as const);
  // A browser whose storage is broken refuses to read the subscription.
  if (subscription === 'unreadable') return { kind: 'unable' };
  const { all, ids } = readFollowedOrders(userId);
  const isFollowed = ids.includes(id);
  if (!subscription || !(all || isFollowed)) return { kind: 'off' };
  // The order is followed again at each visit, because the browser's push address may have changed. If all orders of
  // the account are followed (`all`), this call also adds a new order.
  return follow({ id, userId, all }, subscription).catch(() => ({ kind: isFollowed ? 'on' : 'off' }));
}

interface Following {
  id: string;
  userId: string | null;
  all: boolean;
}

async function follow({ id, userId, all }: Following, subscription: PushSubscription): Promise<OrderPushState> {
  await api('POST /v1/orders/{id}/push', { id, subscription, own_orders: all }, orderCallOptions(id));
  saveFollowedOrder(id, userId, all);
  return { kind: 'on' };
}

async function unfollow(id: string, userId: string | null): Promise<OrderPushState> {
  const held = await findBrowserSubscription();
  if (held) await api('POST /v1/orders/{id}/push/stop', { id, endpoint: held.endpoint }, orderCallOptions(id));
  removeFollowedOrder(id, userId);
  return { kind: 'off' };
}

function orderCallOptions(id: string) {
  return { headers: orderSessionHeader(id), timeout: 20_000 };
}

function failureWords(error: unknown): string {
  return formFailureOf(error).message ?? m.platform_internal();
}

const storageKey = personalStorageKeys.followedOrders;
const kept = 30;

interface Followed {
  /** The user who turned notifications on; null: a guest. When a user signs out, their notifications are turned off. */
  user: string | null;
  all: boolean;
  ids: string[];
}

/** Reads the orders that this browser follows, as a guest or as this user, but not as another user. */
export function readFollowedOrders(user: string | null): Followed {
  const held = load();
  return held.user === null || held.user === user ? held : { user, all: false, ids: [] };
}

export function saveFollowedOrder(id: string, user: string | null, all: boolean): void {
  const { ids } = readFollowedOrders(user);
  keep({ user, all, ids: [id, ...ids.filter((other) => other !== id)].slice(0, kept) });
}

export function removeFollowedOrder(id: string, user: string | null): void {
  keep({ user, all: false, ids: readFollowedOrders(user).ids.filter((other) => other !== id) });
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
    // The browser refuses storage, so it forgets that this order's notifications are on. At the next visit, the page of
    // the order offers to turn them on again.
  }
}
