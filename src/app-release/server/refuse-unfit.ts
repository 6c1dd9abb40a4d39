import { m } from '#messages';
import type { AppPlatform } from '#app-release/platforms.ts';
import { releaseProblem, type ReleasedSoFar, type ReleaseProblem } from '#app-release/release-rules.ts';
import { readReleases, releasedSoFar } from '#app-release/server/release-rows.ts';
import type { AppReleaseServices } from '#app-release/server/services.ts';
import type { ApkFacts } from '#database/app-columns.ts';
import type { Db } from '#database/schema.ts';
import { AppError, invalid } from '#platform/errors.ts';

interface Candidate {
  facts: ApkFacts;
  /** null: it is not known yet, so the file is only checked by itself. */
  platform: AppPlatform | null;
  /** Where the problem is told; null: as a conflict. */
  field: string | null;
}

/** Throws if phones that have the shop's app would not install this file, or should not. */
export async function refuseUnfit(
  { APP_URL }: AppReleaseServices['config'],
  { db, ownOrigin }: { db: Db; ownOrigin: () => string },
  { facts, platform, field }: Candidate,
): Promise<void> {
  const shop = APP_URL ?? ownOrigin();
  const soFar = platform
    ? releasedSoFar(await readReleases(db), platform, shop)
    : { fixed: null, current: null, otherPackages: [], shop };
  const problem = releaseProblem(facts, platform ?? 'android', soFar);
  if (!problem) return;
  const isUnset = problem === 'other_shop' && APP_URL === undefined;
  const words = isUnset
    ? m.app_release_unknown_shop({ shop: facts.shop ?? '', own: shop })
    : problemWords(problem, facts, platform ?? 'android', soFar);
  throw field === null ? new AppError('conflict', words) : invalid(field, words);
}

function problemWords(
  problem: ReleaseProblem,
  facts: ApkFacts,
  platform: AppPlatform,
  { fixed, current, shop }: ReleasedSoFar,
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
