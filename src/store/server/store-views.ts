import { type RawBuilder, type Selectable, sql } from 'kysely';
import type { PauseCause } from '#database/column-values.ts';
import type { Db, StoresTable, Tx } from '#database/schema.ts';
import { changeStore, type StoreChangeCall, type StoreChangeServices } from '#store/server/change-store.ts';
import { cardProviderFor } from '#store/card-provider.ts';
import type { TradingDaySettings } from '#store/opening-hours.ts';
import { publicOffers } from '#store/offer-shapes.ts';
import { staffOnlyFields, type StaffStore, type Store } from '#store/contract.ts';

/* The next functions and SQL fragments let other domains read, lock and change stores. An SQL fragment is used like
   a table. */

export const liveStoresSql = sql<{ id: string }>`(select id from stores where deleted_at is null)`;

export function selectLiveStores(db: Db) {
  return db.selectFrom('stores').select('stores.id').where('stores.deleted_at', 'is', null);
}

export async function findLiveStoreIds(db: Db, ids: readonly string[]): Promise<Set<string>> {
  const rows = await selectLiveStores(db).where('stores.id', 'in', ids).execute();
  return new Set(rows.map(({ id }) => id));
}

export async function readLiveStoreIds(db: Db): Promise<string[]> {
  const rows = await db
    .selectFrom('stores')
    .select('id')
    .where('deleted_at', 'is', null)
    .orderBy('created_at')
    .orderBy('id')
    .execute();
  return rows.map(({ id }) => id);
}

export const everyStoreIdSql = sql<{ id: string }>`(select id from stores)`;

export function storeIdTable(ids: readonly string[]): RawBuilder<{ id: string }> {
  return sql`(select unnest(${ids}::uuid[]))`;
}

export const storeDeadlineSettingsSql = sql<{ id: string; answer_minutes: number; keep_guest_days: number | null }>`
  (select id, answer_minutes, keep_guest_days from stores)`;

/** The longest retention in months that any shop has for idle accounts and for the audit log; null: unlimited. */
export async function readLongestRetention(db: Db): Promise<{ idle_account: number | null; audit: number | null }> {
  const { rows } = await sql<{ idle_account: number | null; audit: number | null }>`
    select case when bool_and(keep_idle_account_months is not null) then max(keep_idle_account_months) end as idle_account,
      max(keep_audit_months) as audit from stores where deleted_at is null`.execute(db);
  return rows[0] ?? { idle_account: null, audit: null };
}

/**
 * Returns the store that was created first, whose trading days apply to the whole shop. Without a store, returns a
 * default with days in UTC.
 */
export async function readTradingDaySettings(db: Db): Promise<TradingDaySettings> {
  const row = await db
    .selectFrom('stores')
    .select(['timezone', 'day_starts_at'])
    .where('deleted_at', 'is', null)
    .orderBy('created_at')
    .orderBy('id')
    .limit(1)
    .executeTakeFirst();
  return row ?? { timezone: 'UTC', day_starts_at: '00:00' };
}

/** The time zones of all stores, including deleted stores. */
export const storeTimeZonesSql = sql<{ id: string; timezone: string }>`(select id, timezone from stores)`;

/**
 * SQL for each store's last trading day that has ended at `now`. If the clocks repeat an hour, its result may differ
 * from `tradingDayOf`.
 */
export function lastEndedTradingDaySql(now: Date): RawBuilder<{ id: string; day: string }> {
  return sql`(
    select id, (${now}::timestamptz at time zone timezone - day_starts_at::interval)::date - 1 as day
    from stores where deleted_at is null)`;
}

export const storeNamesSql = sql`select id, name from stores`;

/**
 * SQL that locks the undeleted stores among `ids`, so that other transactions cannot delete them until this transaction
 * ends.
 */
export function lockLiveStoresSql(ids: RawBuilder<unknown>) {
  return sql`select id, version from stores where id in (${ids}) and deleted_at is null for key share`;
}

/** Prevents changes of a store and its menus until the transaction ends. Other transactions can still read them. */
export async function preventStoreChanges(tx: Tx, id: string): Promise<void> {
  await tx.selectFrom('stores').select('id').where('id', '=', id).forShare().execute();
}

/** Reads a store's whole row; null if it does not exist or was deleted. */
export async function findStoreRow(db: Db, id: string): Promise<StoreRow | null> {
  const row = await findStoreRowEvenDeleted(db, id);
  return row?.deleted_at === null ? row : null;
}

