import { type ComponentType, useCallback, useEffect, useRef, useState, useSyncExternalStore } from 'react';
import { personalStorageKeys } from '#accounts/web/personal-storage.ts';
import { useSession } from '#accounts/web/session.ts';
import { hasBasketLines, readBasket, useDeferredBasketPart } from '#ordering/web/basket/basket-store.ts';
import { readToken } from '#platform/web/api.ts';
import { OptionalContent } from '#shop/web/error-boundary.tsx';

/** On the server, Node warns of each look at the storage. */
const isInBrowser = typeof window !== 'undefined';

/** Whether a page shows open and usual orders: the pages on which customers choose. */
export function showsOpenOrders(path: string): boolean {
  return path === '/' || path === '/menu';
}

interface Parts {
  Open?: ComponentType;
  Usual?: ComponentType<{ onSettled: () => void }>;
}

/**
 * Loads the code of open and usual orders while the page is hydrated, if this browser may have such orders. A customer
 * who returns to order again would otherwise wait for this code.
 */
export function preloadOrdersCode(): void {
  if (!hasToken() && !mayHaveOrders()) return;
  void Promise.all([loadOpen(), loadUsual()]).catch(() => undefined);
}

/**
 * This browser's open orders, and the customer's usual orders. Their code is loaded only if there may be such orders.
 * Until then their last height is reserved, so that they push nothing down. `prefetchCheckout` is called once the
 * customer may go to the checkout.
 */
export function LazyOpenOrders({ prefetchCheckout }: { prefetchCheckout: () => void }) {
  const [parts, setParts] = useState<Parts>({});
  const { role, initialized } = useSession();
  const isWanted = role === 'customer' || mayHaveOrders();
  // Until the user is known, they may be a customer.
  const mayBeWanted = isWanted || (!initialized && hasToken());
  const content = useRef<HTMLDivElement>(null);
  const [isSettled, setSettled] = useState(false);
  const lastHeight = useSyncExternalStore(
    neverChanges,
    () => (mayBeWanted && !hidesUsual() ? Number(readStored('usualHeight')) : 0),
    () => null,
  );
  const onSettled = useCallback(() => {
    if (!hidesUsual()) store('usualHeight', String(content.current?.getBoundingClientRect().height ?? 0));
    setSettled(true);
  }, []);
  useEffect(() => {
    if (!isWanted) return;
    let isGone = false;
    const show = (shown: Parts) => !isGone && setParts((before) => ({ ...before, ...shown }));
    // The two are loaded separately: without a connection the code of the usual orders may fail to load, but the open
    // orders must still be shown.
    loadOpen().then((Open) => show({ Open }), ignore);
    loadUsual().then(
      (Usual) => show({ Usual }),
      () => setSettled(true),
    );
    return () => {
      isGone = true;
    };
  }, [isWanted]);
  const isFilled = useDeferredBasketPart(hasBasketLines);
  const mayCheckOut = isFilled || parts.Usual !== undefined;
  useEffect(() => {
    if (mayCheckOut) prefetchCheckout();
  }, [mayCheckOut, prefetchCheckout]);
  // In the server's HTML, a script of the page has set the height before the first paint.
  const reserved = lastHeight ?? 'var(--usual-height, 0)';
  return (
    <div className="flex flex-col" style={{ minHeight: isSettled ? 0 : reserved }}>
      <div ref={content}>
        <div role="status">
          {parts.Open && (
            <OptionalContent onError={ignore}>
              <parts.Open />
            </OptionalContent>
          )}
        </div>
        {parts.Usual && (
          <OptionalContent onError={() => setSettled(true)}>
            <parts.Usual onSettled={onSettled} />
          </OptionalContent>
        )}
      </div>
      {!isSettled && !!lastHeight && <OrdersSkeleton hasUsual={lastHeight > heightOfOpenOrder} />}
    </div>
  );
}

/** The height of the link to one open order, in px. The usual orders are higher. */
const heightOfOpenOrder = 120;

function OrdersSkeleton({ hasUsual }: { hasUsual: boolean }) {
  return (
    // Beside an order that is shown already, the skeleton takes only the rest of the reserved height.
    <div aria-hidden="true" className="flex min-h-0 flex-[1_1_0] overflow-hidden">
      <div className="mx-auto flex w-full max-w-page flex-1 flex-col gap-3 px-4 py-4 lg:px-8">
        {hasUsual && <div className="skeleton h-7 w-32" />}
        <div className={`skeleton flex-1 ${hasUsual ? 'w-[min(18rem,85%)]' : ''}`} />
      </div>
    </div>
  );
}

async function loadOpen(): Promise<ComponentType> {
  const [{ OpenOrderLinks }, { withQueryCache }] = await Promise.all([
    import('#ordering/web/order/open-orders.tsx'),
    import('#shop/web/queries.tsx'),
  ]);
  return withQueryCache(OpenOrderLinks);
}

async function loadUsual(): Promise<NonNullable<Parts['Usual']>> {
  const [{ UsualOrders }, { withQueryCache }] = await Promise.all([
    import('#ordering/web/order/usual-orders.tsx'),
    import('#shop/web/queries.tsx'),
  ]);
  return withQueryCache(UsualOrders);
}

function hasToken(): boolean {
  return isInBrowser && readToken() !== null;
}

function mayHaveOrders(): boolean {
  return readStored('orderSessions') !== null || readStored('favouriteDishes') !== null;
}

/** Whether the usual orders are hidden, because the basket has dishes. */
function hidesUsual(): boolean {
  return hasBasketLines(readBasket());
}

const neverChanges = () => () => {};

function readStored(name: keyof typeof personalStorageKeys): string | null {
  if (!isInBrowser) return null;
  try {
    return localStorage.getItem(personalStorageKeys[name]);
  } catch {
    return null;
  }
}

function store(name: keyof typeof personalStorageKeys, value: string): void {
  try {
    localStorage.setItem(personalStorageKeys[name], value);
  } catch {
    // Without storage the next visit reserves no height.
  }
}

function ignore(): void {}
