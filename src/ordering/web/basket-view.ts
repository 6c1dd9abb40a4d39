import { useMemo } from 'react';
import type { Allergens, Menu } from '#menu/contract.ts';
import type { Problem, Quote } from '#ordering/basket.ts';
import { indexMenus, type MenuIndex } from '#ordering/menu-index.ts';
import { readSelections, type Selection } from '#ordering/option-rules.ts';
import { unitPrice } from '#ordering/pricing.ts';
import { quoteBasket } from '#ordering/quote.ts';
import { type HeldBasket, type HeldLine, useBasket } from '#ordering/web/basket-store.ts';
import { useNow } from '#platform/web/clock.ts';
import type { FulfilmentType, Store } from '#store/contract.ts';
import { chosenFulfilment } from '#store/web/fulfilment.ts';
import { useShop } from '#storefront/web/shop.ts';

/** One line of the basket as today's menu has it. */
export interface LineView {
  line: HeldLine;
  /** null when it is no longer on the menu. */
  now: { name: string; unit_price: number; selected: readonly Selection[]; allergens: Allergens } | null;
  /** What it cost when it was chosen, if that differs now. */
  changedFrom: number | null;
  problems: readonly Problem[];
}

export interface BasketView {
  store: Store;
  held: HeldBasket;
  fulfilment: FulfilmentType;
  lines: readonly LineView[];
  count: number;
  /** What the basket costs as far as it is known; null when it is empty. */
  quote: Quote | null;
  /** Keeps an order from being placed whatever is filled in at the checkout, e.g. below the minimum. */
  blocking: readonly Problem[];
}

/** The basket priced by the menu that is shown, in the same function as the server does. */
export function useBasketView(): BasketView {
  const { store, menus } = useShop();
  const held = useBasket();
  const now = useNow();
  return useMemo(() => viewBasket(store, menus, held, now), [store, menus, held, now.getTime()]);
}

export function viewBasket(store: Store, menus: readonly Menu[], held: HeldBasket, now: Date): BasketView {
  const index = indexOf(menus);
  const fulfilment = chosenFulfilment(store, held);
  const own = held.store_id === store.id ? held.lines : [];
  const quote =
    own.length === 0
      ? null
      : quoteBasket({
          store,
          index,
          now,
          basket: {
            store_id: store.id,
            fulfilment_type: fulfilment,
            requested_for: null,
            address: fulfilment === 'delivery' && held.postcode ? { postcode: held.postcode } : null,
            note: '',
            allergy_note: '',
            tip: 0,
            lines: own.map(({ item_id, quantity, note, options }) => ({ item_id, quantity, note, options })),
          },
        });
  const problems = quote?.problems ?? [];
  return {
    store,
    held,
    fulfilment,
    lines: own.map((line, index_) => viewLine(line, index, problemsOf(problems, index_))),
    count: own.reduce((sum, line) => sum + line.quantity, 0),
    quote,
    blocking: problems.filter(({ code, path }) => path.startsWith('lines.') || code === 'below_minimum'),
  };
}

function viewLine(line: HeldLine, index: MenuIndex, problems: readonly Problem[]): LineView {
  const found = index.items.get(line.item_id);
  if (!found) return { line, now: null, changedFrom: null, problems };
  const { selected } = readSelections(found, line.options);
  const price = unitPrice(found.item, selected);
  return {
    line,
    now: { name: found.item.name, unit_price: price, selected, allergens: found.item.allergens },
    changedFrom: price === line.seen_price ? null : line.seen_price,
    problems,
  };
}

function problemsOf(problems: readonly Problem[], line: number): Problem[] {
  return problems.filter(({ path }) => path === `lines.${line}` || path.startsWith(`lines.${line}.`));
}

const indexes = new WeakMap<readonly Menu[], MenuIndex>();

function indexOf(menus: readonly Menu[]): MenuIndex {
  let index = indexes.get(menus);
  if (!index) {
    index = indexMenus(menus);
    indexes.set(menus, index);
  }
  return index;
}
