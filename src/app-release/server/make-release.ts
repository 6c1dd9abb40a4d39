import { randomUUIDv7 } from 'node:crypto';
import { sql } from 'kysely';
import { m } from '#messages';
import { type AppPlatform, isAppPlatform, platformOf } from '#app-release/platforms.ts';
import { refuseUnfit } from '#app-release/server/refuse-unfit.ts';
import { presentRelease, readReleases, releasedSoFar, type ReleaseRow } from '#app-release/server/release-rows.ts';
import type { AppReleaseCall, AppReleaseServices } from '#app-release/server/services.ts';
import { compareVersions } from '#app-release/versions.ts';
import type { ApkFacts } from '#database/app-columns.ts';
import type { Db, Tx } from '#database/schema.ts';
import { AppError, invalid } from '#platform/errors.ts';

/** Makes a draft of a stored file. */
export async function makeRelease({ config, now }: AppReleaseServices, call: AppReleaseCall<'POST /v1/app-releases'>) {
  const { db, body } = call;
  await takeTurn(db);
  const { sha256, size, facts } = await storedFile(db, body.download_url);
  if (body.sha256 !== undefined && body.sha256 !== sha256) throw invalid('sha256', m.app_release_file_missing());
  if (body.version !== undefined && compareVersions(body.version, facts.version) !== 0) {
    throw invalid('version', m.app_release_not_own_version({ version: facts.version }));
  }
  const platform = body.platform ?? platformOf(facts.app);
  if (!platform) throw invalid('platform', m.app_release_platform_needed());
  refuseSame(await readReleases(db), platform, facts.version);
  await refuseUnfit(config, call, { facts, platform, field: 'download_url' });
  const { download_url, notes } = body;
  const { version } = facts;
  const row = await db
    .insertInto('app_releases')
    .values({
      id: randomUUIDv7(),
      platform,
      version,
      download_url,
      sha256,
      size,
      notes,
      facts: JSON.stringify(facts),
      created_at: now(),
    })
    .returningAll()
    .executeTakeFirstOrThrow();
  return { data: presentRelease(row, await readReleases(db)) };
}

/** Offers a release to phones. A second call does nothing. */
export async function publishRelease(
  { config, now }: AppReleaseServices,
  call: AppReleaseCall<'POST /v1/app-releases/{id}/publish'>,
) {
  const { db, params, body } = call;
  await takeTurn(db);
  const row = await findRelease(db, params.id);
  if (row.published_at === null || row.withdrawn_at !== null) {
    const { platform, facts } = row;
    if (!isAppPlatform(platform)) throw new AppError('not_found', m.app_release_not_found());
    if (row.withdrawn_at !== null) refuseSame(await readReleases(db), platform, row.version);
    // One from before files were read is only offered again if it was offered before.
    if (facts) await refuseUnfit(config, call, { facts, platform, field: null });
    if (facts?.is_debug_key && !body.confirm) await refuseFirst(db, platform);
    const change = { published_at: row.published_at ?? now(), withdrawn_at: null };
    await db.updateTable('app_releases').set(change).where('id', '=', row.id).execute();
  }
  const all = await readReleases(db);
  const published = all.find(({ id }) => id === row.id) ?? row;
  return { data: presentRelease(published, all) };
}

/** The first release fixes its signer for good: a debug key becomes that only if somebody says that they mean it. */
async function refuseFirst(db: Db, platform: AppPlatform): Promise<void> {
  const { fixed } = releasedSoFar(await readReleases(db), platform, '');
  if (fixed === null) throw invalid('confirm', m.app_release_confirm_debug());
}

export async function withdrawRelease(
  { now }: AppReleaseServices,
  { db, params }: AppReleaseCall<'DELETE /v1/app-releases/{id}'>,
): Promise<void> {
  await takeTurn(db);
  const withdrawn = await db
    .updateTable('app_releases')
    .set({ withdrawn_at: now() })
    .where('id', '=', params.id)
    .where('withdrawn_at', 'is', null)
    .executeTakeFirst();
  if (withdrawn.numUpdatedRows === 0n) throw new AppError('not_found', m.app_release_not_found());
}

/** One change at a time: "3.1" and "3.1.0" are one version, and the first release fixes package and signer. */
async function takeTurn(db: Tx): Promise<void> {
  await sql`select pg_advisory_xact_lock(hashtext('app_releases'))`.execute(db);
}

/** Throws 409 if a release that is not withdrawn has the same version. */
function refuseSame(rows: readonly ReleaseRow[], platform: AppPlatform, version: string): void {
  const isSame = (row: ReleaseRow) =>
    row.platform === platform && row.withdrawn_at === null && compareVersions(row.version, version) === 0;
  if (rows.some(isSame)) throw new AppError('conflict', m.app_release_exists({ version }));
}

async function findRelease(db: Db, id: string): Promise<ReleaseRow> {
  const row = await db.selectFrom('app_releases').selectAll().where('id', '=', id).executeTakeFirst();
  if (!row) throw new AppError('not_found', m.app_release_not_found());
  return row;
}

async function storedFile(db: Db, url: string): Promise<{ sha256: string; size: number; facts: ApkFacts }> {
  // A stored file's name is its hash.
  const sha256 = url.slice('/uploads/'.length, -'.apk'.length);
  const row = await db.selectFrom('app_files').selectAll().where('sha256', '=', sha256).executeTakeFirst();
  if (!row) throw invalid('download_url', m.app_release_file_missing());
  return { sha256, size: Number(row.size), facts: row.facts };
}
