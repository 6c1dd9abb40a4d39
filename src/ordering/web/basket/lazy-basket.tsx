import { createElement, Suspense, useEffect, useSyncExternalStore } from 'react';
import { m } from '#messages';
import { hasBasketLines, useDeferredBasketPart } from '#ordering/web/basket/basket-store.ts';
import { EmptyBasket } from '#ordering/web/basket/empty-basket.tsx';
import { lazyPart } from '#ui/web/lazy-part.ts';

const load = () => import('#ordering/web/basket/basket-panels.tsx');
// If the code cannot be loaded, the link in the page's header still leads to the checkout.
const filledAside = lazyPart(async () => (await load()).BasketAside, Missing);
const filledBar = lazyPart(async () => (await load()).FilledBasketBar, Missing);

export const basketAsideId = 'basket';
/** The media query for screens with room for the basket beside the menu: the breakpoint `lg`. */
const wide = '(width >= 64rem)';

/**
 * The basket beside the menu, on a wide screen. The pricing code is loaded once the basket has content, or the page is
 * idle.
 */
export function LazyBasketAside() {
  // On a phone this basket is hidden and counts as empty, because it would otherwise render at every change.
  const isWide = useSyncExternalStore(
    subscribeToWidth,
    () => matchMedia(wide).matches,
    () => false,
  );
  const isEmpty = !useDeferredBasketPart(hasBasketLines) || !isWide;
  useEffect(() => {
    const timer = setTimeout(() => void load().catch(() => undefined), 400);
    return () => clearTimeout(timer);
  }, []);
  return (
    <aside
      id={basketAsideId}
      tabIndex={-1}
      aria-label={m.ordering_basket()}
      className="card sticky top-4 hidden max-h-[var(--room,calc(100dvh-2rem))] flex-col self-start overflow-hidden lg:flex"
    >
      {isEmpty ? (
        <>
          <h2 className="px-5 pt-5 pb-1 text-2xl">{m.ordering_basket()}</h2>
          <EmptyBasket />
        </>
      ) : (
        <Suspense fallback={<div className="skeleton m-5 h-40" />}>{createElement(filledAside())}</Suspense>
      )}
    </aside>
  );
}

/** The basket's bar at the bottom of a phone's screen. Its code is loaded once the basket has content. */
export function BasketBar() {
  const isFilled = useDeferredBasketPart(hasBasketLines);
  return (
    <>
      <p id={basketNewsId} role="status" className="sr-only" />
      {isFilled && <Suspense fallback={null}>{createElement(filledBar())}</Suspense>}
    </>
  );
}

function Missing() {
  return null;
}

function subscribeToWidth(listener: () => void): () => void {
  const query = matchMedia(wide);
  query.addEventListener('change', listener);
  return () => query.removeEventListener('change', listener);
}

/**
 * The id of the live region for news of the basket. The region is rendered before there is news, because screen readers
 * miss a region that is added together with its text.
 */
const basketNewsId = 'basket-news';

/**
 * Announces to screen readers that dishes were put into the basket. React rendered the region empty and never
 * overwrites its text.
 */
export function announceBasketChange(words: string): void {
  const region = document.getElementById(basketNewsId);
  if (!region) return;
  // The region is emptied first; otherwise the same dish would not be announced a second time.
  region.replaceChildren();
  setTimeout(() => region.replaceChildren(words), 100);
}
