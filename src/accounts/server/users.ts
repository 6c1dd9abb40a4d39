import { randomUUIDv7 } from 'node:crypto';
import { type RawBuilder, type Selectable, sql } from 'kysely';
import { m } from '#messages';
import type { User } from '#accounts/contract.ts';
import { hashPassword } from '#accounts/server/hash-password.ts';
import type { Db, Tx, UsersTable } from '#database/schema.ts';
import type { DeliveryAddress } from '#store/delivery-address.ts';
import { AppError, invalidFieldError } from '#platform/errors.ts';
import type { Viewer } from '#platform/http/viewer.ts';
import { hasSecondFactorSql } from '#accounts/server/factors/factor-rows.ts';
import { sqlLiterals } from '#database/connect.ts';

export type UserRow = Selectable<UsersTable>;

export async function findUserByEmail(db: Db, email: string): Promise<UserRow | undefined> {
  return db
    .selectFrom('users')
    .selectAll()
    .where((eb) => eb(eb.fn('lower', ['email']), '=', email.toLowerCase()))
    .executeTakeFirst();
}

export interface NewUser {
  name: string;
  email: string;
  phone?: string;
  role: UserRow['role'];
  password: string;
  /** A language that the shop supports; the default one if not given. */
  locale?: string;
  /** When the person proved that they read the address's mail; undefined: never. */
  emailVerifiedAt?: Date;
  createdAt: Date;
}

/** Creates a user with a password. Returns null if the email is taken. */
export async function createUser(db: Db, { password, ...user }: NewUser): Promise<UserRow | null> {
  return insertUser(db, { ...user, passwordHash: await hashPassword(password) });
}

/** Creates a user from a password hash (null: no password). Returns null if the email is taken. */
export async function insertUser(
  db: Db,
  user: Omit<NewUser, 'password'> & { passwordHash: string | null },
): Promise<UserRow | null> {
  const row = await db
    .insertInto('users')
    .values({
      id: randomUUIDv7(),
      name: user.name,
      email: user.email.toLowerCase(),
      phone: user.phone ?? '',
      role: user.role,
      password_hash: user.passwordHash,
      addresses: '[]',
      created_at: user.createdAt,
      ...(user.locale && { locale: user.locale }),
      ...(user.emailVerifiedAt && { email_verified_at: user.emailVerifiedAt }),
    })
    .onConflict((conflict) => conflict.doNothing())
    .returningAll()
    .executeTakeFirst();
  return row ?? null;
}

export interface UserChange {
  name?: string | undefined;
  email?: string | undefined;
  phone?: string | undefined;
  addresses?: DeliveryAddress[] | undefined;
  allergies?: string[] | undefined;
  locale?: string | undefined;
  email_verified_at?: null;
  invited?: null;
  password_hash?: string;
}

/** Writes the given fields; throws 422 on `email` if another account has taken the address in the meantime. */
export async function changeUser(db: Db, id: string, { addresses, ...plain }: UserChange): Promise<UserRow> {
  const columns = { ...plain, ...(addresses && { addresses: JSON.stringify(addresses) }) };
  const isNothing = Object.values(columns).every((value) => value === undefined);
  const changed = isNothing
    ? db.selectFrom('users').selectAll().where('id', '=', id)
    : db.updateTable('users').set(columns).where('id', '=', id).returningAll();
  const row = await changed.executeTakeFirst().catch((error: unknown) => {
    if (error instanceof Error && 'constraint' in error && error.constraint === 'users_email') {
      throw invalidFieldError('email', m.accounts_new_email_taken());
    }
    throw error;
  });
  if (!row) throw new AppError('unauthenticated', 'Unauthenticated.');
  return row;
}

export async function fillMissingUserFields(
  tx: Tx,
  id: string,
  { phone, address }: { phone: string; address: DeliveryAddress | null },
): Promise<void> {
  await tx
    .updateTable('users')
    .set((eb) => ({
      phone: eb.case().when('phone', '=', '').then(phone).else(eb.ref('phone')).end(),
      ...(address && {
        addresses: sql`case when jsonb_array_length(addresses) = 0 then ${JSON.stringify([address])}::jsonb else addresses end`,
      }),
    }))
    .where('id', '=', id)
    .execute();
}

export function presentUser(row: UserRow): User {
  return {
    id: row.id,
    name: row.name,
    email: row.email,
    phone: row.phone,
    role: row.role,
    store_ids: row.store_ids,
    addresses: row.addresses,
    allergies: row.allergies,
    locale: row.locale,
    email_verified_at: row.email_verified_at?.toISOString() ?? null,
    has_password: row.password_hash !== null,
  };
}

/**
 * Converts a user to a `Viewer`. The audit line of a call without a sign-in names this viewer, for example when a
 * person signs in.
 */
export function viewerOf({ id, role, name, store_ids: scopes }: UserRow): Viewer {
  return { id, role, name, scopes, signInId: null };
}

/**
 * Reads the row of the signed-in user; `locked` locks it until the transaction ends. Throws 401 if the user is gone.
 */
export async function readSignedInUser(db: Db, viewer: Viewer, lock?: 'locked'): Promise<UserRow> {
  const row = db.selectFrom('users').selectAll().where('id', '=', viewer.id);
  const user = await (lock ? row.forUpdate() : row).executeTakeFirst();
  if (!user) throw new AppError('unauthenticated', 'Unauthenticated.');
  return user;
}

