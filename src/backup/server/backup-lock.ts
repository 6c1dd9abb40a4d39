import pg from 'pg';

/**
 * The locks' names; one program holds each at a time. `copies`: to change the shop's folders of copies. `night`: for the
 * nightly copy, until it is in the second place. `place`: to change a second place.
 */
const locks = { copies: 'hatch backup', night: 'hatch nightly backup', place: 'hatch backup place' };
export type BackupLock = keyof typeof locks;

/** A lock's name, which PostgreSQL hashes to the number of an advisory lock. */
export const lockName = (lock: BackupLock): string => locks[lock];

export interface LockedSession {
  client: pg.Client;
  /** Aborted when the session ends, and the lock with it. */
  lost: AbortSignal;
}

/**
 * Runs `work` in a session that has the lock; null if another one has it. `database`: PostgreSQL itself, because a pooler
 * shares its sessions. A killed program's lock ends with its session.
 */
export async function withBackupLock<T>(
  database: string | pg.PoolConfig,
  lock: BackupLock,
  work: (session: LockedSession) => Promise<T>,
): Promise<{ done: T } | null> {
  const client = new pg.Client({
    ...(typeof database === 'string' ? { connectionString: database } : database),
    application_name: `hatch-backup-${lock}`,
    connectionTimeoutMillis: 5_000,
  });
  const ending = new AbortController();
  client.on('error', (error) => ending.abort(error));
  await client.connect();
  try {
    const { rows } = await client.query<{ is_mine: boolean }>(
      'select pg_try_advisory_lock(hashtextextended($1, 0)) as is_mine',
      [locks[lock]],
    );
    return rows[0]?.is_mine ? { done: await work({ client, lost: ending.signal }) } : null;
  } finally {
    await client.end().catch(() => undefined);
  }
}
