import { createHash, randomUUIDv7 } from 'node:crypto';
import { allergenCodes } from '#menu/allergen-codes.ts';
import type { PlaceOrder } from '#ordering/basket.ts';
import { isUnpaid } from '#ordering/order-status.ts';
import type { ChargedFee } from '#ordering/fee-words.ts';
import type { Order } from '#ordering/order.ts';
import { firstStatus } from '#ordering/first-status.ts';
import type { LimitedBy } from '#ordering/server/count-orders.ts';
import type { InsertedOrder, NewOrder } from '#ordering/server/insert-orders.ts';
import type { WholeOrder } from '#ordering/server/present-order.ts';
import type { OrderServices } from '#ordering/server/services.ts';
import type { ServerQuote } from '#ordering/server/quote-of.ts';
import { currentLanguage } from '#platform/language.ts';
import { personOf, type Viewer } from '#platform/http/viewer.ts';
import type { Shop } from '#shop/server/shop.ts';
import { tidyAddress } from '#store/delivery-address.ts';
import { tradingDayOf } from '#store/opening-hours.ts';
import { answerDeadline } from '#store/slots.ts';

export interface Placement {
  body: PlaceOrder;
  viewer: Viewer;
  now: Date;
  requestId: string;
  origin: { address: string; isBehindUnknownProxy: boolean };
}

/** Milliseconds after which an order that is not paid ends. */
const unpaidOrdersEndAfter = 30 * 60_000;

/** The row of an order to be placed, as its quote priced it. */
export function toNewOrder(
  { orderSessions }: Pick<OrderServices, 'orderSessions'>,
  { store, version }: Shop,
  quote: ServerQuote,
  { body, viewer, now }: Placement,
  { requestHash, limited }: { requestHash: Buffer; limited: LimitedBy | null },
): NewOrder {
  const first = firstStatus({ ...body, total: quote.total });
  const isPlaced = !isUnpaid(first);
  const isOwn = viewer.role === 'customer';
  const lines: Order['lines'] = quote.lines.map((line) => ({ id: randomUUIDv7(), ...line }));
  const id = randomUUIDv7();
  return {
    id,
    store_id: store.id,
    store_version: version,
    trading_day: tradingDayOf(store, now),
    channel: body.channel,
    placed_by: personOf(viewer),
    customer_id: isOwn ? viewer.id : null,
    ...orderSessions.columns(id, body.session),
    request_hash: requestHash,
    status: first,
    payment_status: quote.total === 0 ? 'paid' : 'unpaid',
    payment_method: body.payment_method,
    fulfilment_type: body.fulfilment_type,
    contact: body.contact,
    address: body.fulfilment_type === 'delivery' && body.address ? tidyAddress(body.address) : null,
    requested_for: body.requested_for === null ? null : new Date(body.requested_for),
    promised_at: quote.earliest_at === null ? null : new Date(body.requested_for ?? quote.earliest_at),
    prep_minutes: quote.prep_minutes,
    slot_at: quote.slot_at === null ? null : new Date(quote.slot_at),
    note: body.note,
    allergy_note: body.allergy_note,
    allergies: allergenCodes.filter((code) => body.allergies?.includes(code)),
    lines,
    subtotal: quote.subtotal,
    discounts: quote.discounts,
    fees: quote.fees.map(({ name: _name, ...fee }): ChargedFee => fee),
    tip: quote.tip,
    total: quote.total,
    vat: quote.vat,
    created_at: now,
    placed_at: isPlaced ? now : null,
    answer_by: isPlaced ? new Date(answerDeadline(store, now)) : null,
    expires_at: isPlaced ? null : new Date(now.getTime() + unpaidOrdersEndAfter),
    locale: currentLanguage(),
    actor: viewer.role === 'guest' ? 'guest' : isOwn ? 'customer' : viewer.name,
    actor_id: viewer.id,
    limited,
  };
}

export function hashRequest({ override: _override, ...body }: PlaceOrder): Buffer {
  // Without `override`: the same order sent again after a warning, whose first answer was lost, is still one order. The
  // parsed body has its keys in the schema's order, so the client's order does not matter.
  return createHash('sha256').update(JSON.stringify(body)).digest();
}

/** The order just written, without reading it back: equal to the row in the database. */
export function fromMemory(
  { store_version: _version, actor, actor_id: _actorId, limited: _limited, ...order }: NewOrder,
  { number }: InsertedOrder,
  session: string,
): WholeOrder {
  // The columns were made above from the contract's types; only the number comes from the database.
  const row = {
    ...order,
    number,
    version: 1,
    refunded: 0,
    removed: [],
    removed_refunded: 0,
    reject_reason: null,
    followed_up: null,
    paid_by: null,
    accepted_at: null,
    packed_at: null,
    left_at: null,
    completed_at: null,
    closed_at: null,
  } as unknown as WholeOrder['row'];
  const at = row.created_at.toISOString();
  return {
    row,
    session: () => session.toLowerCase(),
    customer: null,
    history: [{ from: null, to: row.status, actor, reason: null, at }],
    prints: [],
    redirectUrl: null,
    isProcessing: false,
    isTest: false,
    heldUntil: null,
    charge: null,
    refunds: [],
  };
}
