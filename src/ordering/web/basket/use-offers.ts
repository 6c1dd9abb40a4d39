import { useEffect, useState } from 'react';
import type { discountsOf } from '#ordering/offers/find-discounts.ts';
import type { Store } from '#store/contract.ts';

export type DiscountsOf = typeof discountsOf;

let loaded: DiscountsOf | null = null;

/** The pricing of offers, loaded only in a shop with offers; null without one, and until it is loaded. */
export function useOffers({ offers }: Store): DiscountsOf | null {
  const [found, setFound] = useState(() => loaded);
  useEffect(() => {
    // A failed load leaves the basket without discounts: the server asks about its lower price.
    if (offers && !found) import('#ordering/offers/find-discounts.ts').then(keep, () => undefined);
    function keep(code: { discountsOf: DiscountsOf }) {
      loaded = code.discountsOf;
      setFound(() => loaded);
    }
  }, [offers, found]);
  return offers ? found : null;
}
