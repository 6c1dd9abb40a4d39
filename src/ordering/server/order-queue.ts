import type { Kysely } from 'kysely';
import { DatabaseAway } from '#platform/server/database-away.ts';
import type { Schema } from '#database/schema.ts';
import { insertOrders, type InsertedOrder, type NewOrder } from '#ordering/server/insert-orders.ts';

export interface OrderQueue {
  /** Resolves after commit; null when the session exists already, the store has changed since pricing, or the account is gone. */
  insert(order: NewOrder): Promise<InsertedOrder | null>;
}

const largestBatch = 64;

/**
 * Commits orders that arrive together as one batch: while one batch is written to disk the next one is collected. Nobody waits
 * for a batch to fill, so a single order is as fast as alone, and a rush shares the cost of the disk's flush.
 */
export function startOrderQueue(db: Kysely<Schema>): OrderQueue {
  type Waiting = { order: NewOrder; settle: PromiseWithResolvers<InsertedOrder | null> };
  let waiting: Waiting[] = [];
  let inFlight = 0;

  const flush = async () => {
    inFlight += 1;
    const batch = waiting.splice(0, largestBatch);
    try {
      const inserted = await insertOrders(
        db,
        batch.map(({ order }) => order),
      );
      const byId = new Map(inserted.map((row) => [row.id, row]));
      for (const { order, settle } of batch) settle.resolve(byId.get(order.id) ?? null);
    } catch (error) {
      // Waiting orders would fail in the same way, one batch after the other.
      if (error instanceof DatabaseAway)
        for (const { settle } of [...batch, ...waiting.splice(0)]) settle.reject(error);
      // An order that the database refuses must not make others in its batch fail.
      else if (batch.length === 1) batch[0]?.settle.reject(error);
      else await Promise.all(batch.map(({ order, settle }) => insertAlone(order, settle)));
    } finally {
      inFlight -= 1;
      if (waiting.length > 0) void flush();
    }
  };

  const insertAlone = async (order: NewOrder, settle: PromiseWithResolvers<InsertedOrder | null>) => {
    await insertOrders(db, [order]).then(
      ([row]) => settle.resolve(row ?? null),
      (error: unknown) => settle.reject(error),
    );
  };

  return {
    insert(order) {
      const settle = Promise.withResolvers<InsertedOrder | null>();
      waiting.push({ order, settle });
      if (inFlight === 0) setImmediate(() => inFlight === 0 && waiting.length > 0 && void flush());
      return settle.promise;
    },
  };
}
