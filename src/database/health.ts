import type { FastifyInstance } from 'fastify';
import { sql } from 'kysely';
import type { Db } from '#database/schema.ts';
import { withStatementLimit } from '#database/statement-limit.ts';
import type { Disk } from '#database/disk.ts';
import type { Jobs } from '#database/jobs/jobs.ts';

export interface HealthOf {
  db: Db;
  jobs: Pick<Jobs, 'isWell'>;
  disk: Pick<Disk, 'state'>;
  /** Whether everything has started and nothing is stopping. */
  isReady(): boolean;
  now(): Date;
}

/** Milliseconds to wait for the database's answer. */
const wait = 2_000;

/** `/health`: 200 while orders can be taken, otherwise 503 with the part that fails. `/live`: the process answers, with its time. */
export function serveHealth(http: FastifyInstance, { db, jobs, disk, isReady, now }: HealthOf): void {
  let asking: Promise<boolean> | null = null;
  // However many callers there are, at most one connection waits for a database that is away.
  const databaseAnswers = () =>
    (asking ??= withStatementLimit(wait, () => sql`select 1`.execute(db))
      .then(
        () => true,
        () => false,
      )
      .finally(() => (asking = null)));

  http.get('/health', async (_request, reply) => {
    const [isAnswering, room] = await Promise.all([databaseAnswers(), disk.state()]);
    const checks = {
      database: isAnswering ? 'ok' : 'unavailable',
      disk: room,
      jobs: jobs.isWell() ? 'ok' : 'unavailable',
    };
    // A waiting job is done later; an order that cannot be written is lost.
    const isUp = isReady() && isAnswering && room !== 'full';
    return reply.status(isUp ? 200 : 503).send({ status: isUp ? 'ok' : 'unavailable', checks });
  });
  http.get('/live', async (_request, reply) => {
    // Pages go by this time. Node's own header is of the machine's clock, which tests do not move.
    reply.header('date', now().toUTCString());
    return { status: 'ok' };
  });
}
