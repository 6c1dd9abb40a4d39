import { createElement, Suspense, useEffect, useSyncExternalStore } from 'react';
import { m } from '#messages';
import { hasLines, useSettledPart } from '#ordering/web/basket/basket-store.ts';
import { EmptyBasket } from '#ordering/web/basket/empty-basket.tsx';
import { lazyPart } from '#ui/web/lazy-part.ts';

const load = () => import('#ordering/web/basket/basket-panels.tsx');
// The way to the checkout stays in the page's head.
const filledAside = lazyPart(async () => (await load()).BasketAside, Missing);
const filledBar = lazyPart(async () => (await load()).BasketBar, Missing);

export const basketAsideId = 'basket';
/** Where there is room for the basket beside the menu: the breakpoint `lg`. */
const wide = '(width >= 64rem)';

/** The basket beside the menu, on a wide screen. Its pricing code is loaded when it has content, or when the page is idle. */
export function LazyBasketAside() {
  // On a phone it would render at every change although it is hidden.
  const isWide = useSyncExternalStore(
    subscribeToWidth,
    () => matchMedia(wide).matches,
    () => false,
  );
  const isEmpty = !useSettledPart(hasLines) || !isWide;
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

/** The basket at the foot of a phone's screen. */
export function BasketBar() {
  const isFilled = useSettledPart(hasLines);
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

/** The live region of the menu, which is there before anything is in the basket: screen readers hear of no younger one. */
const basketNewsId = 'basket-news';

/** Tells screen readers the dishes that were put into the basket. React renders the region empty, and never again. */
export function announceBasketNews(words: string): void {
  const region = document.getElementById(basketNewsId);
  if (!region) return;
  // The same dish twice is news twice.
  region.replaceChildren();
  setTimeout(() => region.replaceChildren(words), 100);
}
