import type { FastifyBaseLogger } from 'fastify';
import { sql } from 'kysely';
import type { Db } from '#database/schema.ts';
import { withStatementTimeout } from '#database/transaction.ts';
import { setTimeout as sleep } from 'node:timers/promises';

const hour = 3_600_000;

/** Collations whose rules have changed since the indexes were built. A null name is the database's own collation. */
const changed = sql`(
  select oid, collname as name from pg_collation
  where collnamespace = current_schema()::regnamespace and collversion <> pg_collation_actual_version(oid)
  union all
  select 'pg_catalog."default"'::regcollation, null from pg_database
  where datname = current_database() and datcollversion <> pg_database_collation_actual_version(oid))`;

/**
 * Rebuilds the indexes of changed collations before the shop opens, in one of the starting instances. An update of the
 * libraries that PostgreSQL uses may change the order of texts, and indexes in the old order then miss rows.
 */
export async function rebuildIndexesOfChangedCollations(
  db: Db,
  log: Pick<FastifyBaseLogger, 'info' | 'warn' | 'error'>,
): Promise<void> {
  if ((await changedOf(db)).length === 0) return;
  await withStatementTimeout(hour, () =>
    runWithIndexLock(db, async (one) => {
      const collations = await changedOf(one);
      if (collations.length === 0) return;
      const indexes = await indexesOf(one);
      for (const { schema, name } of indexes)
        await sql`reindex index concurrently ${sql.id(schema, name)}`.execute(one);
      for (const name of collations) await noteVersion(one, name, log);
      log.info(
        { indexes: indexes.map(({ name }) => name) },
        'the rules of sorting have changed: indexes were made anew',
      );
    }),
  ).catch((error: unknown) =>
    // The shop opens nevertheless; the next startup retries.
    log.error({ err: error }, 'the rules of sorting have changed, and not every index could be made anew'),
  );
}

/** Warns if names are not sorted by ICU's rules, because the server had no ICU when the tables were created. */
export async function warnIfIcuIsMissing(db: Db, log: Pick<FastifyBaseLogger, 'warn'>): Promise<void> {
  const { rows } = await sql<{ provider: string; locale: string }>`
    select collprovider as provider, collcollate as locale from pg_collation
    where collname = 'by_name' and collnamespace = current_schema()::regnamespace`.execute(db);
  if (rows[0]?.provider !== 'c') return;
  log.warn(`PostgreSQL was built without ICU: names are sorted by its own rules for ${rows[0].locale}.`);
}

async function changedOf(db: Db): Promise<(string | null)[]> {
  const { rows } = await sql<{ name: string | null }>`select name from ${changed} as changed`.execute(db);
  return rows.map(({ name }) => name);
}

async function indexesOf(db: Db): Promise<{ schema: string; name: string }[]> {
  // Drops the invalid indexes of an earlier rebuild that was interrupted.
  const { rows: left } = await sql<{ schema: string; name: string }>`
    select n.nspname as schema, c.relname as name from pg_index i
    join pg_class c on c.oid = i.indexrelid join pg_namespace n on n.oid = c.relnamespace
    where not i.indisvalid and c.relname ~ '_cc(new|old)[0-9]*$'`.execute(db);
  for (const { schema, name } of left) await sql`drop index concurrently ${sql.id(schema, name)}`.execute(db);
  const { rows } = await sql<{ schema: string; name: string }>`
    select n.nspname as schema, c.relname as name from pg_index i
    join pg_class c on c.oid = i.indexrelid join pg_namespace n on n.oid = c.relnamespace
    where i.indcollation::oid[] && array(select oid from ${changed} as changed)
      and c.relkind = 'i' and n.nspname not in ('pg_catalog', 'pg_toast')
    order by 1, 2`.execute(db);
  return rows;
}

/** Records the present version of a collation's rules, so that the next start rebuilds no index. */
async function noteVersion(db: Db, name: string | null, log: Pick<FastifyBaseLogger, 'warn'>): Promise<void> {
  if (name !== null) return void (await sql`alter collation ${sql.id(name)} refresh version`.execute(db));
  const { rows } = await sql<{ name: string }>`select current_database() as name`.execute(db);
  const statement = sql`alter database ${sql.id(rows[0]?.name ?? '')} refresh collation version`;
  await statement
    .execute(db)
    .catch((error: unknown) =>
      log.warn(
        { err: error },
        'The version of the database’s collation could not be noted. Its owner can do it with ALTER DATABASE … REFRESH COLLATION VERSION; until then each start makes the indexes of texts anew.',
      ),
    );
}

/** The key of the advisory lock: a number that nothing else locks. */
const lock = 7_302;

/** Runs work on indexes in a session of its own, in one instance at a time. */
export function runWithIndexLock<T>(db: Db, work: (one: Db) => Promise<T>): Promise<T> {
  return db.connection().execute(async (one) => {
    for (;;) {
      const { rows } = await sql<{ isFree: boolean }>`select pg_try_advisory_lock(${lock}) as "isFree"`.execute(one);
      if (rows[0]?.isFree) break;
      await sleep(500);
    }
    try {
      return await work(one);
    } finally {
      await sql`select pg_advisory_unlock(${lock})`.execute(one);
    }
  });
}
