import { sql } from 'kysely';
import type { Db } from '#database/schema.ts';

/** The counts and times of a server's archived write-ahead log files, from `pg_stat_archiver`. */
export interface WalArchiveStatus {
  /** The number of archived files since the server's statistics began. */
  archived: number;
  /** The number of failed attempts since the server's statistics began. */
  failed: number;
  last_archived_at: string | null;
  last_failed_at: string | null;
  is_failing: boolean;
}

/** Reads the state of the archive; null: `archive_mode` is off. */
export async function readWalArchiveStatus(db: Db): Promise<WalArchiveStatus | null> {
  const { rows } = await sql<{ archived: string; failed: string; archived_at: Date | null; failed_at: Date | null }>`
    select archived_count as archived, failed_count as failed, last_archived_time as archived_at,
      last_failed_time as failed_at
    from pg_stat_archiver where current_setting('archive_mode') <> 'off'`.execute(db);
  const [found] = rows;
  if (!found) return null;
  const { archived_at, failed_at } = found;
  return {
    archived: Number(found.archived),
    failed: Number(found.failed),
    last_archived_at: archived_at?.toISOString() ?? null,
    last_failed_at: failed_at?.toISOString() ?? null,
    is_failing: failed_at !== null && (archived_at === null || failed_at > archived_at),
  };
}

const minute = (iso: string) => `${iso.slice(0, 16).replace('T', ' ')} UTC`;

export function walArchiveWords(archive: WalArchiveStatus | null): string[] {
  if (archive === null) return [];
  const last = archive.last_archived_at === null ? 'nothing yet' : `last ${minute(archive.last_archived_at)}`;
  const failed = archive.failed === 0 ? '' : `, ${archive.failed} tries failed`;
  return [`of PostgreSQL’s log: ${last}${failed}${archive.is_failing ? ' (the last one too)' : ''}`];
}

/**
 * Describes the fault of a failing archive, which leaves a gap in the database server's own backup; empty if nothing
 * fails.
 */
export function walArchiveFaults(archive: WalArchiveStatus | null): string[] {
  if (!archive?.is_failing || archive.last_failed_at === null) return [];
  const last =
    archive.last_archived_at === null
      ? 'Nothing was archived yet'
      : `The last was archived ${minute(archive.last_archived_at)}`;
  return [
    `PostgreSQL cannot archive its log: it failed ${minute(archive.last_failed_at)}. ${last}. Its own log says why; until it can, the disk fills up and that backup has a gap.`,
  ];
}
