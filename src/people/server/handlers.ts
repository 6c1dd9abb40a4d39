import { m } from '#messages';
import { deletePasswordLinks, sendInvitation } from '#accounts/server/account-mail.ts';
import { endSignIns, createSocketReauthoriser } from '#accounts/server/sign-ins.ts';
import { selectCustomerRows, readSignedInUser, staffStoreIdsSql, selectStaff } from '#accounts/server/users.ts';
import { listConsents } from '#database/consents.ts';
import { withStatementTimeout } from '#database/transaction.ts';
import type { Db, Tx } from '#database/schema.ts';
import type { peopleEndpoints } from '#people/contract.ts';
import {
  addStaffMember,
  changeStaffMember,
  presentStaffMember,
  readStaffMember,
  removeStaffMember,
  removeStaffSecondFactors,
} from '#people/server/change-staff.ts';
import {
  deleteOwnAccount,
  forgetCustomer,
  presentCustomer,
  readCustomer,
  selectCustomers,
} from '#people/server/delete-account.ts';
import { exportPerson } from '#people/server/personal-data.ts';
import type { PeopleServices } from '#people/server/services.ts';
import { AppError } from '#platform/errors.ts';
import type { HandlerInput, Handlers } from '#platform/http/serve.ts';
import { phoneDigitsOfSearch } from '#platform/plain-text.ts';
import { type RawBuilder, sql } from 'kysely';
import {
  likePattern,
  hasSearchIndexes,
  anyColumnHasWordsSql,
  foldedTextHasWordsSql,
  isTooShortForIndex,
  searchPeriodSince,
  searchPeriodOf,
  type SearchPeriod,
  nameSortKey,
} from '#database/text-search.ts';
import { type CursorColumn, readPage } from '#database/read-page.ts';
import { customerSumsSql } from '#ordering/server/order-views.ts';
import { requireFreshSignInForBulk } from '#platform/http/admit.ts';

export function peopleHandlers(services: PeopleServices): Handlers<typeof peopleEndpoints, Db, Tx> {
  return {
    'GET /v1/auth/user/export': async ({ db, viewer, now }) => ({
      data: await withStatementTimeout(60_000, async () =>
        exportPerson(db, services.kept, { user: await readSignedInUser(db, viewer), viewer, now }),
      ),
    }),
    'DELETE /v1/auth/user': (call) => deleteOwnAccount(services, call),

    'GET /v1/customers': listCustomers,

    'GET /v1/customers/{id}': async ({ db, params }) => {
      const row = await readCustomer(db, params.id);
      const { addresses, allergies } = row;
      return { data: { ...presentCustomer(row), addresses, allergies, consents: await listConsents(db, row.id) } };
    },

    'DELETE /v1/customers/{id}': (call) => forgetCustomer(services, call),

    'POST /v1/customers/{id}/logout-everywhere': async ({ db, params, now, afterCommit }) => {
      const { id } = await readCustomer(db, params.id);
      await endSignIns(db, id, now);
      afterCommit(createSocketReauthoriser(services, id));
    },

    'GET /v1/staff': listStaff,
    'POST /v1/staff': (call) => addStaffMember(services, call),
    'PATCH /v1/staff/{id}': (call) => changeStaffMember(services, call),
    'DELETE /v1/staff/{id}': (call) => removeStaffMember(services, call),

    'DELETE /v1/staff/{id}/factors': (call) => removeStaffSecondFactors(services, call),

    'POST /v1/staff/{id}/invite': async ({ db, params, now }) => {
      const member = await readStaffMember(db, params.id);
      if (member.has_password) throw new AppError('conflict', m.people_has_password());
      await deletePasswordLinks(db, member.id);
      return { data: member, invitation_link: await sendInvitation(services, db, member, now) };
    },

    'POST /v1/staff/{id}/logout-everywhere': async ({ db, params, now, afterCommit }) => {
      const member = await readStaffMember(db, params.id);
      await endSignIns(db, member.id, now);
      afterCommit(createSocketReauthoriser(services, member.id));
      return { data: await readStaffMember(db, member.id) };
    },
  };
}

type ListCall<K extends keyof typeof peopleEndpoints> = HandlerInput<typeof peopleEndpoints, K, Db, Tx>;

const users = {
  id: { of: sql.ref('users.id'), type: 'uuid' },
  sums: { of: sql.ref('sums.user_id'), type: 'uuid' },
} as const;

/**
 * The sort keys of the list of customers, with their columns. The last column is always the id, and an index covers the
 * columns of each key.
 */
