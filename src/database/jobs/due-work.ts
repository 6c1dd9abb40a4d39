import type { FastifyBaseLogger } from 'fastify';
import { type RawBuilder, sql } from 'kysely';
import { preparedStatementHint } from '#database/connect.ts';
import type { Db } from '#database/schema.ts';
import { startSweep, type Sweep } from '#platform/server/sweep.ts';

/** Work whose due time is in the database. A restart does not lose this due time, and all instances use it. */
export interface DueWork<T = unknown> {
  name: string;
  /** An SQL value for the work that is due at `now`; null, false and an empty array mean that none is due. */
  due(now: Date): RawBuilder<T>;
  work(due: NonNullable<T>): Promise<unknown>;
  /** Whether the work is also done while a restored shop is held, before its owner continues it. */
  isDoneWhileHeld?: true;
}

/** Milliseconds between two checks. Due work may start this much late. */
const every = 2_000;

/**
 * Starts each work when it is due, never twice concurrently. One statement checks all works, so an idle shop costs one
 * small transaction every two seconds. A failure is logged under the work's name, and the work starts again while it is
 * due.
 */
export function startDueWork(
  db: Db,
  now: () => Date,
  log: FastifyBaseLogger,
  works: readonly DueWork[],
): Sweep & { look(): Promise<void> } {
  const running = new Map<DueWork, Promise<unknown>>();
  const begin = (one: DueWork, due: unknown) => {
    if (running.has(one) || isNothing(due)) return;
    const done = one
      .work(due as NonNullable<unknown>)
      .catch((error: unknown) => log.error({ err: error }, one.name))
      .finally(() => running.delete(one));
    running.set(one, done);
  };
  const look = async () => {
    const at = now();
    const columns = works.map(({ name, due }) => sql`(${due(at)}) as ${sql.id(name)}`);
    const { rows } = await sql<Record<string, unknown>>`${preparedStatementHint} select ${sql.join(columns)}`.execute(
      db,
    );
    for (const one of works) begin(one, rows[0]?.[one.name]);
  };
  const sweep = startSweep({ name: 'due work', every, log }, look);
  return {
    look,
    async stop() {
      await sweep.stop();
      await Promise.all(running.values());
    },
  };
}

function isNothing(due: unknown): boolean {
  return due === null || due === undefined || due === false || (Array.isArray(due) && due.length === 0);
}
