export interface ReleaseCandidate {
  package: string;
  version: string;
  version_code: number;
  target_sdk: number;
  signer: string;
  is_debuggable: boolean;
  app: string | null;
  shop: string | null;
}

export interface EarlierReleases {
  /**
   * The package and signer of the first published release; null: nothing was published. Phones accept no update with
   * another package or signer.
   */
  fixed: Pick<ReleaseCandidate, 'package' | 'signer'> | null;
  /** The release that phones are offered now; null: none. */
  current: { version: string; version_code: number | null } | null;
  /**
   * The packages of the other platforms' apps. A platform must not use one of them, because a tablet may have both
   * apps.
   */
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

/**
 * An app must target at least this Android API level, because phones refuse to install apps for old Android versions.
 */
const oldestTarget = 30;

/** Why a file cannot be a platform's next release; null: it can. */
export function releaseProblem(
  file: ReleaseCandidate,
  platform: AppPlatform,
  { fixed, current, otherPackages, shop }: EarlierReleases,
): ReleaseProblem | null {
  const ownPlatform = platformOfApp(file.app);
  if (ownPlatform !== null && ownPlatform !== platform) return 'other_app';
  // The kitchen app's file has no shop URL, because the owner types it into the app.
  if (file.shop && originOf(file.shop) !== originOf(shop)) return 'other_shop';
  if (file.is_debuggable) return 'debuggable';
  if (parseVersion(file.version) === null) return 'no_version';
  if (file.target_sdk < oldestTarget) return 'old_target';
  if (otherPackages.includes(file.package)) return 'other_platform_package';
  if (fixed && fixed.package !== file.package) return 'other_package';
  if (fixed && fixed.signer !== file.signer) return 'other_signer';
  return current && !isNewer(file, current) ? 'not_newer' : null;
}

/**
 * Whether a file is newer than the current release. Android compares the version codes, and the app's update check
 * compares the version names, so both must be higher.
 */
function isNewer(file: ReleaseCandidate, current: { version: string; version_code: number | null }): boolean {
  if (compareVersions(file.version, current.version) <= 0) return false;
  return current.version_code === null || file.version_code > current.version_code;
}

function originOf(address: string): string {
  return URL.parse(address)?.origin ?? address;
}

const version = /^v?(\d{1,6})\.(\d{1,6})(?:\.(\d{1,6}))?(?:\.(\d{1,6}))?$/i;

/**
 * Parses a version such as `v3.10.18` into its numbers; null unless the text has two to four numbers, separated by
 * dots.
 */
export function parseVersion(text: string): number[] | null {
  const match = version.exec(text.trim());
  return match && match.slice(1).map((part: string | undefined) => Number(part ?? 0));
}

/** The newest of these releases; null if it is not newer than `current`. */
export function newerRelease<R extends { version: string }>(current: string, offered: readonly R[]): R | null {
  const [newest] = sortNewestFirst(offered);
  return newest && compareVersions(newest.version, current) > 0 ? newest : null;
}

export function sortNewestFirst<R extends { version: string }>(releases: readonly R[]): R[] {
  return releases.toSorted((a, b) => compareVersions(b.version, a.version));
}

/**
 * Compares two versions; below 0 if `a` is older. 3.9 is older than 3.10, 3.10 equals 3.10.0, and an invalid version is
 * the oldest.
 */
export function compareVersions(a: string, b: string): number {
  const [left, right] = [parseVersion(a) ?? [], parseVersion(b) ?? []];
  for (let index = 0; index < 4; index += 1) {
    const difference = (left[index] ?? -1) - (right[index] ?? -1);
    if (difference !== 0) return difference;
  }
  return 0;
}

/** The platforms of the customers' app and the kitchen app. */
export const appPlatforms = ['android', 'android-kitchen'] as const;
export type AppPlatform = (typeof appPlatforms)[number];

export function isAppPlatform(text: string): text is AppPlatform {
  return appPlatforms.some((platform) => platform === text);
}

/** The platform of an app by the value of `hatch.app` in its manifest; null for any other value. */
export function platformOfApp(app: string | null): AppPlatform | null {
  if (app === 'customer') return 'android';
  return app === 'kitchen' ? 'android-kitchen' : null;
}

/** The certificate name of the debug key that `npm run android` creates. */
export const debugKeyName = 'Hatch debug';

/** The certificate name of the debug keys that Android's own tools create. */
const androidName = 'Android Debug';

/** Whether a certificate belongs to a debug key, by its subject, such as `C=US, O=Android, CN=Android Debug`. */
export function isDebugKey(subject: string): boolean {
  const names = new Set(subject.split(/,\s*/));
  return names.has(`CN=${debugKeyName}`) || names.has(`CN=${androidName}`);
}

/** Formats a file size: `2.4 MB`. */
export function fileSizeWords(bytes: number): string {
  const megabytes = bytes / 1_000_000;
  return megabytes >= 0.1 ? `${megabytes.toFixed(1)} MB` : `${Math.max(1, Math.round(bytes / 1000))} kB`;
}

/** Formats a hash as a certificate's fingerprint: `AA:BB:…`. */
export function formatFingerprint(hex: string): string {
  return (hex.toUpperCase().match(/../g) ?? []).join(':');
}
