import { sql } from 'kysely';
import type { Db } from '#database/schema.ts';

/** Makes what was written to the only store a version of its own, as another instance would, but tells nobody. */
export async function countVersionUp(db: Db): Promise<void> {
  await sql`update stores set version = version + 1`.execute(db);
}
