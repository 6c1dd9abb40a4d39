import { v4 as randomId } from 'uuid';
import { withLine } from '#ordering/same-line.ts';
import { changeBasket, type HeldBasket, type HeldLine, type NewLine } from '#ordering/web/basket-store.ts';

// Apart from the basket that a first view shows: what is tapped comes after it.

/** Adds a line, or more of the same one when nothing about it differs. */
export function addLine(storeId: string, line: NewLine): void {
  changeBasket((held) => {
    const lines = held.store_id === storeId ? held.lines : [];
    return { ...held, store_id: storeId, lines: withLine(lines, line, randomId) };
  });
}

export function replaceLine(key: string, line: NewLine): void {
  changeBasket((held) => ({
    ...held,
    lines: held.lines.map((other) => (other.key === key ? { ...line, key } : other)),
  }));
}

/** Below 1 takes the line out. */
export function setQuantity(key: string, quantity: number): void {
  changeBasket((held) => ({
    ...held,
    lines:
      quantity < 1
        ? held.lines.filter((line) => line.key !== key)
        : held.lines.map((line) => (line.key === key ? { ...line, quantity } : line)),
  }));
}

/** Puts a line back where it was, after an undone removal; not if the basket has been ordered meanwhile. */
export function putBack(line: HeldLine, place: number, session: string): void {
  changeBasket((held) => (held.session === session ? { ...held, lines: held.lines.toSpliced(place, 0, line) } : held));
}

/** The customer has seen what the lines cost now. */
export function acceptPrices(prices: ReadonlyMap<string, { name: string; price: number }>): void {
  changeBasket((held) => ({
    ...held,
    lines: held.lines.map((line) => {
      const now = prices.get(line.key);
      return now ? { ...line, name: now.name, seen_price: now.price } : line;
    }),
  }));
}

/**
 * Gives the basket a new session, once the server has answered an order with this one, and empties it unless `lines` stay.
 * Fulfilment and postcode stay for the next time.
 */
export function renewBasket(orderedSession: string, lines: HeldBasket['lines'] = []): void {
  changeBasket((held) => (held.session === orderedSession ? { ...held, session: randomId(), lines } : held));
}
