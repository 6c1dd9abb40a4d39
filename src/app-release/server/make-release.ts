import { randomUUIDv7 } from 'node:crypto';
import { sql } from 'kysely';
import { m } from '#messages';
import {
  type AppPlatform,
  compareVersions,
  isAppPlatform,
  isDebugKey,
  platformOfApp,
  type EarlierReleases,
  releaseProblem,
  type ReleaseProblem,
} from '#app-release/release-rules.ts';
import { presentRelease, readReleases, earlierReleasesOf, type ReleaseRow } from '#app-release/server/release-rows.ts';
import type { AppReleaseCall, AppReleaseServices } from '#app-release/server/services.ts';
import type { ApkFacts } from '#database/column-types.ts';
import type { Db, Tx } from '#database/schema.ts';
import { AppError, invalidFieldError } from '#platform/errors.ts';
import { type ApkFault, readApk, type VerifiedApk } from '#app-release/server/apk/read-apk.ts';
import { withApkFile } from '#app-release/server/apk/apk-file.ts';
import { auditFinishedCall } from '#database/audit.ts';
import { receiveFile, saveReceivedFile } from '#platform/server/files/stored-files.ts';

export async function makeRelease({ config, now }: AppReleaseServices, call: AppReleaseCall<'POST /v1/app-releases'>) {
  const { db, body } = call;
  await takeTurn(db);
  const { sha256, size, facts } = await storedFile(db, body.download_url);
  if (body.sha256 !== undefined && body.sha256 !== sha256)
    throw invalidFieldError('sha256', m.app_release_file_missing());
  if (body.version !== undefined && compareVersions(body.version, facts.version) !== 0) {
    throw invalidFieldError('version', m.app_release_not_own_version({ version: facts.version }));
  }
  const platform = body.platform ?? platformOfApp(facts.app);
  if (!platform) throw invalidFieldError('platform', m.app_release_platform_needed());
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

/** Publishes a draft, or a withdrawn release again. A published release stays unchanged. */
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
    // Early versions of Hatch stored a release without reading its file. Such a release has no facts to check.
    if (facts) await refuseUnfit(config, call, { facts, platform, field: null });
    if (facts?.is_debug_key && !body.confirm) await refuseFirst(db, platform);
    const change = { published_at: row.published_at ?? now(), withdrawn_at: null };
    await db.updateTable('app_releases').set(change).where('id', '=', row.id).execute();
  }
  const all = await readReleases(db);
  const published = all.find(({ id }) => id === row.id) ?? row;
  return { data: presentRelease(published, all) };
}

/**
 * Throws if the platform has no published release yet. The first release fixes the app's signer for ever, so its
 * publication needs a confirmation.
 */
async function refuseFirst(db: Db, platform: AppPlatform): Promise<void> {
  const { fixed } = earlierReleasesOf(await readReleases(db), platform, '');
  if (fixed === null) throw invalidFieldError('confirm', m.app_release_confirm_debug());
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

/**
 * Takes the lock by which changes of releases run one at a time. Database constraints are not enough: "3.1" equals
 * "3.1.0", and later releases must have the first release's package and signer.
 */
async function takeTurn(db: Tx): Promise<void> {
  await sql`select pg_advisory_xact_lock(hashtext('app_releases'))`.execute(db);
}

/** Throws 409 if another release of the platform has the same version and is not withdrawn. */
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
  if (!row) throw invalidFieldError('download_url', m.app_release_file_missing());
  return { sha256, size: Number(row.size), facts: row.facts };
}

interface Candidate {
  facts: ApkFacts;
  /** The app's platform; null: unknown, so the file is not compared with earlier releases. */
  platform: AppPlatform | null;
  /** The field of a 422 response; null: a refusal is answered with 409. */
  field: string | null;
}

/**
 * Throws if Android would refuse the file as an update of the shop's app, or if the file breaks another rule of
 * `releaseProblem`.
 */
