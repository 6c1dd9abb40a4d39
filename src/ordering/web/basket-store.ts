import { useDeferredValue, useSyncExternalStore } from 'react';
import type { BasketLine } from '#ordering/basket.ts';
import type { FulfilmentType } from '#store/contract.ts';
import { randomId } from '#platform/web/random-id.ts';

/** A line with what the customer saw when choosing it, so that a later menu's changes can be shown. */
export interface HeldLine extends BasketLine {
  key: string;
  name: string;
  /** Minor units, for one with its options. */
  seen_price: number;
}

export interface HeldBasket {
  /** Made once per basket: it is the order's secret, and what makes a second try the same order. */
  session: string;
  store_id: string | null;
  fulfilment_type: FulfilmentType | null;
  postcode: string;
  lines: readonly HeldLine[];
}

export type NewLine = Omit<HeldLine, 'key'>;

const storageKey = 'basket';
const empty: HeldBasket = { session: '', store_id: null, fulfilment_type: null, postcode: '', lines: [] };
let basket: HeldBasket | null = null;
const listeners = new Set<() => void>();

/** The one basket of this browser. It survives reloads, signing in and closed tabs; the server's rendering sees it empty. */
export function useBasket(): HeldBasket {
  return useBasketPart((held) => held);
}

/** What `pick` takes of it: whatever else changes renders nothing anew. It gives a text, a number or a part as it is. */
export function useBasketPart<T>(pick: (held: HeldBasket) => T): T {
  return useSyncExternalStore(
    subscribe,
    () => pick(readBasket()),
    () => pick(empty),
  );
}

/** The same for what stands around what was tapped: it comes a frame after that has answered. */
export function useSettledPart<T>(pick: (held: HeldBasket) => T): T {
  return useDeferredValue(useBasketPart(pick));
}

/** One of its lines; undefined without a key, whatever else is in the basket. */
export function useHeldLine(key: string | null): HeldLine | undefined {
  return useBasketPart(({ lines }) => (key === null ? undefined : lines.find((line) => line.key === key)));
}

/** How many of an item are in the basket, over all its lines. */
export function countOf({ lines }: HeldBasket, itemId: string): number {
  let count = 0;
  for (const line of lines) if (line.item_id === itemId) count += line.quantity;
  return count;
}

export function hasLines({ lines }: HeldBasket): boolean {
  return lines.length > 0;
}

export function readBasket(): HeldBasket {
  basket ??= load();
  return basket;
}

/** Adds a line, or more of the same one when nothing about it differs. */
export function addLine(storeId: string, line: NewLine): void {
  change((held) => {
    const lines = held.store_id === storeId ? held.lines : [];
    const same = lines.find((other) => isSameChoice(other, line));
    const next = same
      ? lines.map((other) =>
          other === same ? { ...same, ...line, quantity: Math.min(99, same.quantity + line.quantity) } : other,
        )
      : [...lines, { ...line, key: randomId() }];
    return { ...held, store_id: storeId, lines: next };
  });
}

export function replaceLine(key: string, line: NewLine): void {
  change((held) => ({ ...held, lines: held.lines.map((other) => (other.key === key ? { ...line, key } : other)) }));
}

/** Below 1 takes the line out. */
export function setQuantity(key: string, quantity: number): void {
  change((held) => ({
    ...held,
    lines:
      quantity < 1
        ? held.lines.filter((line) => line.key !== key)
        : held.lines.map((line) => (line.key === key ? { ...line, quantity } : line)),
  }));
}

/** Puts a line back where it was, after an undone removal; not if the basket has been ordered meanwhile. */
export function putBack(line: HeldLine, place: number, session: string): void {
  change((held) => (held.session === session ? { ...held, lines: held.lines.toSpliced(place, 0, line) } : held));
}

export function setFulfilment(part: Partial<Pick<HeldBasket, 'fulfilment_type' | 'postcode'>>): void {
  change((held) => ({ ...held, ...part }));
}

/** The customer has seen what the lines cost now. */
export function acceptPrices(prices: ReadonlyMap<string, { name: string; price: number }>): void {
  change((held) => ({
    ...held,
    lines: held.lines.map((line) => {
      const now = prices.get(line.key);
      return now ? { ...line, name: now.name, seen_price: now.price } : line;
    }),
  }));
}

/**
 * Empties the basket and gives it a new session, once the server has answered an order with this one. Fulfilment and
 * postcode stay for the next time.
 */
export function renewBasket(orderedSession: string): void {
  change((held) => (held.session === orderedSession ? { ...held, session: randomId(), lines: [] } : held));
}

function isSameChoice(a: NewLine, b: NewLine): boolean {
  return a.item_id === b.item_id && a.note === b.note && choiceKey(a) === choiceKey(b);
}

function choiceKey({ options }: NewLine): string {
  return options
    .map((option) => `${option.option_group_id}/${option.option_id}/${option.quantity}`)
    .sort()
    .join();
}

/** Always from what is stored, so that two open tabs add to one basket. */
function change(edit: (held: HeldBasket) => HeldBasket): void {
  basket = edit(load());
  try {
    localStorage.setItem(storageKey, JSON.stringify(basket));
  } catch {
    // Storage may be full or forbidden: then the basket lives as long as the page.
  }
  tellAll();
}

function load(): HeldBasket {
  try {
    const text = localStorage.getItem(storageKey);
    // Written by this very file; a shape that it would not write counts as nothing.
    const held = text ? { ...empty, ...(JSON.parse(text) as HeldBasket) } : null;
    if (held?.session && Array.isArray(held.lines)) return held;
  } catch {
    if (basket) return basket;
  }
  return basket?.session ? basket : { ...empty, session: randomId() };
}

function tellAll(): void {
  for (const listener of listeners) listener();
}

function onStorage(event: StorageEvent): void {
  if (event.key !== storageKey && event.key !== null) return;
  basket = load();
  tellAll();
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  if (listeners.size === 1) addEventListener('storage', onStorage);
  return () => {
    listeners.delete(listener);
    if (listeners.size === 0) removeEventListener('storage', onStorage);
  };
}
