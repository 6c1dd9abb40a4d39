import { m } from '#messages';
import type { Db } from '#database/schema.ts';
import type { Shop } from '#shop/server/shop.ts';
import type { Problem, Quote, QuotedBasket } from '#ordering/basket.ts';
import type { MenuIndex } from '#menu/menu-index.ts';
import { checkAge } from '#ordering/min-age.ts';
import { isOverridable } from '#ordering/override.ts';
import { isStaffChannel } from '#ordering/first-status.ts';
import { promiseFor } from '#ordering/promise.ts';
import { checkMenus, findLines } from '#ordering/quote-lines.ts';
import { quoteBasket } from '#ordering/quote.ts';
import type { Line, OrderChannel } from '#ordering/order.ts';
import { readTaken } from '#ordering/server/slot-places.ts';
import { checkTip } from '#ordering/tip.ts';
import { AppError, type FieldErrors } from '#platform/errors.ts';
import { isStaffOf, type Viewer } from '#platform/http/viewer.ts';
import { slotStartOf } from '#store/slots.ts';

export interface ServerQuote extends Quote {
  /** The slot whose capacity the order uses, also while no limit is set; null if the shop has no ready time for it. */
  slot_at: string | null;
}

/**
 * Prices a basket against one version of the shop, with the remaining capacity of its slots. Staff who enter an order
 * ask for the customer's age themselves when they hand it over.
 */
export async function quoteOf(db: Db, { store, index }: Shop, basket: QuotedBasket, now: Date): Promise<ServerQuote> {
  const { payment_method: paymentMethod } = basket;
  const isByStaff = isStaffChannel(basket.channel ?? 'web');
  const taken = store.max_orders_per_slot === null ? undefined : await readTaken(db, store, now, basket.replaces);
  const basketQuote = quoteBasket({
    store,
    index,
    basket,
    now,
    ...(taken && { taken }),
    ...(paymentMethod && { paymentMethod }),
  });
  const quote = isByStaff ? quoteForStaff({ store, index }, basket, basketQuote, now) : basketQuote;
  // Not in `quoteBasket`, which is in the menu's first view: the browser checks a tip where it is typed.
  const tipProblem = checkTip(basket.tip, quote.subtotal, store.currency);
  if (tipProblem) quote.problems.push(tipProblem);
  const lines = quote.lines.map((line) => ({ ...line, ...kitchenFacts(index, line.item_id) }));
  const ageProblem = checkAge(lines, isByStaff || basket.age_confirmed === true);
  if (ageProblem) quote.problems.push(ageProblem);
  const ready = basket.requested_for ?? quote.earliest_at;
  return { ...quote, lines, slot_at: ready === null ? null : slotStartOf(store, ready) };
}

/**
 * Staff accept any payment at the till, whatever the web shop offers. Their orders as soon as possible are made at once, also
 * while customers have to wait for an opening, and so use the current menus.
 */
function quoteForStaff(
  { store, index }: Pick<Shop, 'store' | 'index'>,
  basket: QuotedBasket,
  quote: Quote,
  now: Date,
): Quote {
  const problems = quote.problems.filter(({ code }) => code !== 'payment_method_unavailable');
  const { requested_for } = basket;
  if (requested_for !== null || !problems.some(isOfTime)) return { ...quote, problems };
  const withMenusOfNow = problems.filter(({ code }) => code !== 'menu_unavailable');
  checkMenus(store, findLines(index, basket.lines, now, []), now, withMenusOfNow);
  const { fulfilment_type, address } = basket;
  const order = {
    requested_for,
    fulfilment_type,
    prep_minutes: quote.prep_minutes,
    address: { postcode: address?.postcode ?? '' },
  };
  return { ...quote, problems: withMenusOfNow, earliest_at: promiseFor(store, order, now).toISOString() };
}

/** A reason of the shop to refuse it because of its time. */
export function isOfTime(problem: Problem): boolean {
  return problem.path === 'requested_for' && isOverridable(problem);
}

/** Throws `forbidden` for callers who claim to be staff of the store and are not. */
export function refuseStaffChannel(channel: OrderChannel | undefined, viewer: Viewer, storeId: string): void {
  if (channel && isStaffChannel(channel) && !isStaffOf(viewer, storeId))
    throw new AppError('forbidden', m.ordering_staff_only_channel());
}

/** The fields of a dish for kitchen and counter, which do not affect the price. */
function kitchenFacts({ items }: MenuIndex, id: string): Pick<Line, 'station' | 'min_age'> {
  const item = items.get(id)?.item;
  return { station: item?.station ?? null, min_age: item?.min_age ?? null };
}

/** Throws `order_refused` with every problem beside its field; nothing when there is none. */
export function refuseProblems(problems: readonly Problem[]): void {
  const [first] = problems;
  if (!first) return;
  const errors: FieldErrors = {};
  for (const { path, message } of problems) (errors[path] ??= []).push(message);
  throw new AppError('order_refused', first.message, { errors, extra: { problems } });
}
