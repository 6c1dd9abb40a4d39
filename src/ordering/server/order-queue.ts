import type { Kysely } from 'kysely';
import { groupCommit } from '#database/group-commit.ts';
import type { Schema } from '#database/schema.ts';
import type { TooManyOrders } from '#ordering/server/count-orders.ts';
import { insertOrders, type InsertedOrder, type NewOrder } from '#ordering/server/insert-orders.ts';

export interface OrderQueue {
  /** Resolves after commit; null when the session exists already, the store has changed since pricing, or the account is gone. */
  insert(order: NewOrder): Promise<InsertedOrder | TooManyOrders | null>;
}

/** Commits orders that arrive together as one batch. */
export function startOrderQueue(db: Kysely<Schema>): OrderQueue {
  const { add } = groupCommit<NewOrder, InsertedOrder | TooManyOrders | null>(async (orders) => {
    const inserted = new Map((await insertOrders(db, orders)).map((row) => [row.id, row]));
    return orders.map(({ id }) => inserted.get(id) ?? null);
  });
  return { insert: add };
}
