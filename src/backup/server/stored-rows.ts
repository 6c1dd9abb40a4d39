import type pg from 'pg';
import type { StoredRowsManifest } from '#backup/manifest.ts';
import { sha256OfText } from '#backup/server/copy-layout.ts';
import { loadCopyRows, withDatabaseClient } from '#backup/server/load-rows.ts';
import { writeSnapshotRows } from '#backup/server/make-copy.ts';
import { openStoredRows } from '#backup/server/restore-copy.ts';
import { inPortableTransaction } from '#backup/server/tables.ts';
import { refuseNewerData } from '#database/data-version.ts';
import { systemErrorCode } from '#database/embedded/process.ts';
import { ConfigError } from '#platform/errors.ts';

type Connection = string | pg.PoolConfig;

export interface StoppedShopRows {
  connection: Connection;
  /** The words for the database in error messages. */
  where: string;
}

/** Stores every row of a stopped shop in a folder. `hatch`: this program's version. */
export async function exportShopRows(
  { connection, where }: StoppedShopRows,
  folder: string,
  hatch: string,
): Promise<StoredRowsManifest> {
  const rows = await withDatabaseClient(connection, (client) =>
    inPortableTransaction(client, 'isolation level repeatable read, read only', () =>
      writeSnapshotRows(client, folder, true),
    ),
  );
  refuseNewerData(hatch, { where, migrations: rows.migrations });
  return rows;
}

/**
 * Loads rows into an empty database, and checks every row. `exportShopRows` has stored these rows in `folder`. Returns
 * the name of the last migration.
 */
export function loadStoredRows(
  connection: Connection,
  rows: StoredRowsManifest,
  folder: string,
  mark: string | null = null,
): Promise<string | null> {
  return loadCopyRows(connection, rows, (file) => openStoredRows(folder, file), undefined, mark);
}

/** Returns a hash of the uncompressed rows, so that two versions of the compression give the same hash. */
export function hashStoredRows({ tables, sequences, jobs, migrations }: StoredRowsManifest): string {
  const texts = [...tables, ...(jobs ? [jobs.table] : [])].map(({ name, text_sha256 }) => [name, text_sha256]);
  return sha256OfText(JSON.stringify({ texts, sequences, migrations }));
}

export const countStoredRows = ({ tables }: StoredRowsManifest): number =>
  tables.reduce((sum, { rows }) => sum + rows, 0);

/** Converts an error of a full disk into a ConfigError; returns any other error unchanged. */
export function asDiskFullError(error: unknown, folder: string): unknown {
  if (systemErrorCode(error) !== 'ENOSPC' && !/No space left on device/.test(String(error))) return error;
  return new ConfigError(`The disk of ${folder} is full. Nothing was changed: make room, and try again.`, {
    cause: error,
  });
}
