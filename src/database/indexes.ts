import { DatabaseUnavailable } from '#platform/server/database-unavailable.ts';
import type { FastifyBaseLogger } from 'fastify';
import { type RawBuilder, sql } from 'kysely';
import type pg from 'pg';
import { runWithIndexLock, warnIfIcuIsMissing } from '#database/collations.ts';
import { connect } from '#database/connect.ts';
import { withStatementTimeout } from '#database/transaction.ts';
import type { Db } from '#database/schema.ts';

/* Indexes of large tables. The indexes are built one by one outside of migrations, and block no writes: instances of
   the previous release still take orders. */

interface LargeIndex {
  name: string;
  make: RawBuilder<unknown>;
  /** Whether the index needs the extension `pg_trgm`. */
  needsTrigrams?: true;
}

// Indexes of words are built without `fastupdate`, because with it every search would read all pending rows.

export const largeIndexes: readonly LargeIndex[] = [
  {
    name: 'orders_newest',
    make: sql`create index concurrently orders_newest on orders (store_id, trading_day desc, created_at desc, id desc)`,
  },
  {
    name: 'orders_by_status',
    make: sql`create index concurrently orders_by_status on orders
      (store_id, status, trading_day desc, created_at desc, id desc)`,
  },
  {
    name: 'orders_by_customer',
    make: sql`create index concurrently orders_by_customer on orders
      (customer_id, trading_day desc, created_at desc, id desc) include (status, total) where customer_id is not null`,
  },
  {
    name: 'orders_of_guests',
    make: sql`create index concurrently orders_of_guests on orders (store_id, created_at)
      where customer_id is null and forgotten_at is null`,
  },
  { name: 'orders_by_phone', make: sql`create index concurrently orders_by_phone on orders (phone_key(contact))` },
  {
    name: 'orders_by_email',
    make: sql`create index concurrently orders_by_email on orders (lower(contact->>'email'))`,
  },
  {
    name: 'offer_uses_by_day',
    make: sql`create index concurrently offer_uses_by_day on offer_uses (trading_day)`,
  },
  {
    name: 'order_search_number',
    make: sql`create index concurrently order_search_number on order_search
      (number, trading_day desc, created_at desc, order_id desc)`,
  },
  {
    name: 'order_search_days',
    make: sql`create index concurrently order_search_days on order_search (trading_day desc, created_at desc, order_id desc)`,
  },
  {
    name: 'orders_by_payment',
    make: sql`create index concurrently orders_by_payment on orders
      (store_id, payment_status, trading_day desc, created_at desc, id desc) where payment_status <> 'paid'`,
  },
  {
    name: 'prints_newest',
    make: sql`create index concurrently prints_newest on prints (created_at desc, id desc)`,
  },
  {
    name: 'mails_unended',
    make: sql`create index concurrently mails_unended on mails (refused_since) where ended_at is null`,
  },
  {
    name: 'payments_of_keys',
    make: sql`create index concurrently payments_of_keys on payments (key_set, updated_at)`,
  },
  {
    name: 'payment_events_received',
    make: sql`create index concurrently payment_events_received on payment_events (received_at)`,
  },
  {
    name: 'payment_events_failed',
    make: sql`create index concurrently payment_events_failed on payment_events (received_at) where outcome = 'failed'`,
  },
  {
    name: 'prints_of_printer',
    make: sql`create index concurrently prints_of_printer on prints (printer_id, created_at desc, id desc)`,
  },
  {
    name: 'order_history_actor',
    make: sql`create index concurrently order_history_actor on order_history (actor_id) where actor_id is not null`,
  },
  {
    name: 'order_search_names',
    make: sql`create index concurrently order_search_names on order_search
      (name, trading_day desc, created_at desc, order_id desc) include (store_id) where name <> ''`,
  },
  {
    name: 'order_search_digits',
    make: sql`create index concurrently order_search_digits on order_search
      using gin (digits gin_trgm_ops) with (fastupdate = off)`,
    needsTrigrams: true,
  },
  {
    name: 'order_names_folded',
    make: sql`create index concurrently order_names_folded on order_names
      using gin (fold_text(name) gin_trgm_ops) with (fastupdate = off)`,
    needsTrigrams: true,
  },
  {
    name: 'users_folded',
    make: sql`create index concurrently users_folded on users
      using gin (fold_text(name) gin_trgm_ops, fold_text(email) gin_trgm_ops, fold_text(phone) gin_trgm_ops)
      with (fastupdate = off)`,
    needsTrigrams: true,
  },
  {
    name: 'users_digits',
    make: sql`create index concurrently users_digits on users
      using gin (national_digits(phone) gin_trgm_ops) with (fastupdate = off)`,
    needsTrigrams: true,
  },
  { name: 'users_newest', make: sql`create index concurrently users_newest on users (role, created_at, id)` },
  {
    name: 'users_sorted',
    make: sql`create index concurrently users_sorted on users (role, name collate by_name, id)`,
  },
  {
    name: 'customer_sums_orders',
    make: sql`create index concurrently customer_sums_orders on customer_sums (orders, user_id)`,
  },
  {
    name: 'customer_sums_last',
    make: sql`create index concurrently customer_sums_last on customer_sums (last_order_at, user_id)`,
  },
  { name: 'audit_log_newest', make: sql`create index concurrently audit_log_newest on audit_log (at desc, id desc)` },
  {
    name: 'audit_log_subject',
    make: sql`create index concurrently audit_log_subject on audit_log (subject_id, at desc, id desc)`,
  },
  {
    name: 'audit_log_action',
    make: sql`create index concurrently audit_log_action on audit_log (action, at desc, id desc)`,
  },
  {
    name: 'audit_log_actor',
    make: sql`create index concurrently audit_log_actor on audit_log (actor, at desc, id desc)`,
  },
  {
    name: 'audit_log_actor_action',
    make: sql`create index concurrently audit_log_actor_action on audit_log (actor, action, at desc, id desc)`,
  },
  {
    name: 'audit_search_folded',
    make: sql`create index concurrently audit_search_folded on audit_search
      using gin (fold_text(words) gin_trgm_ops) with (fastupdate = off)`,
    needsTrigrams: true,
  },
  {
    name: 'audit_search_newest',
    make: sql`create index concurrently audit_search_newest on audit_search (at desc, id desc)`,
  },
  {
    name: 'audit_log_actor_id',
    make: sql`create index concurrently audit_log_actor_id on audit_log (actor_id, at desc, id desc)`,
  },
];

