import { sql } from 'kysely';
import type { Db } from '#database/schema.ts';
import type { StaffMember } from '#people/contract.ts';
import { AppError } from '#platform/errors.ts';
import { m } from '#messages';

/** Who works here, with their sign-ins; further conditions, order and page are the caller's. */
export function selectStaff(db: Db) {
  return db
    .selectFrom('users')
    .leftJoinLateral(
      (eb) =>
        eb
          .selectFrom('sign_ins')
          .whereRef('sign_ins.user_id', '=', 'users.id')
          .select([sql<string>`count(*)`.as('sign_ins'), sql<Date | null>`max(last_used_at)`.as('last_used_at')])
          .as('used'),
      (join) => join.onTrue(),
    )
    .where('role', 'in', ['admin', 'store_admin'])
    .select([
      'users.id',
      'name',
      'email',
      'role',
      'store_ids',
      'users.created_at',
      sql<boolean>`password_hash is not null`.as('has_password'),
      'used.sign_ins',
      'used.last_used_at',
    ]);
}

type StaffRow = Awaited<ReturnType<ReturnType<typeof selectStaff>['executeTakeFirstOrThrow']>>;

export function presentStaff(row: StaffRow): StaffMember {
  return {
    id: row.id,
    name: row.name,
    email: row.email,
    role: row.role === 'admin' ? 'admin' : 'store_admin',
    store_ids: row.store_ids,
    created_at: row.created_at.toISOString(),
    has_password: row.has_password,
    last_used_at: row.last_used_at?.toISOString() ?? null,
    sign_ins: Number(row.sign_ins ?? 0),
  };
}

/** Throws 404 for anybody who does not work here. */
export async function readStaff(db: Db, id: string): Promise<StaffMember> {
  const row = await selectStaff(db).where('users.id', '=', id).executeTakeFirst();
  if (!row) throw new AppError('not_found', m.platform_not_found());
  return presentStaff(row);
}
