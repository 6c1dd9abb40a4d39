import { type AppPlatform, platformOf } from '#app-release/platforms.ts';
import { compareVersions, readVersion } from '#app-release/versions.ts';

/** The facts of a file that decide over its release. */
export interface Releasable {
  package: string;
  version: string;
  version_code: number;
  target_sdk: number;
  signer: string;
  is_debuggable: boolean;
  app: string | null;
  shop: string | null;
}

/** The shop's earlier releases for the same platform. */
export interface ReleasedSoFar {
  /** Of the first release that was ever published; a phone accepts no update from another. */
  fixed: Pick<Releasable, 'package' | 'signer'> | null;
  /** The one that phones are offered now. */
  current: { version: string; version_code: number | null } | null;
  /** The packages of the other platforms' apps: both may be on one tablet. */
  otherPackages: readonly string[];
  /** The shop's own address, e.g. `https://shop.example.com`. */
  shop: string;
}

export type ReleaseProblem =
  | 'debuggable'
  | 'no_version'
  | 'old_target'
  | 'other_app'
  | 'other_package'
  | 'other_platform_package'
  | 'other_shop'
  | 'other_signer'
  | 'not_newer';

/** Android 15 and later do not install apps for versions before this one; newer ones may raise it. */
const oldestTarget = 30;

/** Why a file cannot become the next release of a platform; null if it can. */
export function releaseProblem(
  file: Releasable,
  platform: AppPlatform,
  { fixed, current, otherPackages, shop }: ReleasedSoFar,
): ReleaseProblem | null {
  const ownPlatform = platformOf(file.app);
  if (ownPlatform !== null && ownPlatform !== platform) return 'other_app';
  // The kitchen's app is told its shop, so its file names none.
  if (file.shop && originOf(file.shop) !== originOf(shop)) return 'other_shop';
  if (file.is_debuggable) return 'debuggable';
  if (readVersion(file.version) === null) return 'no_version';
  if (file.target_sdk < oldestTarget) return 'old_target';
  if (otherPackages.includes(file.package)) return 'other_platform_package';
  if (fixed && fixed.package !== file.package) return 'other_package';
  if (fixed && fixed.signer !== file.signer) return 'other_signer';
  return current && !isNewer(file, current) ? 'not_newer' : null;
}

/** Android compares the code, and our check for updates the name: both have to grow. */
function isNewer(file: Releasable, current: { version: string; version_code: number | null }): boolean {
  if (compareVersions(file.version, current.version) <= 0) return false;
  return current.version_code === null || file.version_code > current.version_code;
}

function originOf(address: string): string {
  return URL.parse(address)?.origin ?? address;
}
