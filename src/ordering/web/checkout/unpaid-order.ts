import { personalStorageKeys } from '#accounts/web/personal-storage.ts';
import { useEffect } from 'react';
import type { Order } from '#ordering/order.ts';
import { isCalledOff, isAwaitingPayment, isExpired } from '#ordering/order-status.ts';
import { addBasketLine, renewBasket } from '#ordering/web/basket/basket-edits.ts';
import { type StoredLine, readBasket, setBasketFulfilment } from '#ordering/web/basket/basket-store.ts';
import {
  type CheckoutDraft,
  clearOrderFieldsInDraft,
  saveDraftChoices,
  readCheckoutDraft,
  withoutPersonalFields,
} from '#ordering/web/checkout/checkout-draft.ts';
import { saveOrderSession } from '#ordering/web/order/stored-order-sessions.ts';
import { tipPresets } from '#ordering/web/checkout/tip-choice.ts';
import type { AnyOrder } from '#ordering/web/order/use-order.ts';
import { formatMoney } from '#platform/money.ts';

const storageKey = personalStorageKeys.unpaidOrder;

/** An unpaid order whose lines are still in the basket. The next order from the basket replaces it. */
interface UnpaidOrder {
  id: string;
  session: string;
  /** The session of the basket with the order's lines. A basket with another session is unrelated. */
  basket: string;
  lines: string;
  /**
   * The checkout's fields with the values of this order. They are stored here, because each tab has a draft of its own.
   */
  said: CheckoutDraft;
  /**
   * Whether an order that replaces this one was sent. If so, the cancellation of this order does not empty the basket.
   */
  isBeingReplaced?: boolean;
}

/** The unpaid order that the next order from the basket would replace; null if there is none. */
export function readUnpaidOrder(): UnpaidOrder | null {
  try {
    const kept = JSON.parse(localStorage.getItem(storageKey) ?? 'null') as UnpaidOrder | null;
    return kept?.basket === readBasket().session ? kept : null;
  } catch {
    return null;
  }
}

/**
 * Called when the server has accepted an order, before the order's page opens. A placed order empties the basket. An
 * unpaid order stays in the basket under a new session, so that a customer who returns without paying can change it.
 */
export function recordPlacedOrder(order: Order, session: string, currency: string): void {
  saveOrderSession(order.id, session);
  // Another tab may have ordered this basket. The stored basket is then a new basket, which must not change.
  if (readBasket().session !== session) return;
  if (isAwaitingPayment(order.status)) return storeUnpaid(order, session, currency);
  renewBasket(session);
  clearOrderFieldsInDraft();
}

/** Records whether the replacement of the unpaid order was sent (`isBeingReplaced` true) or refused (false). */
export function recordIsBeingReplaced(session: string | undefined, isBeingReplaced: boolean): void {
  const unpaid = readUnpaidOrder();
  if (unpaid && unpaid.session === session) store({ ...unpaid, isBeingReplaced });
}

export function syncUnpaidOrder({ id, status }: Pick<AnyOrder, 'id' | 'status'>): void {
  const unpaid = readUnpaidOrder();
  if (unpaid?.id !== id || isAwaitingPayment(status)) return;
  if (unpaid.isBeingReplaced && isCalledOff(status)) return;
  if (isExpired(status)) prepareCheckoutDraft();
  store(null);
  // The basket keeps an expired order's lines, because the customer may still want them. It also keeps lines that the
  // customer has changed since the order.
  if (isExpired(status) || unpaid.lines !== contentOf(readBasket().lines)) return;
  renewBasket(unpaid.basket);
  clearOrderFieldsInDraft();
}

export function useUnpaidOrderSync(order: AnyOrder | undefined): void {
  useEffect(() => {
    if (order) syncUnpaidOrder(order);
  }, [order]);
}

/**
 * The checkout's initial fields. In each tab, the fields of the unpaid order are copied into the draft once, above all
 * its allergies. Later input in the tab replaces the copied values.
 */
