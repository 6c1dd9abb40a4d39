import { randomBytes } from 'node:crypto';
import type { Db } from '#database/schema.ts';

/** A random secret that all instances on one database share, created at the first request for it. 64 hex digits. */
export async function installationSecret(db: Db, name: string): Promise<string> {
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
