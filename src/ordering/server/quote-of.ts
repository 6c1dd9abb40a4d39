import { sql } from 'kysely';
import { m } from '#messages';
import type { Db, Tx } from '#database/schema.ts';
import type { Shop } from '#menu/server/menu-cache.ts';
import type { Basket, PlaceOrder, Quote } from '#ordering/basket.ts';
import type { MenuIndex } from '#ordering/menu-index.ts';
import { minAgeOf } from '#ordering/min-age.ts';
import { isStaffChannel } from '#ordering/order-status.ts';
import { quoteBasket } from '#ordering/quote.ts';
import type { Line } from '#ordering/order.ts';
import { checkTip } from '#ordering/tip.ts';
import { AppError, type FieldErrors } from '#platform/errors.ts';
import type { Store } from '#store/contract.ts';
import { slotStartOf } from '#store/slots.ts';

export interface ServerQuote extends Quote {
  /** The slot whose capacity the order takes, also while no limit is set; null when the shop cannot say when it is ready. */
  slot_at: string | null;
}

/**
 * Prices a basket against one version of the shop, with what its slots still hold. Staff who type an order in ask for the
 * age themselves, when they hand it over.
 */
export async function quoteOf(
  db: Db,
  { store, index }: Shop,
  basket: Basket,
  now: Date,
  { payment_method: paymentMethod, channel }: Partial<Pick<PlaceOrder, 'payment_method' | 'channel'>> = {},
): Promise<ServerQuote> {
  const taken = store.max_orders_per_slot === null ? undefined : await readTaken(db, store, now, basket.replaces);
  const quote = quoteBasket({
    store,
    index,
    basket,
    now,
    ...(taken && { taken }),
    ...(paymentMethod && { paymentMethod }),
  });
  // Not in `quoteBasket`, which the first view of the menu carries: the browser checks a tip where it is typed.
  const tipProblem = checkTip(basket.tip, quote.subtotal, store.currency);
  if (tipProblem) quote.problems.push(tipProblem);
  const lines = quote.lines.map((line) => ({ ...line, ...kitchenFacts(index, line.item_id) }));
  const age = minAgeOf(lines);
  if (age !== null && !basket.age_confirmed && !isStaffChannel(channel ?? 'web')) {
    quote.problems.push({
      code: 'age_unconfirmed',
      message: m.ordering_age_unconfirmed({ age }),
      path: 'age_confirmed',
    });
  }
  const ready = basket.requested_for ?? quote.earliest_at;
  return { ...quote, lines, slot_at: ready === null ? null : slotStartOf(store, ready) };
}

/** What the kitchen and the counter read of a dish, and no price depends on. */
function kitchenFacts({ items }: MenuIndex, id: string): Pick<Line, 'station' | 'min_age'> {
  const item = items.get(id)?.item;
  return { station: item?.station ?? null, min_age: item?.min_age ?? null };
}

const lost = ['rejected', 'cancelled', 'expired'] as const;

/** How many orders each slot from now on holds, by its start, but for the one of session `replaced`, which goes. */
export async function readTaken(
  db: Db,
  store: Pick<Store, 'id' | 'timezone' | 'slot_minutes'>,
  now: Date,
  replaced?: string,
): Promise<Map<string, number>> {
  const rows = await db
    .selectFrom('orders')
    .select(({ fn }) => ['slot_at', fn.countAll<string>().as('taken')])
    .where('store_id', '=', store.id)
    // A slot that began up to an hour ago may still be the one "as soon as possible" falls into.
    .where('slot_at', '>=', new Date(now.getTime() - 3_600_000))
    .where('status', 'not in', lost)
    .$if(replaced !== undefined, (orders) => orders.where('session', '!=', replaced ?? ''))
    .groupBy('slot_at')
    .execute();
  const counts = new Map<string, number>();
  for (const { slot_at: at, taken } of rows) {
    if (!at) continue;
    // Slots were of another length, perhaps, when it was ordered.
    const start = slotStartOf(store, at.toISOString());
    counts.set(start, (counts.get(start) ?? 0) + Number(taken));
  }
  return counts;
}

type LimitedStore = Pick<Store, 'id' | 'timezone' | 'slot_minutes' | 'max_orders_per_slot'>;

/** Holds a slot's last places for this transaction; refuses with `order_refused` when they went meanwhile. */
export async function lockSlot(tx: Tx, store: LimitedStore, slotAt: Date, replaced?: string): Promise<void> {
  await sql`select pg_advisory_xact_lock(hashtextextended(${`${store.id} ${slotAt.toISOString()}`}, 0))`.execute(tx);
  const taken = await readTaken(tx, store, slotAt, replaced);
  if ((taken.get(slotAt.toISOString()) ?? 0) < (store.max_orders_per_slot ?? Infinity)) return;
  const message = m.ordering_slot_just_filled();
  throw new AppError('order_refused', message, {
    errors: { requested_for: [message] },
    extra: { problems: [{ code: 'slot_full', message, path: 'requested_for' }] },
  });
}

/** Throws `order_refused` with every problem of the quote beside its field; nothing when there is none. */
export function refuseProblems({ problems }: Quote): void {
  const [first] = problems;
  if (!first) return;
  const errors: FieldErrors = {};
  for (const { path, message } of problems) (errors[path] ??= []).push(message);
  throw new AppError('order_refused', first.message, { errors, extra: { problems } });
}
