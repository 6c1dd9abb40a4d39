import { LRUCache } from 'lru-cache';
import type { FastifyBaseLogger } from 'fastify';
import { sql } from 'kysely';
import { writeAudit } from '#database/audit.ts';
import type { Db } from '#database/schema.ts';
import { inTransaction } from '#database/transaction.ts';
import type { Notes } from '#platform/http/change.ts';

const hour = 3_600_000;

/**
 * Writes a line unless the same person did the same to the same within the hour, as often as lines are wanted. A
 * refusal counts as the same whatever its subject, so that nobody fills the log.
 */
export function createAuditNotes({ db, log }: { db: Db; log: Pick<FastifyBaseLogger, 'error'> }): Notes {
  /** The time of the oldest line within the hourly limit, as this instance knows; the database knows the others. */
  const known = new LRUCache<string, number>({ max: 5_000 });
  const write: Notes['write'] = async (change) => {
    const { viewer, action, params, at, outcome = null, most = 1 } = change;
    const subject = outcome === null ? (params['id'] ?? null) : null;
    const key = JSON.stringify([viewer.id, action, outcome, subject]);
    const full = `${key} ${most}`;
    const seen = known.get(full);
    if (seen !== undefined && at.getTime() - seen < hour) return;
    await inTransaction(db, async (tx) => {
      // Two calls at once, on any instances, write one line.
      await sql`select pg_advisory_xact_lock(hashtextextended(${`audit note ${key}`}, 0))`.execute(tx);
      const lines = await tx
        .selectFrom('audit_log')
        .select('at')
        .where('actor_id', '=', viewer.id)
        .where('at', '>', new Date(at.getTime() - hour))
        .where('action', '=', action)
        .where('outcome', outcome === null ? 'is' : '=', outcome)
        .$if(subject !== null, (all) => all.where('subject_id', '=', subject))
        .orderBy('at', 'desc')
        .orderBy('id', 'desc')
        .limit(most)
        .execute();
      const times = lines.map((line) => line.at);
      if (times.length < most) {
        await writeAudit(tx, { ...change, body: undefined });
        times.unshift(at);
      }
      const oldest = times[most - 1];
      if (oldest) known.set(full, oldest.getTime());
    });
  };
  return {
    write,
    note: (change) => void write(change).catch((error: unknown) => log.error({ err: error }, 'audit note')),
  };
}
