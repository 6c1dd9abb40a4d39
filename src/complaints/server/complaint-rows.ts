import { sql, type Selectable } from 'kysely';
import type { Complaint } from '#complaints/contract.ts';
import { dueAt } from '#complaints/complaint-rules.ts';
import type { ComplaintsTable, Db, Tx } from '#database/schema.ts';
import { m } from '#messages';
import { AppError } from '#platform/errors.ts';

/** Names for the audit log. */
export const namedComplaints = sql`select id, reference as name from complaints`;

export type ComplaintRow = Selectable<ComplaintsTable>;

export function presentComplaint(row: ComplaintRow): Complaint {
  return {
    id: row.id,
    reference: row.reference,
    about: row.about,
    status: row.status,
    created_at: row.created_at.toISOString(),
    due_at: dueAt(row.created_at).toISOString(),
    answered_at: row.answered_at?.toISOString() ?? null,
    answered_by: row.answered_by,
    is_forgotten: row.forgotten_at !== null,
    name: row.name,
    email: row.email,
    customer_id: row.user_id,
    order_number: row.order_number,
    message: row.message,
    answer: row.answer,
  };
}

/** Throws 404 where there is none. */
export async function readComplaint(db: Db, id: string): Promise<ComplaintRow> {
  const row = await db.selectFrom('complaints').selectAll().where('id', '=', id).executeTakeFirst();
  return row ?? notThere();
}

/** The same, locked until the transaction ends: of two answers at once the second finds the first. */
export async function lockComplaint(tx: Tx, id: string): Promise<ComplaintRow> {
  const row = await tx.selectFrom('complaints').selectAll().where('id', '=', id).forUpdate().executeTakeFirst();
  return row ?? notThere();
}

function notThere(): never {
  throw new AppError('not_found', m.platform_not_found());
}