const sortColumns: Record<string, readonly CursorColumn[]> = {
  name: [{ of: nameSortKey('users.name'), type: 'text' }, users.id],
  created_at: [{ of: sql.ref('users.created_at'), type: 'timestamptz' }, users.id],
  orders: [{ of: sql.ref('sums.orders'), type: 'int' }, users.sums],
  last_order_at: [{ of: sql.ref('sums.last_order_at'), type: 'timestamptz' }, users.sums],
};

async function listCustomers(call: ListCall<'GET /v1/customers'>) {
  requireFreshSignInForBulk(call);
  const { db, query, now } = call;
  const search = query.search?.trim() ?? '';
  const reach = search === '' ? null : await reachOf(db, search, now);
  const among = await conditionOf(db, search, reach);
  const found = selectCustomers(db).where(among);
  const sort = query.sort ?? '-created_at';
  const page = await readPage(
    db,
    '/v1/customers',
    query,
    found,
    async (rows) => rows.map(presentCustomer),
    {
      direction: sort.startsWith('-') ? 'desc' : 'asc',
      columns: sortColumns[sort.replace(/^-/, '')] ?? [],
    },
    // The query for the count has no join with the sums, because the filter does not use the sums.
    sql`${selectCustomerRows(db)
      .select(sql`1`.as('one'))
      .where(among)}`,
  );
  return { ...page, meta: { ...page.meta, searched_days: reach?.days ?? null } };
}

const named = ['users.name', 'users.email', 'users.phone'];

/**
 * The condition for a match: the name or email address contains the words, or the phone number contains the digits.
 * `from`: only customers since this time are searched; null: all customers. With `from`, few customers remain, so the
 * condition prevents PostgreSQL from using a search index.
 */
function isNamed(search: string, from: string | null): RawBuilder<boolean> {
  const digits = phoneDigitsOfSearch(search);
  // An appended empty text changes the expression, so that PostgreSQL finds no index for the expression.
  const end = from === null ? sql`` : sql` || ''`;
  const phone = digits === null ? [] : [sql`national_digits(users.phone)${end} like ${likePattern(digits)}`];
  const each = named.map((column) => foldedTextHasWordsSql(sql`fold_text(${sql.ref(column)})${end}`, search));
  return sql`(${sql.join([...each, ...phone], sql` or `)})`;
}

async function conditionOf(db: Db, search: string, reach: SearchPeriod | null): Promise<RawBuilder<boolean>> {
  if (reach === null) return sql`true`;
  const found = isNamed(search, reach.from);
  if (reach.from === null) return found;
  const recent = sql<boolean>`(${isRecent(db, reach.from)} and ${found})`;
  if (!isTooShortForIndex(search)) return recent;
  // A short search covers few customers. The ids of the found customers are read once, for both the count and the page.
  const rows = await selectCustomerRows(db).select('users.id').where(recent).execute();
  return sql`users.id = any(${rows.map(({ id }) => id)}::uuid[])`;
}

/**
 * The target number of customers for a search of one or two letters. Such a search covers the latest days in which
 * about this many customers registered or ordered.
 */
const enough = 500;

async function reachOf(db: Db, search: string, now: Date): Promise<SearchPeriod> {
  if (!isTooShortForIndex(search))
    return searchPeriodOf(search, await hasSearchIndexes(db, ['users_folded', 'users_digits']), now);
  const came = selectCustomerRows(db).select('created_at as at').orderBy('created_at', 'desc').limit(enough);
  const { rows } = await sql<{ at: Date }>`
    select at from (
      (${came}) union all
      (select last_order_at from ${customerSumsSql} as sums where last_order_at > '-infinity' order by last_order_at desc limit ${enough})
    ) as newest order by at desc offset ${enough - 1} limit 1`.execute(db);
  return rows[0] ? searchPeriodSince(rows[0].at, now) : searchPeriodOf(search, true, now);
}

function isRecent(db: Db, from: string): RawBuilder<boolean> {
  return sql`users.id in (
    select came.id from ${selectCustomerRows(db)
      .select('users.id')
      .where(sql<boolean>`users.created_at >= ${from}::date`)} as came
    union select sums.user_id from ${customerSumsSql} as sums where sums.last_order_at >= ${from}::date)`;
}

function listStaff({ db, query }: ListCall<'GET /v1/staff'>) {
  let staff = selectStaff(db);
  if (query.search) staff = staff.where(anyColumnHasWordsSql(named, query.search));
  const storeId = query.store_id;
  if (storeId) {
    staff = staff.where((eb) =>
      eb.or([eb('role', '=', 'admin'), sql<boolean>`${storeId}::uuid = any(${staffStoreIdsSql})`]),
    );
  }
  const sorted = staff.orderBy(nameSortKey('name')).orderBy('users.id');
  return readPage(db, '/v1/staff', query, sorted, async (rows) => rows.map(presentStaffMember));
}
