import { useEffect } from 'react';
import type { Order } from '#ordering/order.ts';
import { addLine, renewBasket } from '#ordering/web/basket-edits.ts';
import { type HeldLine, readBasket, setFulfilment } from '#ordering/web/basket-store.ts';
import { type CheckoutDraft, endDraft, keepChoices, readDraft, withoutPerson } from '#ordering/web/checkout-draft.ts';
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
  /** What was said about it at the checkout; a draft lives in one tab, and this order is known to all of them. */
  said: CheckoutDraft;
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
export function keepOrdered(order: Order, session: string, currency: string): void {
  keepOrderSession(order.id, session);
  // Ordered in another tab meanwhile, the basket is a new one.
  if (readBasket().session !== session) return;
  if (order.status === 'pending_payment') return keepWaiting(order, session, currency);
  renewBasket(session);
  endDraft();
}

/** Takes what is known of an order by now: once it is paid, or given up by its customer, its basket is done with. */
export function settleWaiting({ id, status }: Pick<ShownOrder, 'id' | 'status'>): void {
  const waiting = waitingOrder();
  if (waiting?.id !== id || status === 'pending_payment') return;
  if (status === 'expired') startDraft();
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

/**
 * What the checkout begins with. What was said about a waiting order, its allergies above all, is said about the basket that
 * stands in for it too, in whichever tab that is opened; this tab's own words about it are newer.
 */
export function startDraft(): CheckoutDraft {
  const waiting = waitingOrder();
  if (waiting && readDraft()['replaced_order'] !== waiting.id)
    keepChoices({ ...waiting.said, replaced_order: waiting.id });
  return readDraft();
}

/** Takes out who ordered the waiting order and where to; the order itself keeps them. */
export function forgetPersonInWaiting(): void {
  const waiting = waitingOrder();
  if (waiting) store({ ...waiting, said: withoutPerson(waiting.said) });
}

/** Whether all of an order, and nothing else, is in the basket. */
export function isInBasket({ lines }: Pick<Order, 'lines'>): boolean {
  return contentOf(readBasket().lines) === contentOf(lines);
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
  keepOrderSession(id, session);
  keepWaiting(order, session, currency);
  keepChoices(saidOf(order, currency));
}

/** What an order says besides its dishes, as the checkout's fields have it. */
function saidOf(order: Order, currency: string): CheckoutDraft {
  return {
    note: order.note,
    allergy_note: order.allergy_note,
    requested_for: order.requested_for ?? '',
    payment_method: order.payment_method,
    tip_choice: presets.some((preset) => preset === order.tip) ? String(order.tip) : 'other',
    tip: formatMoney(order.tip, currency),
    ...named('contact', order.contact),
    ...(order.address && named('address', order.address)),
  };
}

/** As the checkout's fields are called. */
function named(part: string, values: Record<string, string>): Record<string, string> {
  return Object.fromEntries(Object.entries(values).map(([name, value]) => [`${part}.${name}`, value]));
}

/** The basket goes on as one of its own, which stands in for the order. This tab has its words. */
function keepWaiting(order: Order, session: string, currency: string): void {
  const { id } = order;
  const { lines, session: before } = readBasket();
  renewBasket(before, lines);
  store({ id, session, basket: readBasket().session, lines: contentOf(lines), said: saidOf(order, currency) });
  keepChoices({ replaced_order: id });
}

/** Comparable; `options` of a basket and of an order differ in what else they carry. */
function contentOf(lines: readonly Pick<HeldLine, 'item_id' | 'quantity' | 'note' | 'options'>[]): string {
  return JSON.stringify(
    lines.map(({ item_id, quantity, note, options }) => [
      item_id,
      quantity,
      note,
      options.map((option) => [option.option_group_id, option.option_id, option.quantity]),
    ]),
  );
}

function store(waiting: WaitingOrder | null): void {
  try {
    if (waiting) localStorage.setItem(storageKey, JSON.stringify(waiting));
    else localStorage.removeItem(storageKey);
  } catch {
    // Without storage the order can still be paid and cancelled on its page.
  }
}
