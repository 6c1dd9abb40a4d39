import pg from 'pg';
import { type Migration, Migrator } from 'kysely/migration';
import { knownMigrations } from '#database/data-version.ts';
import type { Db } from '#database/schema.ts';
import { withStatementTimeout } from '#database/transaction.ts';

/** Milliseconds for one statement: rewriting a large shop's tables takes long, and so does waiting for the lock. */
const hour = 3_600_000;

/**
 * Migrates the database to the current schema, in one instance at a time. A migration also runs if another one with a
 * higher number was applied before, because branches merge in any order. In an existing database each migration has its
 * own transaction, so that its locks end before a later migration fills tables.
 */
export async function migrate(db: Db): Promise<void> {
  const provider = { getMigrations: loadMigrations };
  const migrator = new Migrator({ db, provider, allowUnorderedMigrations: true });
  await withStatementTimeout(hour, async () => {
    if (await isEmpty(db)) {
      // In a new database, one transaction for all migrations takes half as long as one transaction per migration.
      const { error } = await migrator.migrateToLatest();
      if (error && !isGoneTable(error)) throw error;
      if (!error) return;
    }
    for (let isDone = false, lists = 0; !isDone;) {
      const { error, results } = await migrator.migrateUp();
      if (error) {
        lists += 1;
        if (results !== undefined || lists > maxLists || !isGoneTable(error)) throw error;
        continue;
      }
      isDone = results === undefined || results.length === 0;
    }
  });
}

async function isEmpty(db: Db): Promise<boolean> {
  const tables = await db.introspection.getTables();
  return tables.length === 0;
}

/** The maximum number of retries after `isGoneTable`: it is above the number of migrations that drop a table. */
const maxLists = 50;

/**
 * Whether a listed table is missing. Kysely lists the tables before it takes its lock, so another instance may drop a
 * table in between.
 */
function isGoneTable(error: unknown): boolean {
  return error instanceof pg.DatabaseError && error.code === '42P01';
}

/** Loads all migrations, by name. Migrations only go forward: a later migration corrects a released one. */
export async function loadMigrations(): Promise<Record<string, Migration>> {
  const names = [...knownMigrations()].toSorted();
  const loaded = names.map(async (name): Promise<[string, Migration]> => [
    name,
    await import(`./migrations/${name}.ts`),
  ]);
  return Object.fromEntries(await Promise.all(loaded));
}
