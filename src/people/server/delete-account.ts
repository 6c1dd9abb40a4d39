import { sendAccountNotice } from '#accounts/server/account-mail.ts';
import { checkAccountOwner } from '#accounts/server/check-owner.ts';
import { createSocketReauthoriser } from '#accounts/server/sign-ins.ts';
import { lockAccountRow } from '#accounts/server/account-data.ts';
import { selectCustomerRows, findUser, readSignedInUser, type UserRow } from '#accounts/server/users.ts';
import { m } from '#messages';
import { deleteFiledMailsBefore, removeOrphanedMailFiles } from '#mail/server/mail-retention.ts';
import type { Db, Tx } from '#database/schema.ts';
import { inTransaction } from '#database/transaction.ts';
import { deleteUnusedCustomerNames } from '#ordering/server/erase-guests.ts';
import type { Customer, peopleEndpoints } from '#people/contract.ts';
import { erasePerson } from '#people/server/personal-data.ts';
import type { PeopleServices } from '#people/server/services.ts';
import { AppError } from '#platform/errors.ts';
import type { RegisterAfterCommit } from '#platform/http/audited-call.ts';
import type { HandlerInput } from '#platform/http/serve.ts';
import { customerSumsSql } from '#ordering/server/order-views.ts';

type Services = Pick<PeopleServices, 'config' | 'db' | 'jobs' | 'kept' | 'log' | 'mail' | 'menus' | 'realtime'>;

export async function deleteOwnAccount(
  services: Services,
  call: HandlerInput<typeof peopleEndpoints, 'DELETE /v1/auth/user', Db, Tx>,
): Promise<void> {
  const { db, body, viewer, now, afterCommit, audit } = call;
  const user = await readSignedInUser(db, viewer);
  await checkAccountOwner(db, user, { password: body.password ?? '', viewer, now });
  await inTransaction(db, async (tx) => {
    // The audit entry refers to the user's row, so it is written before the row is deleted.
    await audit(tx);
    await erasePersonAndNotify(services, tx, user);
  });
  forgetAfter(services, { user, now, afterCommit });
}

/** Deletes a customer's account for an admin. */
export async function forgetCustomer(
  services: Services,
  { db, params, now, afterCommit }: HandlerInput<typeof peopleEndpoints, 'DELETE /v1/customers/{id}', Db, Tx>,
): Promise<void> {
  await lockAccountRow(db, params.id);
  await readCustomer(db, params.id);
  const user = await findUser(db, params.id);
  if (!user) throw new AppError('not_found', m.platform_not_found());
  await erasePersonAndNotify(services, db, user);
  forgetAfter(services, { user, now, afterCommit });
}

/**
 * Erases a person and queues a last mail to the person. Throws 409 `conflict` while the shop is obliged to keep the
 * person's data, for example during an open order.
 */
export async function erasePersonAndNotify(services: Services, tx: Tx, user: UserRow): Promise<void> {
  await erasePerson(tx, services.kept, user);
  await sendAccountNotice(tx, services, 'account_deleted', user);
}

function forgetAfter(
  services: Services,
  { user, now, afterCommit }: { user: UserRow; now: Date; afterCommit: RegisterAfterCommit },
): void {
  afterCommit(createSocketReauthoriser(services, user.id));
  afterCommit(() => removeFilesAfterErasure(services, [user], now));
}

/**
 * Deletes the mail files of erased people, and the customer names that no order has any more. Must be called after the
 * commit, because a rollback cannot restore files.
 */
export async function removeFilesAfterErasure(
  { config, db }: Pick<PeopleServices, 'config' | 'db'>,
  users: readonly Pick<UserRow, 'email'>[],
  now: Date,
): Promise<void> {
  if (users.length === 0) return;
  // Only mail files from before `now` are removed, because a later file may be the mail about the erasure.
  for (const { email } of users) await deleteFiledMailsBefore(config, now, email);
  await removeOrphanedMailFiles({ config, db });
  await deleteUnusedCustomerNames(db);
}

export function selectCustomers(db: Db) {
  return selectCustomerRows(db)
    .innerJoin(customerSumsSql.as('sums'), 'sums.user_id', 'users.id')
    .select([
      'users.id',
      'name',
      'email',
      'phone',
      'email_verified_at',
      'users.created_at',
      'sums.orders',
      'sums.spent',
      'sums.last_order_at',
      'addresses',
      'allergies',
    ]);
}

export type CustomerRow = Awaited<ReturnType<ReturnType<typeof selectCustomers>['executeTakeFirstOrThrow']>>;

/** Reads a customer. Throws 404 if there is none. */
export async function readCustomer(db: Db, id: string): Promise<CustomerRow> {
  const row = await selectCustomers(db).where('users.id', '=', id).executeTakeFirst();
  if (!row) throw new AppError('not_found', m.platform_not_found());
  return row;
}

export function presentCustomer(row: CustomerRow): Customer {
  return {
    id: row.id,
    name: row.name,
    email: row.email,
    phone: row.phone,
    email_verified_at: row.email_verified_at?.toISOString() ?? null,
    created_at: row.created_at.toISOString(),
    orders: Number(row.orders),
    spent: Number(row.spent),
    last_order_at: row.last_order_at instanceof Date ? row.last_order_at.toISOString() : null,
  };
}
