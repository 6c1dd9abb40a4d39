import { m } from '#messages';
import { customers } from '#accounts/server/users.ts';
import type { Db } from '#database/schema.ts';
import { customerSums } from '#ordering/server/order-views.ts';
import type { Customer } from '#people/contract.ts';
import { AppError } from '#platform/errors.ts';

/** Customers with the sums of their orders; further conditions, order and page are the caller's. */
export function selectCustomers(db: Db) {
  return customers(db)
    .innerJoin(customerSums.as('sums'), 'sums.user_id', 'users.id')
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

/** Throws 404 where there is none. */
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
