import { sql } from 'kysely';
import type { Db } from '#database/schema.ts';

interface WrittenLine {
  id: string;
  actor_id: string | null;
  actor: string;
  role: string;
  store_id: string | null;
  action: string;
  outcome: string | null;
  subject_id: string | null;
  detail: Record<string, unknown> | null;
}

/** The whole audit log with what was sent, oldest first. */
export async function readAudit(db: Db): Promise<WrittenLine[]> {
  const { rows } = await sql<WrittenLine>`
    select l.id, l.actor_id, l.actor, l.role, l.store_id, l.action, l.outcome, l.subject_id, l.request_id, d.detail
    from audit_log l left join audit_details d using (id) order by l.at, l.id`.execute(db);
  return rows;
}
