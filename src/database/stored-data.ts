import { sql } from 'kysely';
import type { Db } from '#database/schema.ts';

/** The state of a database, before or after its migrations. */
export interface StoredData {
  /** The names of all that ran, in order. */
  migrations: string[];
  hasStores: boolean;
  /** The server's version, such as `18.4`. */
  postgres: string;
}

export async function readStoredData(db: Db): Promise<StoredData> {
  const { rows } = await sql<{ postgres: string; has_migrations: boolean; has_stores: boolean }>`
    select split_part(current_setting('server_version'), ' ', 1) as postgres,
      to_regclass('kysely_migration') is not null as has_migrations,
      to_regclass('stores') is not null as has_stores`.execute(db);
  const [found] = rows;
  const { rows: ran } = found?.has_migrations
    ? await sql<{ name: string }>`select name from kysely_migration order by name`.execute(db)
    : { rows: [] };
  return {
    migrations: ran.map(({ name }) => name),
    hasStores: found?.has_stores ?? false,
    postgres: found?.postgres ?? '',
  };
}

/** The data's version is its last migration; null: none ran yet. */
export async function readDataVersions(db: Db): Promise<{ data: string | null; postgres: string }> {
  const { migrations, postgres } = await readStoredData(db);
  return { data: migrations.at(-1) ?? null, postgres };
}
