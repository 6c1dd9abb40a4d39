import { useEffect, useMemo, useSyncExternalStore } from 'react';
import type { Basket, BasketQuote } from '#ordering/basket.ts';
import { createExternalStore } from '#platform/web/external-store.ts';
import type { Store } from '#store/contract.ts';

/** The server's last quote, with the basket that it is for (`asked`). `quote` is null after a failed call. */
export const lastPriceAnswer = createExternalStore<{ asked: string; quote: BasketQuote | null } | null>(() => null);

/** Whether only the server knows a basket's price, because the basket has a code or the shop has offers with limits. */
export function isServerPriced({ codes }: Pick<Basket, 'codes'>, { offers }: Pick<Store, 'offers'>): boolean {
  return codes !== undefined || (offers?.some((offer) => offer.is_checked) ?? false);
}

interface PricedView {
  store: Store;
  basket: Basket;
  quote: BasketQuote | null;
}

/**
 * Returns the view, with the server's price as soon as the price is known. The code that asks the server is loaded only
 * if the server must price the basket.
 */
export function useServerPrice<View extends PricedView>(view: View): View {
  const { basket, store, quote } = view;
  const asked = quote && isServerPriced(basket, store) ? JSON.stringify([basket, store.version]) : '';
  const answer = useSyncExternalStore(lastPriceAnswer.subscribe, lastPriceAnswer.read, () => null);
  useEffect(() => {
    if (!asked) return;
    import('#ordering/web/basket/ask-price.ts').then(
      ({ askPrice }) => askPrice(asked, lastPriceAnswer.set),
      () => lastPriceAnswer.set({ asked, quote: null }),
    );
  }, [asked]);
  const known = asked && answer?.asked === asked ? answer.quote : null;
  return useMemo(() => (known ? { ...view, quote: known } : view), [view, known]);
}
