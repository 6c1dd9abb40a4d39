import { LRUCache } from 'lru-cache';
import type { FastifyBaseLogger } from 'fastify';
import { sql } from 'kysely';
import { writeAudit } from '#database/audit.ts';
import type { Db } from '#database/schema.ts';
import { inTransaction } from '#database/transaction.ts';
import type { Notes } from '#platform/http/change.ts';

const hour = 3_600_000;

/**
 * Writes a line unless the same person did the same to the same within the hour; what was refused counts as the same whatever it
 * was about, so that nobody fills the log.
 */
export function createAuditNotes({ db, log }: { db: Db; log: Pick<FastifyBaseLogger, 'error'> }): Notes {
  /** When this instance last wrote or found the line; the database knows of the others. */
  const known = new LRUCache<string, number>({ max: 5_000 });
  const write: Notes['write'] = async (change) => {
    const { viewer, action, params, at, outcome = null } = change;
    const subject = outcome === null ? (params['id'] ?? null) : null;
    const key = JSON.stringify([viewer.id, action, outcome, subject]);
    const seen = known.get(key);
    if (seen !== undefined && at.getTime() - seen < hour) return;
    await inTransaction(db, async (tx) => {
      // Two calls at once, on any instances, write one line.
      await sql`select pg_advisory_xact_lock(hashtextextended(${`audit note ${key}`}, 0))`.execute(tx);
      const written = await tx
        .selectFrom('audit_log')
        .select('at')
        .where('actor_id', '=', viewer.id)
        .where('at', '>', new Date(at.getTime() - hour))
        .where('action', '=', action)
        .where('outcome', outcome === null ? 'is' : '=', outcome)
        .$if(subject !== null, (lines) => lines.where('subject_id', '=', subject))
        .orderBy('at', 'desc')
        .orderBy('id', 'desc')
        .limit(1)
        .executeTakeFirst();
      if (!written) await writeAudit(tx, { ...change, body: undefined });
      known.set(key, (written?.at ?? at).getTime());
    });
  };
  return {
    write,
    note: (change) => void write(change).catch((error: unknown) => log.error({ err: error }, 'audit note')),
  };
}
