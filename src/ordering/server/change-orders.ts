import { randomBytes } from 'node:crypto';
import { sql, type Insertable, type Updateable } from 'kysely';
import type { OrderHistoryTable, OrdersTable, Tx } from '#database/schema.ts';
import { storeOrdersChannelName } from '#ordering/channels.ts';
import {
  CancelReason,
  FollowUp,
  type HistoryNote,
  type OrderStatus,
  RejectReason,
  RemovalReason,
} from '#ordering/order.ts';
import type { orderDeadlines } from '#ordering/order-status.ts';
import { selectGuestOrders } from '#ordering/server/order-views.ts';
import { publishOrderSteps } from '#ordering/server/order-counts.ts';
import type { OrderSessionCipher } from '#ordering/server/order-sessions.ts';
import type { OrderRow } from '#ordering/server/present-order.ts';
import type { Outbox } from '#realtime/server/outbox.ts';

/* Only this file changes existing orders and their history; `insert-orders.ts` writes new orders. A visible change
   increases the version and adds an event to the outbox. */

/**
 * Locks an order's row until the transaction ends. A transaction that also locks payments must lock the order first.
 * Other transactions can still insert rows that refer to the order.
 */
export function lockOrder(tx: Tx, id: string): Promise<OrderRow | undefined> {
  return tx.selectFrom('orders').selectAll().where('id', '=', id).forNoKeyUpdate().executeTakeFirst();
}

/** Locks an order that certainly exists, because another row refers to it. */
export function lockReferencedOrder(tx: Tx, id: string): Promise<OrderRow> {
  return tx.selectFrom('orders').selectAll().where('id', '=', id).forNoKeyUpdate().executeTakeFirstOrThrow();
}

export function lockOrderOfSession(tx: Tx, sessionHash: Buffer): Promise<OrderRow | undefined> {
  return tx
    .selectFrom('orders')
    .selectAll()
    .where('session_hash', '=', sessionHash)
    .forNoKeyUpdate()
    .executeTakeFirst();
}

/** Locks an order's row; undefined if another transaction holds the lock, or if the order does not exist. */
export function tryLockOrder(tx: Tx, id: string): Promise<OrderRow | undefined> {
  return tx.selectFrom('orders').selectAll().where('id', '=', id).forNoKeyUpdate().skipLocked().executeTakeFirst();
}

export interface HistoryActor {
  actor: string;
  actorId: string | null;
}

export interface OrderChange {
  /** The transitions to add to the history, in order. Each transition increases the version. */
  lines: readonly { from: OrderStatus; to: OrderStatus }[];
  set: Omit<Updateable<OrdersTable>, 'id' | 'status' | 'version'>;
  by: HistoryActor;
  reason: string | null;
  note: HistoryNote | null;
  promisedAt?: Date | null;
  at: Date;
  event: 'order.placed' | 'order.updated';
}

/**
 * Changes a locked order and writes its history. `owe` queues the payments, prints and messages that follow. The event
 * is written last, because its sequence number locks the store's counter until the commit.
 */
export async function applyOrderChange(
  tx: Tx,
  outbox: Outbox,
  { id, status, version }: OrderRow,
  { lines, set, by, reason, note, promisedAt = null, at, event }: OrderChange,
  owe: (changed: OrderRow) => Promise<void>,
): Promise<OrderRow> {
  const changed = await tx
    .updateTable('orders')
    .set({ ...set, status: lines.at(-1)?.to ?? status, version: version + lines.length })
    .where('id', '=', id)
    .returningAll()
    .executeTakeFirstOrThrow();
  await writeHistory(
    tx,
    lines.map(({ from, to }, index) => ({
      order_id: id,
      version: version + index + 1,
      from_status: from,
      to_status: to,
      actor: by.actor,
      actor_id: by.actorId,
      reason,
      note: note && JSON.stringify(note),
      promised_at: promisedAt,
      at,
    })),
  );
  await owe(changed);
  await announceOrder(tx, outbox, changed, event);
  publishOrderSteps(changed, lines, at);
  return changed;
}

