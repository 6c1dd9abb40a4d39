import { v4 as randomId } from 'uuid';
import { addOrMergeLine } from '#ordering/same-line.ts';
import {
  changeBasket,
  type StoredBasket,
  type StoredLine,
  type NewBasketLine,
} from '#ordering/web/basket/basket-store.ts';

// These edits have a file of their own, because the first view loads basket-store.ts, and edits follow only after a
// tap.

export function addBasketLine(storeId: string, line: NewBasketLine): void {
  changeBasket((held) => {
    const lines = held.store_id === storeId ? held.lines : [];
    return { ...held, store_id: storeId, lines: addOrMergeLine(lines, line, randomId) };
  });
}

/** Removes all lines. Fulfilment, postcode and session stay. */
export function clearBasket(): void {
  changeBasket((held) => ({ ...held, lines: [] }));
}

export function replaceBasketLine(key: string, line: NewBasketLine): void {
  changeBasket((held) => ({
    ...held,
    lines: held.lines.map((other) => (other.key === key ? { ...line, key } : other)),
  }));
}

/** Sets a line's quantity; a quantity below 1 removes the line. */
export function setBasketLineQuantity(key: string, quantity: number): void {
  changeBasket((held) => ({
    ...held,
    lines:
      quantity < 1
        ? held.lines.filter((line) => line.key !== key)
        : held.lines.map((line) => (line.key === key ? { ...line, quantity } : line)),
  }));
}

/** Restores a removed line at its place, unless the basket was ordered in the meantime. */
export function restoreBasketLine(line: StoredLine, place: number, session: string): void {
  changeBasket((held) => (held.session === session ? { ...held, lines: held.lines.toSpliced(place, 0, line) } : held));
}

export function acceptLinePrices(prices: ReadonlyMap<string, { name: string; price: number }>): void {
  changeBasket((held) => ({
    ...held,
    lines: held.lines.map((line) => {
      const now = prices.get(line.key);
      return now ? { ...line, name: now.name, seen_price: now.price } : line;
    }),
  }));
}

/**
 * Starts a new basket after the server accepted an order of `orderedSession`: with a new session, no code, and the
 * given lines. Fulfilment and postcode stay for the next order.
 */
export function renewBasket(orderedSession: string, lines: StoredBasket['lines'] = []): void {
  changeBasket((held) => (held.session === orderedSession ? { ...held, session: randomId(), code: '', lines } : held));
}
