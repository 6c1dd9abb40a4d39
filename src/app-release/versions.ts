const version = /^v?(\d{1,6})\.(\d{1,6})(?:\.(\d{1,6}))?(?:\.(\d{1,6}))?$/i;

/** The numbers of a version such as `v3.10.18`; null unless it is two to four numbers with dots between. */
export function readVersion(text: string): number[] | null {
  const match = version.exec(text.trim());
  return match && match.slice(1).map((part: string | undefined) => Number(part ?? 0));
}

/** The newest of these releases if it is newer than `current`, the version that is installed; otherwise null. */
export function updateFrom<R extends { version: string }>(current: string, offered: readonly R[]): R | null {
  const [newest] = newestFirst(offered);
  return newest && compareVersions(newest.version, current) > 0 ? newest : null;
}

export function newestFirst<R extends { version: string }>(releases: readonly R[]): R[] {
  return releases.toSorted((a, b) => compareVersions(b.version, a.version));
}

/** Below 0 if `a` is older: 3.9 comes before 3.10, and 3.10 equals 3.10.0. An invalid version is the oldest. */
export function compareVersions(a: string, b: string): number {
  const [left, right] = [readVersion(a) ?? [], readVersion(b) ?? []];
  for (let index = 0; index < 4; index += 1) {
    const difference = (left[index] ?? -1) - (right[index] ?? -1);
    if (difference !== 0) return difference;
  }
  return 0;
}