export async function findStoreRowEvenDeleted(db: Db, id: string): Promise<StoreRow | undefined> {
  return db.selectFrom('stores').selectAll().where('id', '=', id).executeTakeFirst();
}

export async function hasEverHadStore(db: Db): Promise<boolean> {
  const row = await db.selectFrom('stores').select('id').limit(1).executeTakeFirst();
  return row !== undefined;
}

export async function readStoreVersion(db: Db, id: string): Promise<number | undefined> {
  const row = await db.selectFrom('stores').select('version').where('id', '=', id).executeTakeFirst();
  return row?.version;
}

export async function areStoresLive(db: Db, ids: readonly string[]): Promise<boolean> {
  const found = await db
    .selectFrom('stores')
    .select('id')
    .where('id', 'in', ids)
    .where('deleted_at', 'is', null)
    .execute();
  return found.length === new Set(ids).size;
}

/** Locks a store's row until the transaction ends, and returns the end of the store's pause; null without one. */
export async function lockStoreAndReadPause(tx: Tx, id: string): Promise<Date | null> {
  const row = await tx
    .selectFrom('stores')
    .select('paused_until')
    .where('id', '=', id)
    .forUpdate()
    .executeTakeFirstOrThrow();
  return row.paused_until;
}

/** Pauses a store until `until` for a `cause`, without a person's reason. If `until` is null, resumes the store. */
export async function setAutomaticPause(
  services: StoreChangeServices,
  call: StoreChangeCall,
  id: string,
  { until, cause }: { until: Date | null; cause: PauseCause | null },
): Promise<void> {
  await changeStore(services, call, id, 'store', (tx) =>
    tx
      .updateTable('stores')
      .set({ paused_until: until, pause_reason: null, pause_cause: cause })
      .where('id', '=', id)
      .execute(),
  );
}

export interface StoreWithStaleBestSellers {
  id: string;
  /** The last trading day that has ended. */
  day: string;
}

/** A query for the stores whose best sellers were not counted since their last trading day ended; null: none. */
export function selectStaleBestSellers(now: Date): RawBuilder<StoreWithStaleBestSellers[]> {
  return sql`
    select jsonb_agg(jsonb_build_object('id', ended.id, 'day', ended.day)) from ${lastEndedTradingDaySql(now)} as ended
    join stores on stores.id = ended.id where stores.best_sellers_day is distinct from ended.day`;
}

/**
 * Stores the best sellers that were counted up to `day`. If the list is unchanged, the store does not count as changed.
 */
export async function setBestSellers(
  services: StoreChangeServices,
  call: StoreChangeCall,
  id: string,
  { day, itemIds }: { day: string; itemIds: readonly string[] },
): Promise<void> {
  const before = await call.db
    .updateTable('stores')
    .set({ best_sellers_day: day })
    .where('id', '=', id)
    .where('deleted_at', 'is', null)
    .returning('best_sellers')
    .executeTakeFirst();
  if (!before || before.best_sellers.join() === itemIds.join()) return;
  await changeStore(services, call, id, 'store', (tx) =>
    tx
      .updateTable('stores')
      .set({ best_sellers: JSON.stringify(itemIds) })
      .where('id', '=', id)
      .execute(),
  );
}

export type StoreRow = Selectable<StoresTable>;

export function presentStore(row: StoreRow, config: { PAYMENT_SANDBOX: boolean }): StaffStore {
  const {
    latitude,
    longitude,
    is_demo: _isDemo,
    has_card_keys: _hasKeys,
    created_at: _created,
    deleted_at: _deleted,
    best_sellers_day: _counted,
    best_sellers,
    offers,
    ...rest
  } = row;
  const shown = publicOffers(offers);
  return {
    ...rest,
    location: { latitude, longitude },
    paused_until: row.paused_until?.toISOString() ?? null,
    card_provider: cardProviderFor(row, config),
    ...(shown.length > 0 && { offers: shown }),
    ...(best_sellers.length > 0 && { best_sellers }),
  };
}

export function publicStore(store: Store): Store {
  // The cast is right, because the remaining fields are exactly the public ones.
  return Object.fromEntries(Object.entries(store).filter(([field]) => !(field in staffOnlyFields))) as Store;
}
