import type { Selectable } from 'kysely';
import type { AppRelease, OfferedApp } from '#app-release/contract.ts';
import { appPlatforms, type AppPlatform, isAppPlatform } from '#app-release/platforms.ts';
import type { ReleasedSoFar } from '#app-release/release-rules.ts';
import { newestFirst } from '#app-release/versions.ts';
import type { ApkFacts } from '#database/app-columns.ts';
import type { AppReleasesTable, Db } from '#database/schema.ts';

export type ReleaseRow = Selectable<AppReleasesTable>;

/** Every release, the newest version first. They are few, so they are sorted here, by number. */
export async function readReleases(db: Db): Promise<ReleaseRow[]> {
  return newestFirst(await db.selectFrom('app_releases').selectAll().orderBy('created_at', 'desc').execute());
}

/** The releases that phones may be offered: published, not withdrawn, and stored here. */
export function offeredOf(rows: readonly ReleaseRow[], platform: string): ReleaseRow[] {
  return rows.filter((row) => row.platform === platform && isOffered(row));
}

function isOffered({ published_at, withdrawn_at, download_url }: ReleaseRow): boolean {
  // Earlier, a release could lie elsewhere.
  return published_at !== null && withdrawn_at === null && download_url.startsWith('/uploads/');
}

/** The facts that decide over the next release of a platform. */
export function releasedSoFar(rows: readonly ReleaseRow[], platform: AppPlatform, shop: string): ReleasedSoFar {
  const [current] = offeredOf(rows, platform);
  const others = appPlatforms.filter((other) => other !== platform);
  return {
    fixed: fixedOf(rows, platform),
    current: current ? { version: current.version, version_code: current.facts?.version_code ?? null } : null,
    otherPackages: others.flatMap((other) => fixedOf(rows, other)?.package ?? []),
    shop,
  };
}

/** By the first release that was ever published, also if it was withdrawn since: phones have it. */
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
    is_current: offeredOf(all, row.platform)[0]?.id === row.id,
    created_at: row.created_at.toISOString(),
    published_at: row.published_at?.toISOString() ?? null,
    withdrawn_at: row.withdrawn_at?.toISOString() ?? null,
  };
}

export function presentOffered(row: ReleaseRow): OfferedApp {
  const published = row.published_at ?? row.created_at;
  return { ...row, platform: platformOfRow(row), size: Number(row.size), published_at: published.toISOString() };
}

function platformOfRow({ platform }: ReleaseRow): AppPlatform {
  if (!isAppPlatform(platform)) throw new Error(`${platform} is no platform of an app`);
  return platform;
}
