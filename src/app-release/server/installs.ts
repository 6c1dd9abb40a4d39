import { createHash } from 'node:crypto';
import { sql } from 'kysely';
import { mayCountInstall } from '#accounts/server/throttle.ts';
import type { VersionInUse } from '#app-release/contract.ts';
import { type AppPlatform, isAppPlatform } from '#app-release/platforms.ts';
import { newestFirst } from '#app-release/versions.ts';
import type { Db } from '#database/schema.ts';

const keptFor = 30 * 24 * 60 * 60_000;

interface Install {
  id: string | undefined;
  platform: AppPlatform;
  version: string;
  /** Of the phone, which is counted and not kept with it. */
  address: string;
}

/**
 * Notes which version an installed app has. Its id is random, of no other use, and kept only as a hash. Anybody can make ids
 * up, so only some new ones of a network are noted each day.
 */
export async function noteInstall(db: Db, { id, platform, version, address }: Install, now: Date): Promise<void> {
  if (id === undefined || !/^[\w-]{16,64}$/.test(id)) return;
  const hash = createHash('sha256').update(id).digest();
  const row = { version, seen_at: now };
  const { numUpdatedRows } = await db
    .updateTable('app_installs')
    .set(row)
    .where('install_hash', '=', hash)
    .where('platform', '=', platform)
    .executeTakeFirst();
  if (numUpdatedRows > 0n || !(await mayCountInstall(db, address, now))) return;
  await db
    .insertInto('app_installs')
    .values({ install_hash: hash, platform, ...row })
    .onConflict((conflict) => conflict.columns(['install_hash', 'platform']).doUpdateSet(row))
    .execute();
}

/** How many installed apps have which version, by platform, the newest version first. */
export async function versionsInUse(db: Db, now: Date): Promise<VersionInUse[]> {
  const rows = await db
    .selectFrom('app_installs')
    .select(['platform', 'version', sql<number>`count(*)::int`.as('installs'), sql<Date>`max(seen_at)`.as('last')])
    .where('seen_at', '>', new Date(now.getTime() - keptFor))
    .groupBy(['platform', 'version'])
    .orderBy('platform')
    .execute();
  return newestFirst(rows).flatMap(({ platform, last, ...row }) =>
    isAppPlatform(platform) ? [{ ...row, platform, last_seen_at: last.toISOString() }] : [],
  );
}

/** Deletes installs that have not asked for a month. */
export async function forgetInstalls(db: Db, now: Date): Promise<void> {
  await db
    .deleteFrom('app_installs')
    .where('seen_at', '<=', new Date(now.getTime() - keptFor))
    .execute();
}