/** Indexes of earlier versions that newer indexes replace; they are dropped. */
const replaced = [
  'orders_customer',
  'audit_log_at',
  'audit_log_words',
  'order_search_words',
  'order_names_words',
  'users_words',
  'users_by_name',
  'audit_search_words',
];

const hour = 3_600_000;

/**
 * Builds the missing indexes in the background. During the build the shop is open, but lists and searches of old data
 * are slow. If the build is interrupted, the next start repeats it.
 */
export function startBuildingLargeIndexes(
  database: string | pg.PoolConfig,
  log: Pick<FastifyBaseLogger, 'warn' | 'error'>,
): { done: Promise<void>; stop(): Promise<void> } {
  // The build has its own connection, so that `stop` can close it during a statement.
  const own = connect(database, () => {}, { max: 1 });
  let isStopping = false;
  const done = buildLargeIndexes(own.db, log)
    .catch((error: unknown) => {
      if (!isStopping) log.error({ err: error }, 'large indexes');
    })
    .finally(() => own.close());
  return {
    done,
    async stop() {
      isStopping = true;
      await own.endNow();
      await done;
    },
  };
}

/**
 * Builds the missing indexes, in one instance at a time. The other instances poll for their turn, because waiting in
 * the database would block the build of an index. Without `pg_trgm`, searches by words reach only the last 90 days.
 */
export async function buildLargeIndexes(db: Db, log: Pick<FastifyBaseLogger, 'warn'>): Promise<void> {
  await withStatementTimeout(hour, () =>
    runWithIndexLock(db, async (one) => {
      await makeMissing(one, await addTrigrams(one, log));
      await warnIfIcuIsMissing(one, log);
    }),
  );
}

async function makeMissing(db: Db, hasTrigrams: boolean): Promise<void> {
  const { rows } = await sql<{ name: string; isValid: boolean }>`
    select c.relname as name, i.indisvalid as "isValid" from pg_index i join pg_class c on c.oid = i.indexrelid
    where c.relnamespace = current_schema()::regnamespace`.execute(db);
  const found = new Map(rows.map(({ name, isValid }) => [name, isValid]));
  for (const { name, make, needsTrigrams } of largeIndexes) {
    if (found.get(name) || (needsTrigrams && !hasTrigrams)) continue;
    // The existing index is invalid, because its build was interrupted.
    if (found.has(name)) await sql`drop index concurrently ${sql.id(name)}`.execute(db);
    await make.execute(db);
  }
  for (const name of replaced) if (found.has(name)) await sql`drop index concurrently ${sql.id(name)}`.execute(db);
}

/** Adds `pg_trgm`; false if the server lacks its files, or this role is not the database's owner. */
async function addTrigrams(db: Db, log: Pick<FastifyBaseLogger, 'warn'>): Promise<boolean> {
  const { rows } = await sql<{ isMade: boolean; isOffered: boolean }>`
    select exists (select from pg_extension where extname = 'pg_trgm') as "isMade",
      exists (select from pg_available_extensions where name = 'pg_trgm') as "isOffered"`.execute(db);
  if (rows[0]?.isMade) return true;
  try {
    if (!rows[0]?.isOffered) throw new Error('The server does not offer it.');
    await sql`create extension if not exists pg_trgm`.execute(db);
    return true;
  } catch (error) {
    if (error instanceof DatabaseUnavailable) throw error;
    log.warn(
      { err: error },
      'The database has no pg_trgm: names and phone numbers are searched among the last 90 days only. An administrator of the database can add it with CREATE EXTENSION pg_trgm; then restart.',
    );
    return false;
  }
}
