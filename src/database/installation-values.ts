import { randomBytes } from 'node:crypto';
import type { FastifyBaseLogger } from 'fastify';
import type { Db } from '#database/schema.ts';
import { type InstallationKeys, openInstallationKeys } from '#platform/server/secrets/installation-keys.ts';

/*
 * Values that all instances share, and that a dump of the database may reveal. Secrets are derived from a key outside
 * the database (`platform/server/secrets/installation-keys.ts`).
 */

const kept = ['pusher key', 'key mark'] as const;

/** Reads a random value of this installation: 64 hex digits, created at the first request. */
export async function loadInstallationValue(db: Db, name: 'pusher key'): Promise<string> {
  await db
    .insertInto('installation_secrets')
    .values({ name, value: randomBytes(32).toString('hex') })
    .onConflict((conflict) => conflict.doNothing())
    .execute();
  const row = await db
    .selectFrom('installation_secrets')
    .select('value')
    .where('name', '=', name)
    .executeTakeFirstOrThrow();
  return row.value;
}

/** A value by which two keys can be compared, and which does not reveal them. */
export function keyMarkOf(keys: InstallationKeys): string {
  return keys.secret('hatch key mark');
}

/** The mark (`keyMarkOf`) of the key at the last start; null before the first start. */
export async function readKeyMark(db: Db): Promise<string | null> {
  const row = await db
    .selectFrom('installation_secrets')
    .select('value')
    .where('name', '=', 'key mark')
    .executeTakeFirst();
  return row?.value ?? null;
}

/** Opens the installation's keys. If an earlier start or another instance had another key, only a warning is logged. */
export async function openInstallationSecrets(
  config: Parameters<typeof openInstallationKeys>[0],
  db: Db,
  log: Pick<FastifyBaseLogger, 'warn'>,
): Promise<InstallationKeys> {
  const keys = await openInstallationKeys(config);
  const isOther = await recordKeyMark(db, keyMarkOf(keys));
  const { lostBecause } = keys;
  if (lostBecause !== null) {
    log.warn(
      { because: lostBecause },
      'the key of this installation cannot be kept in the data folder: set SECRETS_KEY',
    );
  } else if (isOther) {
    log.warn(
      'another instance, or an earlier start, had another key: give all instances one SECRETS_KEY or data folder',
    );
  }
  return keys;
}

/**
 * Stores `value`, the mark of the present key (`keyMarkOf`). Returns whether the mark of another key was stored before.
 */
export async function recordKeyMark(db: Db, value: string): Promise<boolean> {
  const name = 'key mark';
  // The previous release stored secrets in this table. These secrets are deleted at each start, because that release
  // may still run beside this one.
  await db.deleteFrom('installation_secrets').where('name', 'not in', kept).execute();
  const before = await db
    .selectFrom('installation_secrets')
    .select('value')
    .where('name', '=', name)
    .executeTakeFirst();
  await db
    .insertInto('installation_secrets')
    .values({ name, value })
    .onConflict((conflict) => conflict.column('name').doUpdateSet({ value }))
    .execute();
  return before !== undefined && before.value !== value;
}
