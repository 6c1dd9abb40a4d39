import { sql } from 'kysely';
import type { Db } from '#database/schema.ts';

/** Gives the only store a new version, as a write by another instance would, but notifies nobody. */
export async function countVersionUp(db: Db): Promise<void> {
  await sql`update stores set version = version + 1`.execute(db);
}
