import { m } from '#messages';
import type { PlaySigning } from '#app-release/contract.ts';
import type { AppPlatform } from '#app-release/platforms.ts';
import { readReleases, releasedSoFar } from '#app-release/server/release-rows.ts';
import type { Db, Tx } from '#database/schema.ts';
import { invalid } from '#platform/errors.ts';

/** Only customers get an app from Play. */
const platform: AppPlatform = 'android';

export async function readPlaySigning(db: Db): Promise<PlaySigning | null> {
  const row = await db
    .selectFrom('app_play_signing')
    .select(['package', 'signer'])
    .where('platform', '=', platform)
    .executeTakeFirst();
  return row ?? null;
}

/** Throws if the shop hands out another package itself: one app has one package. */
export async function setPlaySigning(db: Tx, signing: PlaySigning, now: Date): Promise<PlaySigning> {
  const { fixed } = releasedSoFar(await readReleases(db), platform, '');
  if (fixed && fixed.package !== signing.package) {
    throw invalid('package', m.app_release_other_package({ package: signing.package, fixed: fixed.package }));
  }
  const row = { package: signing.package, signer: signing.signer, changed_at: now };
  await db
    .insertInto('app_play_signing')
    .values({ platform, ...row })
    .onConflict((conflict) => conflict.column('platform').doUpdateSet(row))
    .execute();
  return signing;
}

export async function dropPlaySigning(db: Tx): Promise<void> {
  await db.deleteFrom('app_play_signing').where('platform', '=', platform).execute();
}
