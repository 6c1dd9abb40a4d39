import { sql, type RawBuilder } from 'kysely';
import { hasSecondFactor } from '#accounts/server/factors/factor-rows.ts';
import { literals } from '#database/literals.ts';
import type { Db } from '#database/schema.ts';

/* The other domains' reads and locks of users. The fragments are parts of their statements. */

const staffRoles = ['admin', 'store_admin'] as const;

export async function isUser(db: Db, id: string): Promise<boolean> {
  const row = await db.selectFrom('users').select('id').where('id', '=', id).executeTakeFirst();
  return row !== undefined;
}

/** A person as the reader of mail, by their account. */
export function mailReader(
  db: Db,
  id: string,
): Promise<{ locale: string; email: string; email_verified_at: Date | null } | undefined> {
  return db
    .selectFrom('users')
    .select(['locale', 'email', 'email_verified_at'])
    .where('id', '=', id)
    .executeTakeFirst();
}

/**
 * The receivers of the owner's alerts: without people who never accepted the invitation, whose address may be a slip of
 * the pen.
 */
export function adminAddresses(db: Db): Promise<{ email: string; locale: string }[]> {
  return db
    .selectFrom('users')
    .select(['email', 'locale'])
    .where('role', '=', 'admin')
    .where((eb) => eb.or([eb('password_hash', 'is not', null), eb('email_verified_at', 'is not', null)]))
    .orderBy('id')
    .execute();
}

/** Where mail to a person goes. */
export function emailOf(db: Db, id: string): Promise<{ email: string; name: string }> {
  return db.selectFrom('users').select(['email', 'name']).where('id', '=', id).executeTakeFirstOrThrow();
}

/** The ids of the people who may answer a store's orders. */
export async function staffOfStore(db: Db, storeId: string): Promise<string[]> {
  const staff = await db
    .selectFrom('users')
    .select('id')
    .where((eb) =>
      eb.or([
        eb('role', '=', 'admin'),
        eb.and([eb('role', '=', 'store_admin'), sql<boolean>`${storeId} = any(store_ids)`]),
      ]),
    )
    .execute();
  return staff.map(({ id }) => id);
}

/** Customers; columns, further conditions, order and page are the caller's. */
export function customers(db: Db) {
  return db.selectFrom('users').where('role', '=', 'customer');
}

/** The stores of a member of staff, or of an invited person. */
export const placesOfStaff = sql<string[]>`case when invited is null then store_ids
  else array(select jsonb_array_elements_text(invited->'store_ids')::uuid) end`;

/** Staff, and customers who are invited to be; with their sign-ins. Further conditions, order and page are the caller's. */
export function selectStaff(db: Db) {
  return db
    .selectFrom('users')
    .innerJoinLateral(
      (eb) =>
        eb
          .selectFrom('sign_ins')
          .whereRef('sign_ins.user_id', '=', 'users.id')
          .select([sql<string>`count(*)`.as('sign_ins'), sql<Date | null>`max(last_used_at)`.as('last_used_at')])
          .as('used'),
      (join) => join.onTrue(),
    )
    .where((eb) => eb.or([eb('role', 'in', staffRoles), eb('invited', 'is not', null)]))
    .select([
      'users.id',
      sql<string>`coalesce(invited->>'name', name)`.as('name'),
      'email',
      sql<string>`coalesce(invited->>'role', role)`.as('role'),
      placesOfStaff.as('store_ids'),
      'users.created_at',
      sql<boolean>`invited is null and password_hash is not null`.as('has_password'),
      hasSecondFactor(sql.ref('users.id')).as('has_second_factor'),
      'used.sign_ins',
      'used.last_used_at',
    ]);
}

/** The account fields that an order shows, as JSON. */
export function personOf(id: RawBuilder<unknown>) {
  return sql<{ id: string; name: string; email: string; phone: string } | null>`(
    select json_build_object('id', u.id, 'name', u.name, 'email', u.email, 'phone', u.phone) from users u where u.id = ${id})`;
}

/** Names for the audit log. */
export const namedStaff = sql`select id, name from users where role in (${literals(staffRoles)})`;
export const namedCustomers = sql`select id, name from users where role = 'customer'`;

/** Locks the accounts of these ids within a statement, so that they are not deleted. */
export function heldUsers(ids: RawBuilder<unknown>) {
  return sql`select id from users where id in (${ids}) for key share`;
}
