import { type Insertable, sql } from 'kysely';
import { m } from '#messages';
import type { Db, StoresTable, Tx } from '#database/schema.ts';
import { AppError } from '#platform/errors.ts';
import type { Outbox } from '#realtime/server/outbox.ts';
import type { ShopCardKeyReads, StoreCache } from '#store/server/services.ts';
import type { CardKeyColumns } from '#store/card-provider.ts';

/** The database's notification that a store changed. Its payload is the store's id, a space and the new version. */
export const shopChangedChannel = 'hatch_shop_changed';

/** The services that a change of a store uses: the cache of stores, and the outbox for its event. */
export interface StoreChangeServices {
  menus: Pick<StoreCache, 'forget'>;
  outbox: Pick<Outbox, 'add' | 'wake'>;
}

/**
 * Serialises the transactions that create an installation's first store. Without this lock, concurrent calls or server
 * starts could each create a store.
 */
export async function lockFirstStoreCreation(tx: Tx): Promise<void> {
  await sql`select pg_advisory_xact_lock(hashtext('hatch setup'))`.execute(tx);
}

export interface StoreChangeCall {
  db: Tx;
  afterCommit(effect: () => void): void;
  /** The changes that the transaction has already announced, each as the text `store ID` or `menu ID`. */
  announced?: Set<string>;
}

declare module '#realtime/server/outbox.ts' {
  interface OutboxTopics {
    store: true;
    menu: true;
  }
}

type Changed = 'store' | 'menu';

/**
 * Changes a store or its menus. Every such change must use this function, because it locks the store's row until the
 * commit and announces the change. `isFirst` tells `write` whether the transaction changes this store, or this store's
 * menus, for the first time. Throws 404 for a deleted store.
 */
export async function changeStore<T>(
  services: StoreChangeServices,
  call: StoreChangeCall,
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

/**
 * Creates a store with its onboarding, and copies the state of the shop's card keys into the store's columns. `fill`
 * adds the store's menus.
 */
export async function createStore(
  services: StoreChangeServices & { keySets: ShopCardKeyReads },
  call: StoreChangeCall,
  store: Insertable<StoresTable> & { id: string },
  fill: (tx: Tx) => Promise<void> = async () => {},
): Promise<void> {
  const { version } = await call.db
    .insertInto('stores')
    .values({ ...store, ...services.keySets.cards() })
    .returning('version')
    .executeTakeFirstOrThrow();
  await announce(services, call, { storeId: store.id, what: 'store', version });
  await call.db.insertInto('first_evenings').values({ store_id: store.id }).execute();
  await fill(call.db);
}

/** Increments the store's version, which also locks its row. */
async function countUp(tx: Tx, storeId: string): Promise<number> {
  const { rows } = await sql<{ version: number }>`
    update stores set version = version + 1 
    where id = ${storeId} and deleted_at is null returning version`.execute(tx);
  if (!rows[0]) throw new AppError('not_found', m.store_not_found());
  return rows[0].version;
}

async function announce(
  { menus, outbox }: StoreChangeServices,
  { db: tx, afterCommit }: StoreChangeCall,
  { storeId, what, version }: { storeId: string; what: Changed; version: number },
): Promise<void> {
  await sql`select pg_notify(${shopChangedChannel}, ${`${storeId} ${version}`})`.execute(tx);
  await outbox.add(tx, { topic: what, event: `${what}.updated`, scopeId: storeId, subjectId: storeId });
  afterCommit(() => {
    menus.forget(storeId, version);
    outbox.wake();
  });
}

/** The stored end of a pause that has no fixed end. A person must resume the shop. */
const never = new Date('2999-01-01T00:00:00Z');
/**
 * The number of versions that a restored shop skips. Browsers may have cached versions that the original shop made
 * after the backup, and they never replace a cached store by a lower version.
 */
const versionsSkipped = 100_000;

/** Pauses every store of a restored shop, before a server uses the restored database. Returns the stores' ids. */
export async function pauseRestoredStores(tx: Tx): Promise<string[]> {
  const { rows } = await sql<{ id: string }>`
    update stores set paused_until = ${never}, pause_reason = null, pause_cause = 'restored',
      version = version + ${versionsSkipped}
    where deleted_at is null returning id`.execute(tx);
  return rows.map(({ id }) => id);
}

export interface StoredOnboarding {
  is_shown: boolean;
  /**
   * The onboarding steps that the owner has confirmed. The list is stored, because a step may be confirmed without any
   * change, for example if the hours were already right.
   */
  settled: readonly string[];
}

export async function readOnboarding(db: Db, storeId: string): Promise<StoredOnboarding> {
  const row = await db
    .selectFrom('first_evenings')
    .select(['is_shown', 'settled'])
    .where('store_id', '=', storeId)
    .executeTakeFirst();
  return row ?? { is_shown: false, settled: [] };
}

/** Shows or dismisses the store's onboarding, or completes a step. Open pages then refetch the onboarding. */
export async function setOnboarding(
  services: StoreChangeServices,
  call: StoreChangeCall,
  storeId: string,
  { is_shown: isShown, settled: step }: { is_shown?: boolean | undefined; settled?: string | undefined },
): Promise<void> {
  await changeStore(services, call, storeId, 'store', (tx) =>
    tx
      .insertInto('first_evenings')
      .values({ store_id: storeId, is_shown: isShown ?? false, settled: step === undefined ? [] : [step] })
      .onConflict((conflict) =>
        conflict.column('store_id').doUpdateSet({
          ...(isShown !== undefined && { is_shown: isShown }),
          settled: sql<string[]>`array(
            select distinct one from unnest(first_evenings.settled || excluded.settled) as one order by one)`,
        }),
      )
      .execute(),
  );
}

/**
 * Writes the state of the shop's card keys to every store. `isChanged`: whether the keys have changed. Their change is
 * announced even if each store already has this state, so that open pages refetch.
 */
export async function setCardKeyColumns(
  services: StoreChangeServices,
  call: StoreChangeCall,
  cards: CardKeyColumns,
  isChanged: boolean,
): Promise<void> {
  const stores = await call.db
    .selectFrom('stores')
    .select(['id', 'card_provider', 'has_card_keys'])
    .where('deleted_at', 'is', null)
    // The rows are locked in a fixed order, so that two changes never deadlock.
    .orderBy('id')
    .execute();
  for (const { id, card_provider, has_card_keys } of stores) {
    const isKnown = card_provider === cards.card_provider && has_card_keys === cards.has_card_keys;
    if (!isChanged && isKnown) continue;
    await changeStore(services, call, id, 'store', (tx) =>
      tx.updateTable('stores').set(cards).where('id', '=', id).execute(),
    );
  }
}
