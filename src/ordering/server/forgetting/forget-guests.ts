import { sql } from 'kysely';
import { inTransaction } from '#database/transaction.ts';
import { doneStatuses } from '#ordering/order-status.ts';
import { noteForgotten } from '#ordering/server/change-orders.ts';
import { forgetNames } from '#ordering/server/forgetting/forget-names.ts';
import { forgetOrders } from '#ordering/server/forgetting/forget-orders.ts';
import { callsKeptFor } from '#ordering/server/repeated-call.ts';
import { ordersEndedBefore } from '#ordering/server/order-views.ts';
import { endFollows, forgetUnused } from '#push/server/follows.ts';
import { storeTimes } from '#store/server/store-views.ts';
import { startSweep } from '#platform/server/sweep.ts';
import type { OrderServices } from '#ordering/server/services.ts';

const every = 10 * 60_000;
const atOnce = 500;
/** For how long an order that ended may still be changed, and its followers are known. */
const followedFor = 24 * 60 * 60_000;

/**
 * Removes guests' details from finished orders older than their store's `keep_guest_days`. Orders of people with an
 * account are handled with the account. Returns how many orders it changed.
 */
export async function forgetGuests(services: Pick<OrderServices, 'db' | 'now' | 'owed' | 'prints'>): Promise<number> {
  const { db } = services;
  const at = services.now();
  for (let forgotten = 0; ;) {
    const ids = await inTransaction(db, async (tx) => {
      const due = await tx
        .selectFrom('orders')
        .innerJoin(storeTimes.as('stores'), 'stores.id', 'orders.store_id')
        .select('orders.id')
        .where('orders.customer_id', 'is', null)
        .where('orders.forgotten_at', 'is', null)
        .where('orders.status', 'in', doneStatuses)
        .where(sql<boolean>`orders.created_at < ${at}::timestamptz - make_interval(days => stores.keep_guest_days)`)
        .limit(atOnce)
        .forUpdate('orders')
        .skipLocked()
        .execute();
      const found = due.map(({ id }) => id);
      await forgetOrders(tx, services, found);
      if (found.length > 0) await noteForgotten(tx, found, at);
      return found;
    });
    forgotten += ids.length;
    if (ids.length < atOnce) return forgotten;
  }
}

/**
 * Runs that at intervals, and deletes names without an order, old idempotency keys and follows of orders that ended.
 */
export function startForgettingGuests(
  services: Pick<OrderServices, 'clock' | 'db' | 'log' | 'now' | 'owed' | 'prints'>,
): {
  stop(): Promise<void>;
} {
  const { clock, log } = services;
  return startSweep({ name: 'guests', every, log, clock }, async () => {
    await forgetGuests(services);
    await forgetNames(services.db);
    const old = new Date(services.now().getTime() - callsKeptFor);
    await services.db.deleteFrom('order_calls').where('at', '<', old).execute();
    await services.db.deleteFrom('account_links').where('expires_at', '<=', services.now()).execute();
    const ended = new Date(services.now().getTime() - followedFor);
    await endFollows(services.db, ordersEndedBefore(ended));
    await forgetUnused(services.db, services.now());
  });
}