export function findUser(db: Db, id: string): Promise<UserRow | undefined> {
  return db.selectFrom('users').selectAll().where('id', '=', id).executeTakeFirst();
}

/** Reads and locks a user's row until the transaction ends; undefined: the user is gone. */
export function lockUserRow(tx: Tx, id: string): Promise<UserRow | undefined> {
  return tx.selectFrom('users').selectAll().where('id', '=', id).forUpdate().executeTakeFirst();
}

/** The user with this id as a viewer; null when the account is gone. */
export async function findUserAsViewer(db: Db, id: string): Promise<Viewer | null> {
  const user = await findUser(db, id);
  return user ? viewerOf(user) : null;
}

/**
 * Whether the account is an invitation that was not accepted yet. Before its acceptance the address gets no other mail.
 */
export function isPendingInvitation({ role, password_hash: hash, email_verified_at: verifiedAt }: UserRow): boolean {
  return role !== 'customer' && hash === null && verifiedAt === null;
}

export type StaffAssignment = Pick<UserRow, 'name' | 'role' | 'store_ids'>;

/** Creates a member of staff without a password. Returns the id; null if the email is taken. */
export async function createStaff(
  db: Db,
  place: StaffAssignment & Pick<UserRow, 'email' | 'created_at'>,
): Promise<string | null> {
  const row = await db
    .insertInto('users')
    .values({ id: randomUUIDv7(), ...place, addresses: '[]' })
    .onConflict((conflict) => conflict.doNothing())
    .returning('id')
    .executeTakeFirst();
  return row?.id ?? null;
}

export async function changeStaff(db: Db, id: string, place: StaffAssignment): Promise<void> {
  const staff = await db
    .updateTable('users')
    .set(place)
    .where('id', '=', id)
    .where('role', '<>', 'customer')
    .executeTakeFirst();
  if (staff.numUpdatedRows === 0n) await inviteCustomerAsStaff(db, id, place);
}

/**
 * Invites a customer to be staff with this name, role and stores; `place` null withdraws the invitation. The caller
 * invalidates earlier links.
 */
export async function inviteCustomerAsStaff(db: Db, id: string, place: StaffAssignment | null): Promise<void> {
  const invited = place && JSON.stringify(place);
  await db.updateTable('users').set({ invited }).where('id', '=', id).where('role', '=', 'customer').execute();
}

/* Other domains read and lock users by these functions. They also use these SQL fragments in their own statements. */

const staffRoles = ['admin', 'store_admin'] as const;

export async function userExists(db: Db, id: string): Promise<boolean> {
  const row = await db.selectFrom('users').select('id').where('id', '=', id).executeTakeFirst();
  return row !== undefined;
}

export function findMailLanguage(
  db: Db,
  id: string,
): Promise<{ locale: string; email: string; email_verified_at: Date | null } | undefined> {
  return db
    .selectFrom('users')
    .select(['locale', 'email', 'email_verified_at'])
    .where('id', '=', id)
    .executeTakeFirst();
}

/** The recipients of the owner's alerts. Unaccepted invitations are left out, because their address may be a typo. */
export function listAdminMailRecipients(db: Db): Promise<{ email: string; locale: string }[]> {
  return db
    .selectFrom('users')
    .select(['email', 'locale'])
    .where('role', '=', 'admin')
    .where((eb) => eb.or([eb('password_hash', 'is not', null), eb('email_verified_at', 'is not', null)]))
    .orderBy('id')
    .execute();
}

export function mailRecipientOf(db: Db, id: string): Promise<{ email: string; name: string }> {
  return db.selectFrom('users').select(['email', 'name']).where('id', '=', id).executeTakeFirstOrThrow();
}

export async function staffIdsOfStore(db: Db, storeId: string): Promise<string[]> {
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

export function selectCustomerRows(db: Db) {
  return db.selectFrom('users').where('role', '=', 'customer');
}

/** SQL for the ids of the stores in which a member of staff works, or in which an invited person will work. */
export const staffStoreIdsSql = sql<string[]>`case when invited is null then store_ids
  else array(select jsonb_array_elements_text(invited->'store_ids')::uuid) end`;

/**
 * Staff and invited customers, with the number and the last use of their sign-ins. The caller adds conditions, order
 * and page.
 */
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
      staffStoreIdsSql.as('store_ids'),
      'users.created_at',
      sql<boolean>`invited is null and password_hash is not null`.as('has_password'),
      hasSecondFactorSql(sql.ref('users.id')).as('has_second_factor'),
      'used.sign_ins',
      'used.last_used_at',
    ]);
}

export function customerJsonSql(id: RawBuilder<unknown>) {
  return sql<{ id: string; name: string; email: string; phone: string } | null>`(
    select json_build_object('id', u.id, 'name', u.name, 'email', u.email, 'phone', u.phone) from users u where u.id = ${id})`;
}

export const staffNamesSql = sql`select id, name from users where role in (${sqlLiterals(staffRoles)})`;
export const customerNamesSql = sql`select id, name from users where role = 'customer'`;

/** SQL that selects the accounts with these ids and locks them, so that they are not deleted. */
export function selectAndLockUsersSql(ids: RawBuilder<unknown>) {
  return sql`select id from users where id in (${ids}) for key share`;
}
