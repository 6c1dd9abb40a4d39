import pg from 'pg';

/**
 * The names of the advisory locks. `copies` guards every folder of backups. `night` is held during a nightly backup,
 * until the backup is sent. `place` guards the second backup location.
 */
const locks = { copies: 'hatch backup', night: 'hatch nightly backup', place: 'hatch backup place' };
export type BackupLock = keyof typeof locks;

export const backupLockName = (lock: BackupLock): string => locks[lock];

export interface BackupLockSession {
  client: pg.Client;
  /** Aborted when the database session is lost, because PostgreSQL then frees the lock. */
  lost: AbortSignal;
}

/**
 * Runs `work` in a session that holds the lock. Returns null if another session holds the lock. `database` must not be
 * a pooler, which shares sessions. A killed program's session ends, which frees its lock.
 */
export async function withBackupLock<T>(
  database: string | pg.PoolConfig,
  lock: BackupLock,
  work: (session: BackupLockSession) => Promise<T>,
): Promise<{ done: T } | null> {
  const client = new pg.Client({
    ...(typeof database === 'string' ? { connectionString: database } : database),
    application_name: `hatch-backup-${lock}`,
    connectionTimeoutMillis: 5_000,
  });
  const lost = new AbortController();
  client.on('error', (error) => lost.abort(error));
  await client.connect();
  try {
    const { rows } = await client.query<{ is_mine: boolean }>(
      'select pg_try_advisory_lock(hashtextextended($1, 0)) as is_mine',
      [locks[lock]],
    );
    return rows[0]?.is_mine ? { done: await work({ client, lost: lost.signal }) } : null;
  } finally {
    await client.end().catch(() => undefined);
  }
}
