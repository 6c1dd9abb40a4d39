import { useEffect } from 'react';
import type { Order } from '#ordering/order.ts';
import { addLine, renewBasket } from '#ordering/web/basket-edits.ts';
import { type HeldLine, readBasket, setFulfilment } from '#ordering/web/basket-store.ts';
import { endDraft, keepChoices } from '#ordering/web/checkout-draft.ts';
import { keepOrderSession } from '#ordering/web/order-sessions.ts';
import { presets } from '#ordering/web/tip-choice.ts';
import type { ShownOrder } from '#ordering/web/use-order.ts';
import { formatMoney } from '#platform/money.ts';

const storageKey = 'waiting_order';

/** An order that waits for its payment while the basket holds what is in it: the next order stands in for it. */
interface WaitingOrder {
  id: string;
  /** The order's own. */
  session: string;
  /** Of the basket that was made of it: another basket has nothing to do with it. */
  basket: string;
  /** What was ordered, to see whether the basket has been changed since. */
  lines: string;
}

/** The order that the basket stands in for; null for a basket of its own. */
export function waitingOrder(): WaitingOrder | null {
  try {
    const kept = JSON.parse(localStorage.getItem(storageKey) ?? 'null') as WaitingOrder | null;
    return kept?.basket === readBasket().session ? kept : null;
  } catch {
    return null;
  }
}

/**
 * An order has been taken, and its page is on the way. What is placed is out of the basket. One that is not paid yet stays
 * in it, in a new session, so that whoever comes back without having paid can change it.
 */
export function keepOrdered({ id, status }: Pick<Order, 'id' | 'status'>, session: string): void {
  keepOrderSession(id, session);
  // Ordered in another tab meanwhile, the basket is a new one.
  if (readBasket().session !== session) return;
  if (status === 'pending_payment') return keepWaiting(id, session);
  renewBasket(session);
  endDraft();
}

/** Takes what is known of an order by now: once it is paid, or given up by its customer, its basket is done with. */
export function settleWaiting({ id, status }: Pick<ShownOrder, 'id' | 'status'>): void {
  const waiting = waitingOrder();
  if (waiting?.id !== id || status === 'pending_payment') return;
  store(null);
  // What was never paid in time is still wanted by whoever stands before it; so is what was added meanwhile.
  if (status === 'expired' || waiting.lines !== contentOf(readBasket().lines)) return;
  renewBasket(waiting.basket);
  endDraft();
}

/** The same wherever an order is shown. */
export function useSettledBasket(order: ShownOrder | undefined): void {
  useEffect(() => {
    if (order) settleWaiting(order);
  }, [order]);
}

/** Puts a waiting order back into the basket, with all that was said about it, unless the basket is made of it already. */
export function bringBack(order: Order, currency: string): void {
  const { id, session, store_id: storeId } = order;
  if (!session || (waitingOrder()?.id === id && readBasket().lines.length > 0)) return;
  for (const line of order.lines) {
    const { item_id, name, quantity, note, unit_price: seen_price } = line;
    const options = line.options.map((option) => ({
      option_group_id: option.option_group_id,
      option_id: option.option_id,
      quantity: option.quantity,
    }));
    addLine(storeId, { item_id, name, quantity, note, options, seen_price });
  }
  setFulfilment({
    fulfilment_type: order.fulfilment_type,
    ...(order.address && { postcode: order.address.postcode }),
  });
  keepChoices({
    note: order.note,
    allergy_note: order.allergy_note,
    requested_for: order.requested_for ?? '',
    payment_method: order.payment_method,
    tip_choice: presets.some((preset) => preset === order.tip) ? String(order.tip) : 'other',
    tip: formatMoney(order.tip, currency),
    ...named('contact', order.contact),
    ...(order.address && named('address', order.address)),
  });
  keepOrderSession(id, session);
  keepWaiting(id, session);
}

/** As the checkout's fields are called. */
function named(part: string, values: Record<string, string>): Record<string, string> {
  return Object.fromEntries(Object.entries(values).map(([name, value]) => [`${part}.${name}`, value]));
}

function keepWaiting(id: string, session: string): void {
  const { lines, session: before } = readBasket();
  renewBasket(before, lines);
  store({ id, session, basket: readBasket().session, lines: contentOf(lines) });
}

function contentOf(lines: readonly HeldLine[]): string {
  return JSON.stringify(lines.map(({ item_id, quantity, note, options }) => [item_id, quantity, note, options]));
}

function store(waiting: WaitingOrder | null): void {
  try {
    if (waiting) localStorage.setItem(storageKey, JSON.stringify(waiting));
    else localStorage.removeItem(storageKey);
  } catch {
    // Without storage the order can still be paid and cancelled on its page.
  }
}
