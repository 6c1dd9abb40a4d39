import { type Migration, Migrator } from 'kysely/migration';
import { knownMigrations } from '#database/data-note.ts';
import type { Db } from '#database/schema.ts';
import { withStatementLimit } from '#database/transaction.ts';

/** In milliseconds: rewriting a large shop's tables takes long, and other instances wait for the lock. */
const hour = 3_600_000;

/**
 * Migrates the database to the current schema. Safe when several instances start together: the migrator takes a lock. A
 * migration that was added below one that ran already is run too: numbers are given out before the work on them ends.
 * Each has a transaction of its own, so that none holds its locks while a later one fills tables.
 */
export async function migrate(db: Db): Promise<void> {
  const provider = { getMigrations: loadMigrations };
  const migrator = new Migrator({ db, provider, allowUnorderedMigrations: true });
  await withStatementLimit(hour, async () => {
    for (let isDone = false; !isDone;) {
      const { error, results } = await migrator.migrateUp();
      if (error) throw error;
      isDone = results === undefined || results.length === 0;
    }
  });
}

/** Every file of the folder by its name. Forward only: a released migration is never edited; the next one corrects it. */
export async function loadMigrations(): Promise<Record<string, Migration>> {
  const names = [...knownMigrations()].toSorted();
  const loaded = names.map(async (name): Promise<[string, Migration]> => [
    name,
    await import(`./migrations/${name}.ts`),
  ]);
  return Object.fromEntries(await Promise.all(loaded));
}
