import { sql } from 'kysely';
import { m } from '#messages';
import type { Db, Tx } from '#database/schema.ts';
import { calledOffStatuses } from '#ordering/order-status.ts';
import { hashSession } from '#ordering/server/order-sessions.ts';
import { AppError } from '#platform/errors.ts';
import type { Store } from '#store/contract.ts';
import { isFull } from '#store/slot-rules.ts';
import { slotStartOf } from '#store/slots.ts';

/** The number of orders in each future slot, by its start, without the order of session `replaced`, which is cancelled. */
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
    // A slot that began up to an hour ago may still be the one for "as soon as possible".
    .where('slot_at', '>=', new Date(now.getTime() - 3_600_000))
    .where('status', 'not in', calledOffStatuses)
    .$if(replaced !== undefined, (orders) => orders.where('session_hash', '!=', hashSession(replaced ?? '')))
    .groupBy('slot_at')
    .execute();
  const counts = new Map<string, number>();
  for (const { slot_at: at, taken } of rows) {
    if (!at) continue;
    // The slots may have had another length when it was ordered.
    const start = slotStartOf(store, at.toISOString());
    counts.set(start, (counts.get(start) ?? 0) + Number(taken));
  }
  return counts;
}

type LimitedStore = Pick<Store, 'id' | 'timezone' | 'slot_minutes' | 'max_orders_per_slot'>;

/** Locks a slot's last places for this transaction; refuses with `order_refused` if they are gone. */
export async function lockSlot(tx: Tx, store: LimitedStore, slotAt: Date, replaced?: string): Promise<void> {
  await sql`select pg_advisory_xact_lock(hashtextextended(${`${store.id} ${slotAt.toISOString()}`}, 0))`.execute(tx);
  const taken = await readTaken(tx, store, slotAt, replaced);
  if (!isFull(store, slotAt.getTime(), { taken })) return;
  const message = m.ordering_slot_just_filled();
  throw new AppError('order_refused', message, {
    errors: { requested_for: [message] },
    extra: { problems: [{ code: 'slot_full', message, path: 'requested_for' }] },
  });
}
