import { sql, type RawBuilder } from 'kysely';
import type { Db, Tx } from '#database/schema.ts';

/** Milliseconds of refusals until the owner is alerted, and then again. */
const tellAfter = 30 * 60_000;
const quietFor = 24 * 60 * 60_000;

/** Mails that the mail server refuses now. */
export interface MailTrouble {
  waiting: number;
  since: Date;
  /** The server's last words. */
  answer: string | null;
}

/** Whether mail was refused for half an hour, without an alert in a day. */
export function isTroubleUnreported(now: Date): RawBuilder<boolean> {
  return sql<boolean>`(
    exists (select from mails where state = 'retrying' and refused_since <= ${before(now, tellAfter)})
    and not exists (select from mails where told_at > ${before(now, quietFor)}))`;
}

/** Records the alert in `tx`; null if another instance made it. */
export async function recordTroubleAlert(tx: Tx, now: Date): Promise<MailTrouble | null> {
  // Serial, because each instance would find unreported mails.
  await sql`select pg_advisory_xact_lock(hashtext('mail trouble'))`.execute(tx);
  const { rows } = await sql<{ untold: boolean }>`select ${isTroubleUnreported(now)} as untold`.execute(tx);
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

/** The present refusals; null if there is none. */
export async function readTrouble(db: Db): Promise<MailTrouble | null> {
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
