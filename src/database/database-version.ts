import { sql } from 'kysely';
import type { Db } from '#database/schema.ts';

/** The first major version of PostgreSQL that Hatch is tested on. */
export const oldestTested = 18;

/** `version` as `18.4`. */
export function isTestedVersion(version: string): boolean {
  return Number.parseInt(version, 10) >= oldestTested;
}

/** Without what a distribution adds: `15.18 (Debian 15.18-0+deb12u1)`. */
export async function databaseVersion(db: Db): Promise<string> {
  const { rows } = await sql<{
    version: string;
  }>`select split_part(current_setting('server_version'), ' ', 1) as version`.execute(db);
  return rows[0]?.version ?? '';
}
