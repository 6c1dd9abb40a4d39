/** The first major version of PostgreSQL that Hatch is tested on. */
export const oldestTested = 18;

/** `version` as `18.4`. */
export function isTestedVersion(version: string): boolean {
  return Number.parseInt(version, 10) >= oldestTested;
}
