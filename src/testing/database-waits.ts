import { setTimeout as wait } from 'node:timers/promises';
import { sql } from 'kysely';
import type { Db } from '#database/schema.ts';

/** Waits until this many statements of the database wait for a lock of another one. */
export async function untilWaiting(db: Db, count = 1): Promise<void> {
  for (;;) {
    const { rows } = await sql`
      select 1 from pg_stat_activity where wait_event_type = 'Lock' and datname = current_database()`.execute(db);
    if (rows.length >= count) return;
    await wait(10);
  }
}