export function prepareCheckoutDraft(): CheckoutDraft {
  const unpaid = readUnpaidOrder();
  if (unpaid && readCheckoutDraft()['replaced_order'] !== unpaid.id)
    saveDraftChoices({ ...unpaid.said, replaced_order: unpaid.id });
  return readCheckoutDraft();
}

/**
 * Removes contact and address of the unpaid order from the checkout's stored fields. The order at the shop keeps them.
 */
export function removePersonFromUnpaidOrder(): void {
  const unpaid = readUnpaidOrder();
  if (unpaid) store({ ...unpaid, said: withoutPersonalFields(unpaid.said) });
}

export function basketMatchesOrder({ lines }: Pick<Order, 'lines'>): boolean {
  return contentOf(readBasket().lines) === contentOf(lines);
}

/**
 * Puts an unpaid order's lines back into the basket, and its other fields into the checkout. Does nothing if the basket
 * was made from this order already.
 */
export function restoreBasketFromOrder(order: Order, currency: string): void {
  const { id, session, store_id: storeId } = order;
  if (!session || (readUnpaidOrder()?.id === id && readBasket().lines.length > 0)) return;
  for (const line of order.lines) {
    const { item_id, name, quantity, note, unit_price: seen_price } = line;
    const options = line.options.map((option) => ({
      option_group_id: option.option_group_id,
      option_id: option.option_id,
      quantity: option.quantity,
    }));
    addBasketLine(storeId, { item_id, name, quantity, note, options, seen_price });
  }
  setBasketFulfilment({
    fulfilment_type: order.fulfilment_type,
    ...(order.address && { postcode: order.address.postcode }),
  });
  saveOrderSession(id, session);
  storeUnpaid(order, session, currency);
  saveDraftChoices(saidOf(order, currency));
}

function saidOf(order: Order, currency: string): CheckoutDraft {
  return {
    note: order.note,
    allergy_note: order.allergy_note,
    if_sold_out: order.if_sold_out,
    ...(order.cutlery && { cutlery: 'on' }),
    requested_for: order.requested_for ?? '',
    payment_method: order.payment_method,
    tip_choice: tipPresets.some((preset) => preset === order.tip) ? String(order.tip) : 'other',
    tip: formatMoney(order.tip, currency),
    ...named('contact', order.contact),
    ...(order.address && named('address', order.address)),
  };
}

/** Returns the values under the names of the checkout's fields, such as `contact.name`. */
function named(part: string, values: Record<string, string>): Record<string, string> {
  return Object.fromEntries(Object.entries(values).map(([name, value]) => [`${part}.${name}`, value]));
}

/**
 * Stores an unpaid order with its own fields. The basket gets a new session, so that the next order from it is another
 * order, which replaces the unpaid order.
 */
function storeUnpaid(order: Order, session: string, currency: string): void {
  const { id } = order;
  const { lines, session: before } = readBasket();
  renewBasket(before, lines);
  store({ id, session, basket: readBasket().session, lines: contentOf(lines), said: saidOf(order, currency) });
  saveDraftChoices({ replaced_order: id });
}

/** The lines as a text that can be compared. It has only the fields that both a basket's and an order's lines have. */
function contentOf(lines: readonly Pick<StoredLine, 'item_id' | 'quantity' | 'note' | 'options'>[]): string {
  return JSON.stringify(
    lines.map(({ item_id, quantity, note, options }) => [
      item_id,
      quantity,
      note,
      options.map((option) => [option.option_group_id, option.option_id, option.quantity]),
    ]),
  );
}

function store(unpaid: UnpaidOrder | null): void {
  try {
    if (unpaid) localStorage.setItem(storageKey, JSON.stringify(unpaid));
    else localStorage.removeItem(storageKey);
  } catch {
    // Without storage the order can still be paid and cancelled on its page.
  }
}
