import { useEffect, useRef, useState } from 'react';
import { m } from '#messages';
import type { Order } from '#ordering/order.ts';
import { orderHeadline } from '#ordering/order-words.ts';
import { noPushExplanationWords } from '#ordering/web/order/use-order.ts';
import { nativeShell } from '#platform/web/native/native-shell.ts';
import { shopNow } from '#platform/web/clock.ts';
import type { Store } from '#store/contract.ts';
import { useStoreIfLoaded } from '#shop/web/shop.ts';
import { Icon } from '#ui/web/icon.tsx';

type Allowed = keyof typeof words;

/** Sends notifications of an order while the app runs. Returns whether the app may; null while unknown. */
export function useAppNotifications(order: Order): Allowed | null {
  const store = useStoreIfLoaded();
  const allowed = useAllowed();
  useNews(order, store, allowed === 'granted');
  return allowed;
}

/** Offers the app's user notifications of an order, and explains that Android may close the app. */
export function AppOrderPush({ order, allowed }: { order: Order; allowed: Allowed }) {
  return (
    <section aria-labelledby="push-title" className="card grid gap-4 p-5 sm:p-6" data-push={allowed}>
      <div className="grid gap-1">
        <h2 id="push-title" className="flex items-center gap-2 text-xl">
          <Icon name="bell" />
          {allowed === 'unasked' ? m.ordering_push_offer_title() : m.ordering_push_blocked_title()}
        </h2>
        <p>{words[allowed]()}</p>
        <p>{noPushExplanationWords(order)}</p>
      </div>
      {allowed === 'unasked' && (
        <div>
          <button type="button" className="btn btn-primary" onClick={() => nativeShell().askNotifications()}>
            {m.ordering_push_turn_on()}
          </button>
        </div>
      )}
    </section>
  );
}

const words = {
  unasked: m.ordering_push_app_offer,
  granted: m.ordering_push_app_on,
  denied: m.ordering_push_app_denied,
};

function useAllowed() {
  const [allowed, setAllowed] = useState(() => nativeShell().state()?.notifications ?? null);
  useEffect(() => nativeShell().onChange(() => setAllowed(nativeShell().state()?.notifications ?? null)), []);
  return allowed;
}

/** Notifies of every step of the order while the app is not visible. */
function useNews(order: Order, store: Store | null, isAllowed: boolean): void {
  const told = useRef(order.status);
  useEffect(() => {
    if (told.current === order.status) return;
    told.current = order.status;
    if (!isAllowed || !store || !document.hidden) return;
    nativeShell().notify({
      id: noticeId(order.id),
      title: m.ordering_push_title({ number: order.number, shop: store.name }),
      text: orderHeadline(order, store, new Date(shopNow())),
      path: `/orders/${order.id}`,
    });
  }, [order, store, isAllowed]);
}

/** The id of an order's notifications. They share one id, so that the newest replaces the earlier one. */
function noticeId(orderId: string): number {
  let sum = 0;
  for (const character of orderId) sum = (sum * 31 + character.charCodeAt(0)) % 900_000;
  return sum + 100;
}
