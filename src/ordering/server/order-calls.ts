import { m } from '#messages';
import type { Db, Schema, Tx } from '#database/schema.ts';
import { loadOrders, type OrderRow, presentOrder, type LoadedOrder } from '#ordering/server/present-order.ts';
import type { OrderSqlParts } from '#ordering/server/services.ts';
import { AppError } from '#platform/errors.ts';
import type { Endpoint, EndpointKey } from '#platform/http/endpoint.ts';
import type { Call } from '#platform/http/serve.ts';
import { createHash } from 'node:crypto';
import type { ExpressionBuilder } from 'kysely';
import { inTransaction } from '#database/transaction.ts';
import { isStaffOf, type Viewer } from '#platform/http/viewer.ts';
import { hashSession } from '#ordering/server/order-sessions.ts';
import { equalInConstantTime } from '#platform/server/secrets/secret-store.ts';

export type OrderCallInput<Connection = Db> = Pick<
  Call<EndpointKey, Endpoint, Connection>,
  'db' | 'viewer' | 'now' | 'secret' | 'afterCommit' | 'header' | 'body'
>;

/** Reads an order with its related rows. Throws `not_found` for an unknown order. */
export async function readOrder(parts: OrderSqlParts, db: Db, id: string): Promise<LoadedOrder> {
  const [order] = await loadOrders(db, parts, [id]);
  if (!order) throw new AppError('not_found', m.ordering_not_found());
  return order;
}

/** The data by which a retry of a call is recognised: its idempotency key, order, caller and body. */
export function idempotentCallOf(
  { viewer, body, header, now }: OrderCallInput,
  { row }: LoadedOrder,
  name: string,
): NamedCall {
  return { orderId: row.id, viewer, name, body, key: header('idempotency-key'), now };
}

export function presentOrderFor(
  order: LoadedOrder,
  { viewer, now }: Pick<OrderCallInput, 'viewer' | 'now'>,
  relation: CallerRelation,
) {
  const role = relation === 'staff' ? viewer.role : 'customer';
  return presentOrder(order, role, now, { withSession: relation !== 'staff', readerId: viewer.id });
}

/** The error for a caller without a right to the order: 401 for a guest, otherwise 403. */
export function orderAccessRefusal({ viewer }: Pick<OrderCallInput, 'viewer'>): AppError {
  return viewer.role === 'guest'
    ? new AppError('unauthenticated', 'Unauthenticated.')
    : new AppError('forbidden', m.platform_forbidden());
}

/** Milliseconds for which idempotency keys are stored: as long as an offline device may postpone a call. */
export const idempotencyKeyRetentionMs = 2 * 24 * 60 * 60_000;

interface NamedCall {
  orderId: string;
  viewer: Pick<Viewer, 'id'>;
  name: string;
  /** The parsed body. Its keys are in the schema's order, whatever order the client sent. */
  body: unknown;
  key: string | undefined;
  now: Date;
}

/**
 * Whether this call was made before. The key is recorded in the call's own transaction, so a refused call leaves no key
 * and may be repeated. A concurrent call with the same key waits. Throws `idempotency_conflict` if another call used
 * the key.
 */
export async function isRepeatedCall(tx: Tx, call: NamedCall): Promise<boolean> {
  return call.key ? (await recordCall(tx, toRow(call, call.key, true))) === 'made' : false;
}

/**
 * Makes a call that opens its own transactions, once per key. `make` must be idempotent, because it may run again until
 * a success is recorded. `end` runs once, in the transaction that records the success. Throws like `isRepeatedCall`.
 */
export async function runCallOnce(
  db: Db,
  call: NamedCall,
  make: () => Promise<void>,
  end: (tx: Tx) => Promise<void>,
): Promise<void> {
  if (!call.key) {
    await make();
    return inTransaction(db, end);
  }
  const row = toRow(call, call.key, false);
  if ((await inTransaction(db, (tx) => recordCall(tx, row))) === 'made') return;
  try {
    await make();
  } catch (error) {
    await db.deleteFrom('order_calls').where(matchesCall(row)).where('is_made', '=', false).execute();
    throw error;
  }
  await inTransaction(db, async (tx) => {
    const ended = await tx
      .insertInto('order_calls')
      .values({ ...row, is_made: true })
      .onConflict((conflict) =>
        conflict
          .columns(['order_id', 'caller', 'key'])
          .doUpdateSet({ is_made: true })
          .where('order_calls.is_made', '=', false),
      )
      .returning('order_id')
      .executeTakeFirst();
    // A concurrent retry may have recorded the success first; then `end` does not run again.
    if (ended) await end(tx);
  });
}

type Row = ReturnType<typeof toRow>;

function toRow({ orderId, viewer, name, body, now }: NamedCall, key: string, isMade: boolean) {
  return {
    order_id: orderId,
    caller: viewer.id ?? 'session',
    key: hash(key),
    request: hash(JSON.stringify([name, body ?? {}])),
    is_made: isMade,
    at: now,
  };
}

async function recordCall(tx: Tx, row: Row): Promise<'new' | 'begun' | 'made'> {
  const written = await tx
    .insertInto('order_calls')
    .values(row)
    .onConflict((conflict) => conflict.doNothing())
    .returning('order_id')
    .executeTakeFirst();
  if (written) return 'new';
  const known = await tx
    .selectFrom('order_calls')
    .select(['request', 'is_made'])
    .where(matchesCall(row))
    .executeTakeFirst();
  // Another call had recorded this key when the first statement ran, then failed and deleted the key. So this call
  // records the key.
  if (!known) return recordCall(tx, row);
  if (!known.request?.equals(row.request)) throw new AppError('idempotency_conflict', m.ordering_key_of_another_call());
  return known.is_made ? 'made' : 'begun';
}

function matchesCall({ order_id, caller, key }: Row) {
  return (eb: ExpressionBuilder<Schema, 'order_calls'>) => eb.and({ order_id, caller, key });
}

function hash(text: string): Buffer {
  return createHash('sha256').update(text).digest();
}

/** The caller's relation to an order. The order's customer and the holder of its session may read the whole order. */
export type CallerRelation = 'staff' | 'owner' | 'stranger';

export function relationToOrder(order: OrderRow, viewer: Viewer, session: string | null): CallerRelation {
  if (isStaffOf(viewer, order.store_id)) return 'staff';
  if (viewer.id !== null && order.customer_id === viewer.id) return 'owner';
  return isSessionOfOrder(order, session) ? 'owner' : 'stranger';
}

export function isSessionOfOrder(order: OrderRow, session: string | null): boolean {
  return session !== null && equalInConstantTime(hashSession(session), order.session_hash);
}
