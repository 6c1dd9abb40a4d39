import { sql, type RawBuilder } from 'kysely';
import type { Db } from '#database/schema.ts';

/* What other domains read of users, and hold of them. The fragments are parts of their statements. */

export async function isUser(db: Db, id: string): Promise<boolean> {
  const row = await db.selectFrom('users').select('id').where('id', '=', id).executeTakeFirst();
  return row !== undefined;
}

/** Names for the audit log. */
export const namedStaff = sql`select id, name from users where role <> 'customer'`;

/** Holds the accounts of these ids within a statement, so that they are not deleted meanwhile. */
export function heldUsers(ids: RawBuilder<unknown>) {
  return sql`select id from users where id in (${ids}) for key share`;
}
