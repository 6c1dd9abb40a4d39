import { randomBytes } from 'node:crypto';
import { sql, type Insertable, type Updateable } from 'kysely';
import type { OrderHistoryTable, OrdersTable, Tx } from '#database/schema.ts';
import type { HistoryNote } from '#ordering/history-note.ts';
import type { OrderStatus } from '#ordering/order.ts';
import type { OrderRow } from '#ordering/server/present-order.ts';
import type { Outbox } from '#realtime/server/outbox.ts';

/*
 * Every change of an order that is there: new ones come by `insert-orders.ts`, and nobody else writes an order or its
 * history. A change that is shown counts the version up and owes listeners its event.
 */

/** An order's row, held until the transaction ends. Whoever locks payments too locks the order first. */
export function lockOrder(tx: Tx, id: string): Promise<OrderRow | undefined> {
  return tx.selectFrom('orders').selectAll().where('id', '=', id).forUpdate().executeTakeFirst();
}

/** The same of an order that must be there, as a row that refers to it says. */
export function lockKnownOrder(tx: Tx, id: string): Promise<OrderRow> {
  return tx.selectFrom('orders').selectAll().where('id', '=', id).forUpdate().executeTakeFirstOrThrow();
}

export function lockOrderOf(tx: Tx, session: string): Promise<OrderRow | undefined> {
  return tx.selectFrom('orders').selectAll().where('session', '=', session).forUpdate().executeTakeFirst();
}

/** Nothing where somebody else holds it. */
export function lockIfFree(tx: Tx, id: string): Promise<OrderRow | undefined> {
  return tx.selectFrom('orders').selectAll().where('id', '=', id).forUpdate().skipLocked().executeTakeFirst();
}

/** Who makes a change, as the order's history names them. */
export interface By {
  actor: string;
  actorId: string | null;
}

export interface Step {
  /** What goes into the history, in order: a version and a line each. */
  lines: readonly { from: OrderStatus; to: OrderStatus }[];
  /** The columns that change with it. */
  set: Omit<Updateable<OrdersTable>, 'id' | 'status' | 'version'>;
  by: By;
  reason: string | null;
  note: HistoryNote | null;
  at: Date;
  event: 'order.placed' | 'order.updated';
}

/**
 * Takes a locked order to the status of its last line. `owe` has what follows from that written, in between: the event
 * comes last, as its number is counted by the store, whose other orders wait for it.
 */
export async function takeStep(
  tx: Tx,
  outbox: Outbox,
  { id, status, version }: OrderRow,
  { lines, set, by, reason, note, at, event }: Step,
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
      at,
    })),
  );
  await owe(changed);
  await oweEvent(tx, outbox, changed, event);
  return changed;
}

/** What an order's row says of its money. */
export type OrderMoney = Pick<Updateable<OrdersTable>, 'payment_status' | 'payment_method' | 'refunded'>;

/** What a provider's word changes: nothing that somebody did, so that the history has no line of it. */
export async function changeMoney(
  tx: Tx,
  outbox: Outbox,
  order: Pick<OrderRow, 'id' | 'store_id'>,
  set: OrderMoney,
): Promise<void> {
  await setMoney(tx, order.id, set);
  await oweEvent(tx, outbox, order, 'order.updated');
}

/** What somebody did about an order's money, with a line in its history. */
export async function noteMoney(
  tx: Tx,
  outbox: Outbox,
  order: Pick<OrderRow, 'id' | 'store_id'>,
  { set = {}, by, note, at }: { set?: OrderMoney; by: By; note: HistoryNote; at: Date },
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
  await oweEvent(tx, outbox, order, 'order.updated');
}

/** In the step that finds its money gone, whose version and event tell of this too. */
export async function failPayment(tx: Tx, id: string): Promise<void> {
  await tx.updateTable('orders').set({ payment_status: 'failed' }).where('id', '=', id).execute();
}

/** Takes out everything that names a person. What is left are sales: lines, prices, taxes, payments and times. */
export async function eraseDetails(tx: Tx, ids: readonly string[]): Promise<void> {
  await tx
    .updateTable('orders')
    .set({
      contact: JSON.stringify({ name: '', phone: '', email: '' }),
      address: null,
      note: '',
      allergy_note: '',
      lines: sql`(select coalesce(jsonb_agg(line || '{"note":""}'), '[]') from jsonb_array_elements(lines) line)`,
      // What it was made from names the person, and could be guessed.
      request_hash: randomBytes(32),
    })
    .where('id', 'in', ids)
    .execute();
}

export async function noteForgotten(tx: Tx, ids: readonly string[], at: Date): Promise<void> {
  await tx.updateTable('orders').set({ forgotten_at: at }).where('id', 'in', ids).execute();
}

/** Takes a person's id out of the orders that were theirs, and out of what they did to anybody's. */
export async function eraseUser(tx: Tx, userId: string): Promise<void> {
  await tx.updateTable('order_history').set({ actor_id: null }).where('actor_id', '=', userId).execute();
  await tx.updateTable('orders').set({ customer_id: null }).where('customer_id', '=', userId).execute();
}

async function setMoney(tx: Tx, id: string, set: OrderMoney): Promise<Pick<OrderRow, 'version' | 'status'>> {
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

async function oweEvent(
  tx: Tx,
  outbox: Outbox,
  { id: subjectId, store_id: storeId }: Pick<OrderRow, 'id' | 'store_id'>,
  event: Step['event'],
): Promise<void> {
  await outbox.add(tx, { topic: 'order', event, storeId, subjectId });
}
