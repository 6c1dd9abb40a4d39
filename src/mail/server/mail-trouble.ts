import { sql, type RawBuilder } from 'kysely';
import type { Db, Tx } from '#database/schema.ts';

/** The owner is alerted once a mail has failed for this time (ms), and again after `quietFor` at the earliest. */
const tellAfter = 30 * 60_000;
const quietFor = 24 * 60 * 60_000;

export interface MailTrouble {
  waiting: number;
  since: Date;
  answer: string | null;
}

/**
 * SQL for a boolean: whether a mail that is retried has failed for at least half an hour, and nobody was alerted within
 * the last day.
 */
export function isMailTroubleUnreportedSql(now: Date): RawBuilder<boolean> {
  return sql<boolean>`(
    exists (select from mails where state = 'retrying' and refused_since <= ${before(now, tellAfter)})
    and not exists (select from mails where told_at > ${before(now, quietFor)}))`;
}

/**
 * Records in `tx` that the owner is alerted, and returns the facts for the alert; null: another instance has alerted
 * the owner already.
 */
export async function recordMailTroubleAlert(tx: Tx, now: Date): Promise<MailTrouble | null> {
  // The lock makes instances run one after the other, so that only the first one alerts the owner.
  await sql`select pg_advisory_xact_lock(hashtext('mail trouble'))`.execute(tx);
  const { rows } = await sql<{ untold: boolean }>`select ${isMailTroubleUnreportedSql(now)} as untold`.execute(tx);
  if (!rows[0]?.untold) return null;
  const told = await tx
    .updateTable('mails')
    .set({ told_at: now })
    .where('state', '=', 'retrying')
    .where('told_at', 'is', null)
    .returning(['refused_since', 'answer', 'tried_at'])
    .execute();
  const since = told.flatMap(({ refused_since: at }) => (at ? [at.getTime()] : []));
  const latest = told.toSorted((a, b) => (b.tried_at?.getTime() ?? 0) - (a.tried_at?.getTime() ?? 0))[0];
  return latest ? { waiting: told.length, since: new Date(Math.min(...since)), answer: latest.answer } : null;
}

/** Reads how many mails are retried, since when, and the last answer; null: no mail is retried. */
export async function readMailTrouble(db: Db): Promise<MailTrouble | null> {
  const row = await db
    .selectFrom('mails')
    .select([
      sql<number>`count(*)::int`.as('waiting'),
      sql<Date | null>`min(refused_since)`.as('since'),
      sql<string | null>`(array_agg(answer order by tried_at desc nulls last))[1]`.as('answer'),
    ])
    .where('state', '=', 'retrying')
    .executeTakeFirst();
  return row?.since ? { waiting: row.waiting, since: row.since, answer: row.answer } : null;
}

function before(now: Date, duration: number): Date {
  return new Date(now.getTime() - duration);
}