export async function postponeOrderDeadlines(
  tx: Tx,
  outbox: Outbox,
  { status, column, until }: { status: OrderStatus; column: DeadlineColumn; until: Date },
): Promise<void> {
  const changed = await tx
    .updateTable('orders')
    .set((eb) => ({ [column]: until, version: eb('version', '+', 1) }))
    .where('status', '=', status)
    .where(column, '<', until)
    .returning(['id', 'store_id'])
    .execute();
  for (const order of changed) await announceOrder(tx, outbox, order, 'order.updated');
}
type DeadlineColumn = (typeof orderDeadlines)[number]['column'];

export type OrderMoneyColumns = Pick<
  Updateable<OrdersTable>,
  'payment_status' | 'payment_method' | 'paid_by' | 'refunded'
>;

/** Changes an order's money columns after news from a provider, without an entry in the order's history. */
export async function changeOrderMoney(
  tx: Tx,
  outbox: Outbox,
  order: Pick<OrderRow, 'id' | 'store_id'>,
  set: OrderMoneyColumns,
): Promise<void> {
  await setMoney(tx, order.id, set);
  await announceOrder(tx, outbox, order, 'order.updated');
}

const bySystem: HistoryActor = { actor: 'system', actorId: null };

/** Changes an order's money columns for a person or the system, with an entry in the order's history. */
export async function changeMoneyWithHistory(
  tx: Tx,
  outbox: Outbox,
  order: Pick<OrderRow, 'id' | 'store_id'>,
  { set = {}, by = bySystem, note, at }: { set?: OrderMoneyColumns; by?: HistoryActor; note: HistoryNote; at: Date },
): Promise<void> {
  const { version, status } = await setMoney(tx, order.id, set);
  await writeHistory(tx, [
    {
      order_id: order.id,
      version,
      from_status: status,
      to_status: status,
      actor: by.actor,
      actor_id: by.actorId,
      note: JSON.stringify(note),
      at,
    },
  ]);
  await announceOrder(tx, outbox, order, 'order.updated');
}

/** Changes the lines that are ticked as cooked. The history leaves ticks out: there are dozens in an hour. */
export async function changeLineTicks(
  tx: Tx,
  outbox: Outbox,
  order: Pick<OrderRow, 'id' | 'store_id'>,
  lines: OrderRow['lines'],
): Promise<void> {
  await tx
    .updateTable('orders')
    .set((eb) => ({ lines: JSON.stringify(lines), version: eb('version', '+', 1) }))
    .where('id', '=', order.id)
    .execute();
  await announceOrder(tx, outbox, order, 'order.updated');
}

/** Records a customer's rating. The boards do not show it, so no event announces it. */
export async function recordRating(
  tx: Tx,
  id: string,
  { stars, text, at }: { stars: number; text: string; at: Date },
): Promise<void> {
  await tx
    .updateTable('orders')
    .set({ rating_stars: stars, rating_text: text, rated_at: at })
    .where('id', '=', id)
    .execute();
}

/**
 * Sets the sum refunded for removed lines. It writes no event, because the caller's other change in the same
 * transaction writes one.
 */
export async function setRemovedLinesRefund(tx: Tx, id: string, amount: number): Promise<void> {
  await tx.updateTable('orders').set({ removed_refunded: amount }).where('id', '=', id).execute();
}

/** Attaches guest orders to an account; skips orders that have one. Returns the changed orders, newest first. */
export async function attachOrdersToAccount(
  tx: Tx,
  outbox: Outbox,
  ids: readonly string[],
  userId: string,
): Promise<OrderRow[]> {
  // The orders are locked by ascending id, so that two accounts cannot deadlock.
  const free = await selectGuestOrders(tx).where('id', 'in', ids).orderBy('id').forUpdate().execute();
  if (free.length === 0) return [];
  const changed = await tx
    .updateTable('orders')
    .set((eb) => ({ customer_id: userId, version: eb('version', '+', 1) }))
    .where(
      'id',
      'in',
      free.map(({ id }) => id),
    )
    .returningAll()
    .execute();
  for (const order of changed) await announceOrder(tx, outbox, order, 'order.updated');
  return changed.toSorted((a, b) => (a.id < b.id ? 1 : -1));
}

/**
 * Erases all personal data of orders. The lines, prices, taxes, payments and times stay, because reports count them.
 */
