import type { ExpressionBuilder } from 'kysely';
import { selectStaff } from '#accounts/server/user-views.ts';
import { readPage } from '#database/read-page.ts';
import type { Db, Schema, Tx } from '#database/schema.ts';
import type { people } from '#people/contract.ts';
import { presentCustomer, selectCustomers } from '#people/server/customers.ts';
import { presentStaff } from '#people/server/staff.ts';
import type { CallTo } from '#platform/http/serve.ts';

const sortColumns: Record<string, 'name' | 'sums.orders' | 'sums.last_order_at'> = {
  name: 'name',
  orders: 'sums.orders',
  last_order_at: 'sums.last_order_at',
};

type ListCall<K extends keyof typeof people> = Pick<CallTo<typeof people, K, Db, Tx>, 'db' | 'query'>;

export function listCustomers({ db, query }: ListCall<'GET /v1/customers'>) {
  let customers = selectCustomers(db);
  if (query.search) customers = customers.where((eb) => names(eb, query.search ?? ''));
  const sort = query.sort ?? '-created_at';
  const sorted = customers
    .orderBy(sortColumns[sort.replace(/^-/, '')] ?? 'users.created_at', (by) =>
      (sort.startsWith('-') ? by.desc() : by.asc()).nullsLast(),
    )
    .orderBy('users.id');
  return readPage('/v1/customers', query, sorted, async (rows) => rows.map(presentCustomer));
}

export function listStaff({ db, query }: ListCall<'GET /v1/staff'>) {
  let staff = selectStaff(db);
  if (query.search) staff = staff.where((eb) => names(eb, query.search ?? ''));
  const storeId = query.store_id;
  if (storeId) {
    staff = staff.where((eb) => eb.or([eb('role', '=', 'admin'), eb(eb.val(storeId), '=', eb.fn.any('store_ids'))]));
  }
  const sorted = staff.orderBy('name').orderBy('users.id');
  return readPage('/v1/staff', query, sorted, async (rows) => rows.map(presentStaff));
}

function names(eb: ExpressionBuilder<Schema, 'users'>, search: string) {
  const pattern = `%${search.replaceAll(/[\\%_]/g, (sign) => `\\${sign}`)}%`;
  return eb.or([eb('name', 'ilike', pattern), eb('email', 'ilike', pattern), eb('phone', 'ilike', pattern)]);
}
