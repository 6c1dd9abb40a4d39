import { type Selectable, sql } from 'kysely';
import type { AppRelease, OfferedApp, PlaySigning, VersionInUse } from '#app-release/contract.ts';
import {
  type AppPlatform,
  appPlatforms,
  isAppPlatform,
  sortNewestFirst,
  type EarlierReleases,
} from '#app-release/release-rules.ts';
import type { ApkFacts } from '#database/column-types.ts';
import type { AppReleasesTable, Db, Tx } from '#database/schema.ts';
import { m } from '#messages';
import { invalidFieldError } from '#platform/errors.ts';
import { createHash } from 'node:crypto';
import { countAppInstall } from '#accounts/server/throttle.ts';

export type ReleaseRow = Selectable<AppReleasesTable>;

/**
 * Reads every release, the newest version first. The releases are few, so JavaScript sorts them by their version
 * numbers.
 */
export async function readReleases(db: Db): Promise<ReleaseRow[]> {
  return sortNewestFirst(await db.selectFrom('app_releases').selectAll().orderBy('created_at', 'desc').execute());
}

/** The releases that phones may be offered: published, not withdrawn, and with a file on this server. */
export function offeredReleases(rows: readonly ReleaseRow[], platform: string): ReleaseRow[] {
  return rows.filter((row) => row.platform === platform && isOffered(row));
}

function isOffered({ published_at, withdrawn_at, download_url }: ReleaseRow): boolean {
  return published_at !== null && withdrawn_at === null && download_url.startsWith('/uploads/');
}

export function earlierReleasesOf(rows: readonly ReleaseRow[], platform: AppPlatform, shop: string): EarlierReleases {
  const [current] = offeredReleases(rows, platform);
  const others = appPlatforms.filter((other) => other !== platform);
  return {
    fixed: fixedOf(rows, platform),
    current: current ? { version: current.version, version_code: current.facts?.version_code ?? null } : null,
    otherPackages: others.flatMap((other) => fixedOf(rows, other)?.package ?? []),
    shop,
  };
}

/**
 * The facts of the first published release; null: none. A withdrawn release counts, because phones may have it
 * installed.
 */
function fixedOf(rows: readonly ReleaseRow[], platform: AppPlatform): ApkFacts | null {
  const published = rows.filter((row) => row.platform === platform && row.published_at !== null && row.facts !== null);
  const [first] = published.toSorted((a, b) => Number(a.published_at) - Number(b.published_at));
  return first?.facts ?? null;
}

export function presentRelease(row: ReleaseRow, all: readonly ReleaseRow[]): AppRelease {
  const state = row.withdrawn_at ? 'withdrawn' : row.published_at ? 'published' : 'draft';
  return {
    ...row,
    platform: platformOfRow(row),
    size: Number(row.size),
    state,
    is_current: offeredReleases(all, row.platform)[0]?.id === row.id,
    created_at: row.created_at.toISOString(),
    published_at: row.published_at?.toISOString() ?? null,
    withdrawn_at: row.withdrawn_at?.toISOString() ?? null,
  };
}

export function presentOfferedApp(row: ReleaseRow): OfferedApp {
  const published = row.published_at ?? row.created_at;
  return { ...row, platform: platformOfRow(row), size: Number(row.size), published_at: published.toISOString() };
}

function platformOfRow({ platform }: ReleaseRow): AppPlatform {
  if (!isAppPlatform(platform)) throw new Error(`${platform} is no platform of an app`);
  return platform;
}

/** Google Play has only the customers' app. */
const platform: AppPlatform = 'android';

export async function readPlaySigning(db: Db): Promise<PlaySigning | null> {
  const row = await db
    .selectFrom('app_play_signing')
    .select(['package', 'signer'])
    .where('platform', '=', platform)
    .executeTakeFirst();
  return row ?? null;
}

/**
 * Sets the package and the signing certificate of the app on Google Play. Throws if the package differs from that of
 * the shop's own app.
 */
export async function setPlaySigning(db: Tx, signing: PlaySigning, now: Date): Promise<PlaySigning> {
  const { fixed } = earlierReleasesOf(await readReleases(db), platform, '');
  if (fixed && fixed.package !== signing.package) {
    throw invalidFieldError('package', m.app_release_other_package({ package: signing.package, fixed: fixed.package }));
  }
  const row = { package: signing.package, signer: signing.signer, changed_at: now };
  await db
    .insertInto('app_play_signing')
    .values({ platform, ...row })
    .onConflict((conflict) => conflict.column('platform').doUpdateSet(row))
    .execute();
  return signing;
}

export async function deletePlaySigning(db: Tx): Promise<void> {
  await db.deleteFrom('app_play_signing').where('platform', '=', platform).execute();
}

const keptFor = 30 * 24 * 60 * 60_000;

interface Install {
  id: string | undefined;
  platform: AppPlatform;
  version: string;
  /** The phone's IP address, by which new installs of one network are limited. */
  address: string;
}

/**
 * Records an installed app's version, under a hash of the install's random id. Anybody can invent ids, so a network's
 * new ids are limited per day.
 */
export async function recordInstall(db: Db, { id, platform, version, address }: Install, now: Date): Promise<void> {
  if (id === undefined || !/^[\w-]{16,64}$/.test(id)) return;
  const hash = createHash('sha256').update(id).digest();
  const row = { version, seen_at: now };
  const { numUpdatedRows } = await db
    .updateTable('app_installs')
    .set(row)
    .where('install_hash', '=', hash)
    .where('platform', '=', platform)
    .executeTakeFirst();
  if (numUpdatedRows > 0n || !(await countAppInstall(db, address, now))) return;
  await db
    .insertInto('app_installs')
    .values({ install_hash: hash, platform, ...row })
    .onConflict((conflict) => conflict.columns(['install_hash', 'platform']).doUpdateSet(row))
    .execute();
}

/** Counts the installs of the last 30 days by platform and version, the newest version first. */
export async function countVersionsInUse(db: Db, now: Date): Promise<VersionInUse[]> {
  const rows = await db
    .selectFrom('app_installs')
    .select(['platform', 'version', sql<number>`count(*)::int`.as('installs'), sql<Date>`max(seen_at)`.as('last')])
    .where('seen_at', '>', new Date(now.getTime() - keptFor))
    .groupBy(['platform', 'version'])
    .orderBy('platform')
    .execute();
  return sortNewestFirst(rows).flatMap(({ platform, last, ...row }) =>
    isAppPlatform(platform) ? [{ ...row, platform, last_seen_at: last.toISOString() }] : [],
  );
}

/** Deletes installs that asked for no update in a month. */
export async function deleteOldInstalls(db: Db, now: Date): Promise<void> {
  await db
    .deleteFrom('app_installs')
    .where('seen_at', '<=', new Date(now.getTime() - keptFor))
    .execute();
}
