import { sql, type Insertable, type RawBuilder } from 'kysely';
import type { Db, StoresTable, Tx } from '#database/schema.ts';
import { announceStore } from '#store/server/announce-store.ts';
import type { Outbox } from '#realtime/server/outbox.ts';

/* What other domains read of stores, hold of them and change. The fragments stand where a table would. */

export const liveStores = sql<{ id: string }>`(select id from stores where deleted_at is null)`;

/** What a store's settings make of its orders' times. */
export const storeTimes = sql<{ id: string; answer_minutes: number; keep_guest_days: number | null }>`
  (select id, answer_minutes, keep_guest_days from stores)`;

/** Names for the audit log. */
export const namedStores = sql`select id, name from stores`;

/** Holds the stores of these ids within a statement, so that they are not deleted meanwhile. */
export function heldStores(ids: RawBuilder<unknown>) {
  return sql`select id, version from stores where id in (${ids}) and deleted_at is null for key share`;
}

/** Nobody changes it, or its menus, until the transaction ends. */
export async function holdStore(tx: Tx, id: string): Promise<void> {
  await tx.selectFrom('stores').select('id').where('id', '=', id).forShare().execute();
}

/** Whether there is one, or ever was. */
export async function isAnyStore(db: Db): Promise<boolean> {
  const row = await db.selectFrom('stores').select('id').limit(1).executeTakeFirst();
  return row !== undefined;
}

export async function insertStore(tx: Tx, row: Insertable<StoresTable>): Promise<void> {
  await tx.insertInto('stores').values(row).execute();
}

export async function storeVersion(db: Db, id: string): Promise<number | undefined> {
  const row = await db.selectFrom('stores').select('version').where('id', '=', id).executeTakeFirst();
  return row?.version;
}

export async function areAllLive(db: Db, ids: readonly string[]): Promise<boolean> {
  const found = await db
    .selectFrom('stores')
    .select('id')
    .where('id', 'in', ids)
    .where('deleted_at', 'is', null)
    .execute();
  return found.length === new Set(ids).size;
}

/** The end of its pause, locked until the transaction ends. */
export async function lockPause(tx: Tx, id: string): Promise<Date | null> {
  const row = await tx
    .selectFrom('stores')
    .select('paused_until')
    .where('id', '=', id)
    .forUpdate()
    .executeTakeFirstOrThrow();
  return row.paused_until;
}

/** Pauses a store, or lets it go on: null. */
export async function setPause(
  tx: Tx,
  outbox: Outbox,
  id: string,
  { until, reason }: { until: Date | null; reason: string | null },
): Promise<void> {
  await tx.updateTable('stores').set({ paused_until: until, pause_reason: reason }).where('id', '=', id).execute();
  await announceStore(tx, outbox, id);
}
