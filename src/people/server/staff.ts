import { selectStaff } from '#accounts/server/users.ts';
import type { Db } from '#database/schema.ts';
import type { StaffMember } from '#people/contract.ts';
import { AppError } from '#platform/errors.ts';
import { m } from '#messages';

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
    has_second_factor: row.has_second_factor,
    last_used_at: row.last_used_at?.toISOString() ?? null,
    sign_ins: Number(row.sign_ins),
  };
}

/** Throws 404 for anybody who does not work here. */
export async function readStaff(db: Db, id: string): Promise<StaffMember> {
  const row = await selectStaff(db).where('users.id', '=', id).executeTakeFirst();
  if (!row) throw new AppError('not_found', m.platform_not_found());
  return presentStaff(row);
}
