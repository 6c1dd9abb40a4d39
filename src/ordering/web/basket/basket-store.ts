import { useDeferredValue, useSyncExternalStore } from 'react';
import { v4 as randomId } from 'uuid';
import type { BasketLine } from '#ordering/basket.ts';
import type { FulfilmentType } from '#store/contract.ts';
import { createWindowSubscriber } from '#platform/web/window-events.ts';
import { createExternalStore } from '#platform/web/external-store.ts';

/**
 * A line with the name and price that the customer saw when choosing it, so that later changes of the menu can be
 * shown.
 */
export interface StoredLine extends BasketLine {
  key: string;
  name: string;
  /** The price of one item with its options, in minor units. */
  seen_price: number;
}

export interface StoredBasket {
  /**
   * The secret of the basket's order. Each basket has one, so that a second attempt to order does not make a second
   * order.
   */
  session: string;
  store_id: string | null;
  fulfilment_type: FulfilmentType | null;
  postcode: string;
  code?: string;
  lines: readonly StoredLine[];
}

export type NewBasketLine = Omit<StoredLine, 'key'>;

const storageKey = 'basket';
const empty: StoredBasket = { session: '', store_id: null, fulfilment_type: null, postcode: '', lines: [] };
const basket = createExternalStore(() => load(null), createWindowSubscriber('storage', onStorage));

/**
 * The one basket of this browser. It survives reloads, signing in, and the closing of tabs. The server renders an empty
 * basket.
 */
export function useBasket(): StoredBasket {
  return useBasketPart((held) => held);
}

/**
 * The part of the basket that `pick` selects. Other changes cause no re-render, so `pick` must return a primitive or a
 * stable reference.
 */
export function useBasketPart<T>(pick: (held: StoredBasket) => T): T {
  return useSyncExternalStore(
    basket.subscribe,
    () => pick(readBasket()),
    () => pick(empty),
  );
}

/** Like `useBasketPart`, but renders later, so that the tapped element updates at once. */
export function useDeferredBasketPart<T>(pick: (held: StoredBasket) => T): T {
  return useDeferredValue(useBasketPart(pick));
}

export function useStoredLine(key: string | null): StoredLine | undefined {
  return useBasketPart(({ lines }) => (key === null ? undefined : lines.find((line) => line.key === key)));
}

export function countItemInBasket({ lines }: StoredBasket, itemId: string): number {
  let count = 0;
  for (const line of lines) if (line.item_id === itemId) count += line.quantity;
  return count;
}

export function hasBasketLines({ lines }: StoredBasket): boolean {
  return lines.length > 0;
}

export function readBasket(): StoredBasket {
  return basket.read();
}

export function setBasketFulfilment(part: Partial<Pick<StoredBasket, 'fulfilment_type' | 'postcode'>>): void {
  changeBasket((held) => ({ ...held, ...part }));
}

/** Edits the stored basket instead of the page's copy, so that two open tabs add to one basket. */
export function changeBasket(edit: (held: StoredBasket) => StoredBasket): void {
  const changed = edit(load(basket.read()));
  try {
    localStorage.setItem(storageKey, JSON.stringify(changed));
  } catch {
    // If the storage is full or blocked, the basket lasts only as long as the page.
  }
  basket.set(changed);
}

/**
 * Reads the stored basket. If the storage has none or is blocked, returns the page's own basket (`known`). If the page
 * has none either, returns a new basket.
 */
function load(known: StoredBasket | null): StoredBasket {
  try {
    const text = localStorage.getItem(storageKey);
    // The cast is safe: only this module writes the value. An unreadable text counts as no basket.
    const held = text ? { ...empty, ...(JSON.parse(text) as StoredBasket) } : null;
    if (held?.session && Array.isArray(held.lines)) return held;
  } catch {
    if (known) return known;
  }
  return known?.session ? known : { ...empty, session: randomId() };
}

function onStorage(event: StorageEvent): void {
  if (event.key !== storageKey && event.key !== null) return;
  basket.set(load(basket.read()));
}
