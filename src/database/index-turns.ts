import { setTimeout as sleep } from 'node:timers/promises';
import { sql } from 'kysely';
import type { Db } from '#database/schema.ts';

/** Any number that nothing else locks. */
const lock = 7_302;

/** Builds indexes in a session of its own while no other instance does. */
export function inTurn<T>(db: Db, work: (one: Db) => Promise<T>): Promise<T> {
  return db.connection().execute(async (one) => {
    for (;;) {
      const { rows } = await sql<{ isFree: boolean }>`select pg_try_advisory_lock(${lock}) as "isFree"`.execute(one);
      if (rows[0]?.isFree) break;
      await sleep(500);
    }
    try {
      return await work(one);
    } finally {
      await sql`select pg_advisory_unlock(${lock})`.execute(one);
    }
  });
}
