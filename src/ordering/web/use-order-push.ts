import { useEffect, useState } from 'react';
import { useSession } from '#accounts/web/session.ts';
import { m } from '#messages';
import { followedOrders, keepFollowed, keepUnfollowed } from '#ordering/web/followed-orders.ts';
import { sessionHeader } from '#ordering/web/order-sessions.ts';
import { api } from '#platform/web/api.ts';
import type { PushSubscription } from '#push/contract.ts';
import { heldSubscription, PushRefused, pushState, PushUnable, subscribeDevice } from '#push/web/this-device.ts';
import { failureOf } from '#ui/web/form-errors.ts';

export type OrderPush =
  /** On the server, and until the browser is known. */
  | { kind: 'unknown' }
  | { kind: 'off' }
  | { kind: 'on' }
  | { kind: 'refused' }
  | { kind: 'needs_home_screen' }
  | { kind: 'unable' };

/** Whether this browser is told of an order, and the ways to change that. */
export function useOrderPush(id: string) {
  const { user, initialized } = useSession();
  const userId = user?.id ?? null;
  const [push, setPush] = useState<OrderPush>({ kind: 'unknown' });
  const [isBusy, setBusy] = useState(false);
  const [failure, setFailure] = useState<string | null>(null);
  useEffect(() => {
    if (!initialized) return;
    let isGone = false;
    void whatIs(id, userId).then((found) => !isGone && setPush(found));
    return () => {
      isGone = true;
    };
  }, [id, userId, initialized]);
  const change = async (work: () => Promise<OrderPush>) => {
    if (isBusy) return;
    setBusy(true);
    setFailure(null);
    try {
      setPush(await work());
    } catch (error) {
      if (error instanceof PushRefused) setPush(await whatIs(id, userId));
      else setFailure(error instanceof PushUnable ? m.ordering_push_unable_now() : failureWords(error));
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

async function whatIs(id: string, userId: string | null): Promise<OrderPush> {
  const state = pushState();
  if (state === 'unasked') return { kind: 'off' };
  if (state !== 'allowed') return { kind: state };
  const subscription = await heldSubscription();
  const { all, ids } = followedOrders(userId);
  const isFollowed = ids.includes(id);
  if (!subscription || !(all || isFollowed)) return { kind: 'off' };
  // Said each time: the browser may have another address by now, and with `all` this order may be new.
  return follow({ id, userId, all }, subscription).catch(() => ({ kind: isFollowed ? 'on' : 'off' }));
}

interface Following {
  id: string;
  userId: string | null;
  all: boolean;
}

async function follow({ id, userId, all }: Following, subscription: PushSubscription): Promise<OrderPush> {
  await api('POST /v1/orders/{id}/push', { id, subscription, own_orders: all }, callOptions(id));
  keepFollowed(id, userId, all);
  return { kind: 'on' };
}

async function unfollow(id: string, userId: string | null): Promise<OrderPush> {
  const held = await heldSubscription();
  if (held) await api('POST /v1/orders/{id}/push/stop', { id, endpoint: held.endpoint }, callOptions(id));
  keepUnfollowed(id, userId);
  return { kind: 'off' };
}

function callOptions(id: string) {
  return { headers: sessionHeader(id), timeout: 20_000 };
}

function failureWords(error: unknown): string {
  return failureOf(error).message ?? m.platform_internal();
}
