import { useMemo } from 'react';
import type { Menu } from '#menu/menu-shapes.ts';
import { maxPrepMinutes } from '#ordering/promise.ts';
import { type StoredBasket, useBasketPart, useDeferredBasketPart } from '#ordering/web/basket/basket-store.ts';
import { useNow } from '#platform/web/clock.ts';
import { useShop } from '#shop/web/shop.ts';
import type { FulfilmentType } from '#store/contract.ts';
import { soonestReadyTimeWords } from '#store/web/fulfilment.ts';

/**
 * Returns a function that says how soon the basket can be ready for delivery or collection. The time depends on the
 * basket's slowest dish and on `postcode`, by default the basket's postcode. Every page uses this function, so that the
 * menu promises no more than the checkout.
 */
export function useSoonestTimeWords(): (fulfilment: FulfilmentType, postcode?: string) => string {
  const { store, menus } = useShop();
  const now = useNow();
  const postcode = useBasketPart((held) => held.postcode);
  const lines = useDeferredBasketPart((held) => (held.store_id === store.id ? held.lines : noLines));
  const prepMinutes = useMemo(() => slowestDishMinutes(menus, lines), [menus, lines]);
  return (fulfilment, other = postcode) => soonestReadyTimeWords(store, fulfilment, other, now, prepMinutes);
}

const noLines: StoredBasket['lines'] = [];

/**
 * The preparation minutes of the basket's slowest dish, computed without the pricing code, which the menu loads later.
 */
export function slowestDishMinutes(menus: readonly Menu[], lines: StoredBasket['lines']): number {
  const ids = new Set(lines.map((line) => line.item_id));
  if (ids.size === 0) return 0;
  const chosen = new Set(lines.flatMap(({ options }) => options.map(({ option_id: id }) => id)));
  const items = menus.flatMap(({ categories = [] }) => categories.flatMap((category) => category.items ?? []));
  const own = items.filter(({ id }) => ids.has(id));
  const choices = own.flatMap(({ option_groups: groups = [] }) => groups.flatMap(({ options = [] }) => options));
  return maxPrepMinutes([...own, ...choices.filter(({ id }) => chosen.has(id))]);
}