export async function erasePersonalOrderData(tx: Tx, ids: readonly string[]): Promise<void> {
  await tx
    .updateTable('orders')
    .set({
      contact: JSON.stringify({ name: '', phone: '', email: '' }),
      address: null,
      note: '',
      allergy_note: '',
      allergies: [],
      rating_text: '',
      lines: sql`(select coalesce(jsonb_agg(line || '{"note":"","allergen_conflicts":[]}'), '[]') from jsonb_array_elements(lines) line)`,
      // The reason may contain a name that staff typed.
      removed: sql`(select coalesce(jsonb_agg(one || '{"reason":""}'), '[]') from jsonb_array_elements(removed) one)`,
      // Random bytes replace the request hash, because guesses of the personal data could be checked against the hash.
      request_hash: randomBytes(32),
    })
    .where('id', 'in', ids)
    .execute();
  // Codes of reasons are not erased, because only a person's text may contain a name.
  await sql`
    update order_history set
      reason = case when reason = any(${codes}::text[]) then reason end,
      note = case when note ? 'reason' and not note->>'reason' = any(${codes}::text[])
        then jsonb_set(note, '{reason}', '""') else note end
    where order_id = any(${ids}::uuid[]) and (reason is not null or note ? 'reason')`.execute(tx);
}

const codes = [RejectReason, FollowUp, RemovalReason, CancelReason].flatMap(({ options }): string[] => [...options]);

export async function recordGuestErasureWithEvent(
  tx: Tx,
  outbox: Outbox,
  order: Pick<OrderRow, 'id' | 'store_id'>,
  at: Date,
): Promise<void> {
  await tx
    .updateTable('orders')
    .set((eb) => ({ forgotten_at: at, version: eb('version', '+', 1) }))
    .where('id', '=', order.id)
    .execute();
  await announceOrder(tx, outbox, order, 'order.updated');
}

export async function recordGuestErasure(tx: Tx, ids: readonly string[], at: Date): Promise<void> {
  await tx.updateTable('orders').set({ forgotten_at: at }).where('id', 'in', ids).execute();
}

/** Removes a person's id from their own orders, and from history entries of any order. */
export async function eraseUserFromOrders(tx: Tx, userId: string): Promise<void> {
  await tx.updateTable('order_history').set({ actor_id: null }).where('actor_id', '=', userId).execute();
  await tx.updateTable('orders').set({ customer_id: null }).where('customer_id', '=', userId).execute();
}

/** Encrypts up to `most` sessions that earlier releases stored in plain text. */
export async function encryptOrderSessions(tx: Tx, { columns }: OrderSessionCipher, most: number): Promise<void> {
  const clear = await tx
    .selectFrom('orders')
    .select(['id', 'session'])
    .where('session', 'is not', null)
    .orderBy('session')
    .limit(most)
    .forNoKeyUpdate()
    .skipLocked()
    .execute();
  const sealed = clear.map(({ id, session }) => ({ id, set: { session: null, ...columns(id, session ?? '') } }));
  for (const { id, set } of sealed) await tx.updateTable('orders').set(set).where('id', '=', id).execute();
}

async function setMoney(tx: Tx, id: string, set: OrderMoneyColumns): Promise<Pick<OrderRow, 'version' | 'status'>> {
  return tx
    .updateTable('orders')
    .set((eb) => ({ ...set, version: eb('version', '+', 1) }))
    .where('id', '=', id)
    .returning(['version', 'status'])
    .executeTakeFirstOrThrow();
}

async function writeHistory(tx: Tx, lines: Insertable<OrderHistoryTable>[]): Promise<void> {
  await tx.insertInto('order_history').values(lines).execute();
}

/** Queues an order's event for its boards and its page. The order may be unchanged, so that its page refetches. */
export async function announceOrder(
  tx: Tx,
  outbox: Outbox,
  { id: subjectId, store_id: scopeId }: Pick<OrderRow, 'id' | 'store_id'>,
  event: OrderChange['event'],
): Promise<void> {
  await outbox.add(tx, { topic: 'order', event, scopeId, subjectId, countedOn: storeOrdersChannelName(scopeId) });
}