async function refuseUnfit(
  { APP_URL }: AppReleaseServices['config'],
  { db, ownOrigin }: { db: Db; ownOrigin: () => string },
  { facts, platform, field }: Candidate,
): Promise<void> {
  const shop = APP_URL ?? ownOrigin();
  const soFar = platform
    ? earlierReleasesOf(await readReleases(db), platform, shop)
    : { fixed: null, current: null, otherPackages: [], shop };
  const problem = releaseProblem(facts, platform ?? 'android', soFar);
  if (!problem) return;
  const isUnset = problem === 'other_shop' && APP_URL === undefined;
  const words = isUnset
    ? m.app_release_unknown_shop({ shop: facts.shop ?? '', own: shop })
    : problemWords(problem, facts, platform ?? 'android', soFar);
  throw field === null ? new AppError('conflict', words) : invalidFieldError(field, words);
}

function problemWords(
  problem: ReleaseProblem,
  facts: ApkFacts,
  platform: AppPlatform,
  { fixed, current, shop }: EarlierReleases,
): string {
  const words: Record<ReleaseProblem, () => string> = {
    debuggable: m.app_release_debuggable,
    no_version: () => m.app_release_no_version({ version: facts.version }),
    old_target: () => m.app_release_old_target({ target: String(facts.target_sdk) }),
    other_app: platform === 'android' ? m.app_release_other_app_customer : m.app_release_other_app_kitchen,
    other_package: () => m.app_release_other_package({ package: facts.package, fixed: fixed?.package ?? '' }),
    other_platform_package: () => m.app_release_other_platform_package({ package: facts.package }),
    other_shop: () => m.app_release_other_shop({ shop: facts.shop ?? '', own: shop }),
    other_signer: m.app_release_other_signer,
    not_newer: () =>
      m.app_release_not_newer({
        version: facts.version,
        code: String(facts.version_code),
        current: current?.version ?? '',
        currentCode: String(current?.version_code ?? '–'),
      }),
  };
  return words[problem]();
}

const limit = 150 * 1024 * 1024;

/** Stores an uploaded app if Android would install it and the shop could release it. */
export async function saveAppFile(
  { config, files, now }: AppReleaseServices,
  call: AppReleaseCall<'POST /v1/app-releases/files'>,
) {
  const { db, stream, query } = call;
  const announced = Number(call.header('content-length') ?? 0);
  return receiveFile(stream, { folder: files.incoming, limit, announced }, async ({ path, size, sha256 }) => {
    const facts = factsOf(await withApkFile(path, readApk));
    const platform = query.platform ?? platformOfApp(facts.app);
    await refuseUnfit(config, call, { facts, platform, field: 'file' });
    const url = await saveReceivedFile(files, `${sha256}.apk`, path);
    await db
      .insertInto('app_files')
      .values({ sha256, size, facts: JSON.stringify(facts), created_at: now() })
      // The facts of a known file are stored again, because an earlier version of Hatch may have read fewer facts.
      .onConflict((conflict) => conflict.column('sha256').doUpdateSet({ facts: JSON.stringify(facts) }))
      .execute();
    await auditFinishedCall(db, 'POST /v1/app-releases/files', call, null);
    return { data: presentFile({ url, sha256, size, facts, platform }) };
  });
}

interface StoredApp {
  url: string;
  sha256: string;
  size: number;
  facts: ApkFacts;
  platform: AppPlatform | null;
}

function presentFile({ url, facts, ...file }: StoredApp) {
  return { ...facts, ...file, download_url: url };
}

function factsOf(read: VerifiedApk | ApkFault): ApkFacts {
  if (read === 'no_apk') throw new AppError('unsupported_media_type', m.app_release_no_apk());
  if (typeof read === 'string') throw invalidFieldError('file', faultWords(read));
  return {
    package: read.package,
    version: read.version.trim().replace(/^v/i, ''),
    version_code: read.versionCode,
    min_sdk: read.minSdk,
    target_sdk: read.targetSdk,
    signer: read.signer,
    is_debug_key: isDebugKey(read.subject),
    is_debuggable: read.isDebuggable,
    app: read.meta.get('hatch.app') ?? null,
    shop: read.meta.get('hatch.shop') ?? null,
  };
}

function faultWords(fault: Exclude<ApkFault, 'no_apk'>): string {
  if (fault === 'damaged') return m.app_release_damaged();
  return fault === 'unsigned' ? m.app_release_unsigned() : m.app_release_wrong_signature();
}
