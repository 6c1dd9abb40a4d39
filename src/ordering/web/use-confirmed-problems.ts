import { useQuery } from '@tanstack/react-query';
import { useEffect, useState } from 'react';
import type { Basket, Problem } from '#ordering/basket.ts';
import { api } from '#platform/web/api.ts';
import { useShopStore } from '#shop/web/shop.ts';

const pause = 600;

/**
 * Has the server price the basket too, after it was unchanged for a moment (debounce): only the server knows, for
 * example, how full a slot is. A different total means that this page's menu is stale, so the menu is fetched again.
 */
export function useConfirmedProblems(basket: Basket, version: number, shownTotal: number): readonly Problem[] {
  const shop = useShopStore();
  const asked = useRested(JSON.stringify(basket));
  const { data: quote } = useQuery({
    // Requested again whenever the shop changes: a refusal may have been for a pause that is over.
    queryKey: ['quote', asked, version],
    // Our own basket, as it was a moment ago.
    queryFn: async () => (await api('POST /v1/orders/quote', JSON.parse(asked) as Basket, { timeout: 15_000 })).data,
    staleTime: 30_000,
    retry: false,
  });
  const isOurs = asked === JSON.stringify(basket);
  const isStale = isOurs && quote !== undefined && quote.total !== shownTotal;
  useEffect(() => {
    if (isStale) shop.reload().catch(() => undefined);
  }, [isStale, shop]);
  return isOurs ? (quote?.problems ?? none) : none;
}

const none: readonly Problem[] = [];

/** The text once it was unchanged for a moment. */
function useRested(text: string): string {
  const [rested, setRested] = useState(text);
  useEffect(() => {
    const timer = setTimeout(() => setRested(text), pause);
    return () => clearTimeout(timer);
  }, [text]);
  return rested;
}
