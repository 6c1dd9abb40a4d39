import { type Insertable, sql } from 'kysely';
import { m } from '#messages';
import type { StoresTable, Tx } from '#database/schema.ts';
import { AppError } from '#platform/errors.ts';
import type { Outbox } from '#realtime/server/outbox.ts';
import type { ShownStores } from '#store/server/services.ts';

/** The database's notification that a store changed; its payload is the store's id and, after a space, its new version. */
export const shopChangedChannel = 'hatch_shop_changed';

/** Who is told of a change. */
export interface StoreChanges {
  menus: Pick<ShownStores, 'forget'>;
  outbox: Pick<Outbox, 'add' | 'wake'>;
}

/** The transaction that a change is made in. */
export interface ChangingCall {
  db: Tx;
  afterCommit(effect: () => void): void;
  /** What was announced already, where this is one of several changes in the transaction. */
  announced?: Set<string>;
}

type Changed = 'store' | 'menu';

/**
 * Every write to a store or its menus. The store's row stays locked until the commit, so changes follow one another, and
 * `write` begins after the wait: what it needs is read in it. `isFirst` is false where the transaction had the lock before.
 * Throws 404 for a store that was deleted meanwhile.
 */
export async function changeStore<T>(
  services: StoreChanges,
  call: ChangingCall,
  storeId: string,
  what: Changed,
  write: (tx: Tx, isFirst: boolean) => Promise<T>,
): Promise<T> {
  const name = `${what} ${storeId}`;
  const isFirst = !call.announced?.has(name);
  call.announced?.add(name);
  if (isFirst) await announce(services, call, { storeId, what, version: await countUp(call.db, storeId) });
  return write(call.db, isFirst);
}

/** Makes a store, and whatever `fill` writes to its menus. */
export async function createStore(
  services: StoreChanges,
  call: ChangingCall,
  store: Insertable<StoresTable> & { id: string },
  fill: (tx: Tx) => Promise<void> = async () => {},
): Promise<void> {
  const { version } = await call.db.insertInto('stores').values(store).returning('version').executeTakeFirstOrThrow();
  await announce(services, call, { storeId: store.id, what: 'store', version });
  await fill(call.db);
}

/** Counting locks the row. */
async function countUp(tx: Tx, storeId: string): Promise<number> {
  const { rows } = await sql<{ version: number }>`
    update stores set version = version + 1 
    where id = ${storeId} and deleted_at is null returning version`.execute(tx);
  if (!rows[0]) throw new AppError('not_found', m.store_not_found());
  return rows[0].version;
}

async function announce(
  { menus, outbox }: StoreChanges,
  { db: tx, afterCommit }: ChangingCall,
  { storeId, what, version }: { storeId: string; what: Changed; version: number },
): Promise<void> {
  await sql`select pg_notify(${shopChangedChannel}, ${`${storeId} ${version}`})`.execute(tx);
  await outbox.add(tx, { topic: what, event: `${what}.updated`, storeId, subjectId: storeId });
  afterCommit(() => {
    menus.forget(storeId, version);
    outbox.wake();
  });
}
