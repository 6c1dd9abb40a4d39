import { useEffect, useMemo, useState } from 'react';
import type * as engine from '#ordering/offers/find-discounts.ts';
import type * as words from '#ordering/offers/offer-words.ts';
import { useNow } from '#platform/web/clock.ts';
import { useShop } from '#shop/web/shop.ts';
import type { Store } from '#store/contract.ts';

export type OfferEngine = Pick<
  typeof engine,
  'createDiscountFinder' | 'findNearlyReachedOffers' | 'findPricesByOffer'
> &
  Pick<typeof words, 'offerConditionWords' | 'createMenuNameLookup' | 'offerRuleWords'>;

let loaded: OfferEngine | null = null;

/**
 * Returns the functions that price and describe offers; null in a shop without offers, and until their code is loaded.
 */
export function useOfferEngine({ offers }: Store): OfferEngine | null {
  const [found, setFound] = useState(loaded);
  useEffect(() => {
    // If the load fails, the basket shows no discounts, and the order gets the server's lower price.
    if (offers && !found) loadEngine().then(cacheCode, () => undefined);
    function cacheCode(code: OfferEngine) {
      loaded = code;
      setFound(code);
    }
  }, [offers, found]);
  return offers ? found : null;
}

async function loadEngine(): Promise<OfferEngine> {
  const [pricing, sentences] = await Promise.all([
    import('#ordering/offers/find-discounts.ts'),
    import('#ordering/offers/offer-words.ts'),
  ]);
  return { ...pricing, ...sentences };
}

/** The dishes that cost less now; undefined in a shop without offers, and until the code for offers is loaded. */
export function useOfferedPrices(): ReturnType<OfferEngine['findPricesByOffer']> | undefined {
  const { store, menus } = useShop();
  const at = useNow().getTime();
  const offers = useOfferEngine(store);
  return useMemo(() => offers?.findPricesByOffer({ store, menus, now: new Date(at) }), [store, menus, at, offers]);
}
