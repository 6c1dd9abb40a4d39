import { type ComponentType, useEffect, useState } from 'react';
import { personalStorageKeys } from '#accounts/web/person-keys.ts';
import { useSession } from '#accounts/web/session.ts';
import { hasBasketLines, useDeferredBasketPart } from '#ordering/web/basket/basket-store.ts';
import { readToken } from '#platform/web/api.ts';

/** Whether a page shows open and usual orders: the pages on which customers choose. */
export function showsOpenOrders(path: string): boolean {
  return path === '/' || path === '/menu';
}

/**
 * Loads the code of open and usual orders while the page is hydrated, if this browser may have such orders. Its customers
 * come to order again, and would wait for this code.
 */
export function preloadOrders(): void {
  if (readToken() === null && !mayHaveOrders()) return;
  void Promise.all([loadOpen(), loadUsual()]).catch(() => undefined);
}

/**
 * This browser's open orders, and the customer's usual orders. Their code is loaded only if there may be such orders.
 * `prefetchCheckout` is called once the customer may go to the checkout.
 */
export function LazyOpenOrders({ prefetchCheckout }: { prefetchCheckout: () => void }) {
  const [parts, setParts] = useState<{ Open?: ComponentType; Usual?: ComponentType }>({});
  const isWanted = useSession().role === 'customer' || mayHaveOrders();
  useEffect(() => {
    if (!isWanted) return;
    let isGone = false;
    const show = (shown: typeof parts) => !isGone && setParts((before) => ({ ...before, ...shown }));
    // Without a connection the usual orders may not load, and the open ones must show.
    loadOpen().then((Open) => show({ Open }), ignore);
    loadUsual().then((Usual) => show({ Usual }), ignore);
    return () => {
      isGone = true;
    };
  }, [isWanted]);
  const isFilled = useDeferredBasketPart(hasBasketLines);
  const mayCheckOut = isFilled || parts.Usual !== undefined;
  useEffect(() => {
    if (mayCheckOut) prefetchCheckout();
  }, [mayCheckOut, prefetchCheckout]);
  return (
    <>
      <div role="status">{parts.Open && <parts.Open />}</div>
      {parts.Usual && <parts.Usual />}
    </>
  );
}

async function loadOpen(): Promise<ComponentType> {
  const [{ OpenOrderLinks }, { withQueryCache }] = await Promise.all([
    import('#ordering/web/order/open-orders.tsx'),
    import('#shop/web/queries.tsx'),
  ]);
  return withQueryCache(OpenOrderLinks);
}

async function loadUsual(): Promise<ComponentType> {
  const [{ UsualOrders }, { withQueryCache }] = await Promise.all([
    import('#ordering/web/order/usual-orders.tsx'),
    import('#shop/web/queries.tsx'),
  ]);
  return withQueryCache(UsualOrders);
}

function mayHaveOrders(): boolean {
  return hasStored('orderSessions') || hasStored('favouriteDishes');
}

function hasStored(name: keyof typeof personalStorageKeys): boolean {
  try {
    return localStorage.getItem(personalStorageKeys[name]) !== null;
  } catch {
    return false;
  }
}

function ignore(): void {}
