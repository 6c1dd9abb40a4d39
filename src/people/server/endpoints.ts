import { type ExpressionBuilder } from 'kysely';
import { m } from '#messages';
import { forgetPerson, refuseLastAdmin } from '#accounts/server/forget-person.ts';
import { sendInvitation } from '#accounts/server/invitation.ts';
import { forgetResets } from '#accounts/server/password-reset.ts';
import { exportPerson } from '#people/server/export-person.ts';
import { selectStaff } from '#accounts/server/user-views.ts';
import { changeStaff, createStaff, findUser, ownRow } from '#accounts/server/users.ts';
import { withPatience } from '#database/patience.ts';
import { endSignIns } from '#accounts/server/sign-ins.ts';
import type { Db, Schema, Tx } from '#database/schema.ts';
import type { people, StaffMember } from '#people/contract.ts';
import { presentCustomer, selectCustomers } from '#people/server/customers.ts';
import { presentStaff, readStaff } from '#people/server/staff.ts';
import { AppError, invalid } from '#platform/errors.ts';
import type { Handlers } from '#platform/http/serve.ts';
import type { Viewer } from '#platform/http/viewer.ts';
import { removeFiledMail } from '#database/mail/mail.ts';
import { readPage } from '#database/read-page.ts';
import { areAllLive } from '#store/server/store-views.ts';
import type { PeopleServices } from '#people/server/services.ts';

const sortColumns: Record<string, 'name' | 'sums.orders' | 'sums.last_order_at'> = {
  name: 'name',
  orders: 'sums.orders',
  last_order_at: 'sums.last_order_at',
};

export function peopleEndpoints(services: PeopleServices): Handlers<typeof people, Db, Tx> {
  const { realtime, log } = services;
  /** Their open pages must ask again for what they hear. */
  const quieten = (userId: string) => () =>
    realtime.disconnectUser(userId, 'reauthorise').catch((error: unknown) => {
      log.warn({ err: error }, 'sockets were not told of a sign-out');
    });

  return {
    'GET /v1/auth/user/export': async ({ db, viewer, now }) => ({
      data: await withPatience(60_000, async () =>
        exportPerson(db, services.orderParts, await ownRow(db, viewer), viewer, now),
      ),
    }),

    'GET /v1/customers': async ({ db, query }) => {
      let customers = selectCustomers(db);
      if (query.search) customers = customers.where((eb) => names(eb, query.search ?? ''));
      const sort = query.sort ?? '-created_at';
      const sorted = customers
        .orderBy(sortColumns[sort.replace(/^-/, '')] ?? 'users.created_at', (by) =>
          (sort.startsWith('-') ? by.desc() : by.asc()).nullsLast(),
        )
        .orderBy('users.id');
      return readPage('/v1/customers', query, sorted, async (rows) => rows.map(presentCustomer));
    },

    'GET /v1/customers/{id}': async ({ db, params }) => {
      const row = await selectCustomers(db).where('users.id', '=', params.id).executeTakeFirst();
      if (!row) throw new AppError('not_found', m.platform_not_found());
      return { data: { ...presentCustomer(row), addresses: row.addresses, allergies: row.allergies } };
    },

    'POST /v1/customers/{id}/logout-everywhere': async ({ db, params, afterCommit }) => {
      const row = await selectCustomers(db).where('users.id', '=', params.id).executeTakeFirst();
      if (!row) throw new AppError('not_found', m.platform_not_found());
      await endSignIns(db, row.id);
      afterCommit(quieten(row.id));
    },

    'GET /v1/staff': async ({ db, query }) => {
      let staff = selectStaff(db);
      if (query.search) staff = staff.where((eb) => names(eb, query.search ?? ''));
      const storeId = query.store_id;
      if (storeId) {
        staff = staff.where((eb) =>
          eb.or([eb('role', '=', 'admin'), eb(eb.val(storeId), '=', eb.fn.any('store_ids'))]),
        );
      }
      const sorted = staff.orderBy('name').orderBy('users.id');
      return readPage('/v1/staff', query, sorted, async (rows) => rows.map(presentStaff));
    },

    'POST /v1/staff': async ({ db, body }) => {
      await checkPlace(db, body);
      const { name, email, role } = body;
      const id = await createStaff(db, { name, email, role, store_ids: role === 'admin' ? [] : body.store_ids });
      // A customer is not made staff by it: nobody has shown that they read that mail.
      if (!id) throw invalid('email', m.people_email_taken());
      await sendInvitation(services, db, id);
      return { data: await readStaff(db, id) };
    },

    'PATCH /v1/staff/{id}': async ({ db, params, body, viewer, afterCommit }) => {
      const before = await readStaff(db, params.id);
      const role = body.role ?? before.role;
      const storeIds = role === 'admin' ? [] : (body.store_ids ?? before.store_ids);
      const isLess = losesSomething(before, role, storeIds);
      if (body.role !== undefined || body.store_ids !== undefined) await checkPlace(db, { role, store_ids: storeIds });
      if (role !== before.role) await refuseOwnDemotion(db, before, viewer);
      await changeStaff(db, before.id, { name: body.name ?? before.name, role, store_ids: storeIds });
      if (isLess) {
        await endSignIns(db, before.id, viewer.id === before.id ? viewer.signInId : null);
        afterCommit(quieten(before.id));
      }
      return { data: await readStaff(db, before.id) };
    },

    'POST /v1/staff/{id}/invite': async ({ db, params }) => {
      const member = await readStaff(db, params.id);
      if (member.has_password) throw new AppError('conflict', m.people_has_password());
      await forgetResets(db, member.id);
      await sendInvitation(services, db, member.id);
      return { data: member };
    },

    'POST /v1/staff/{id}/logout-everywhere': async ({ db, params, afterCommit }) => {
      const member = await readStaff(db, params.id);
      await endSignIns(db, member.id);
      afterCommit(quieten(member.id));
      return { data: await readStaff(db, member.id) };
    },

    'DELETE /v1/staff/{id}': async ({ db, params, viewer, now, afterCommit }) => {
      const member = await readStaff(db, params.id);
      if (member.id === viewer.id) throw new AppError('conflict', m.people_not_yourself());
      const row = await findUser(db, member.id);
      if (!row) throw new AppError('not_found', m.platform_not_found());
      await forgetPerson(db, row, services.orders);
      afterCommit(quieten(member.id));
      // What was filed before now, so that the last word may still come.
      afterCommit(async () => void (await removeFiledMail(services.config, now, row.email)));
    },
  };
}

function names(eb: ExpressionBuilder<Schema, 'users'>, search: string) {
  const pattern = `%${search.replaceAll(/[\\%_]/g, (sign) => `\\${sign}`)}%`;
  return eb.or([eb('name', 'ilike', pattern), eb('email', 'ilike', pattern), eb('phone', 'ilike', pattern)]);
}

/** A store_admin works in at least one shop, and in shops that exist. Throws 422 on `store_ids`. */
async function checkPlace(
  db: Db,
  { role, store_ids: storeIds }: Pick<StaffMember, 'role' | 'store_ids'>,
): Promise<void> {
  if (role === 'admin') return;
  if (storeIds.length === 0) throw invalid('store_ids', m.people_shop_needed());
  if (!(await areAllLive(db, storeIds))) throw invalid('store_ids', m.people_shop_unknown());
}

function losesSomething(before: StaffMember, role: StaffMember['role'], storeIds: readonly string[]): boolean {
  if (before.role === 'admin') return role !== 'admin';
  return role !== 'admin' && before.store_ids.some((id) => !storeIds.includes(id));
}

async function refuseOwnDemotion(db: Tx, member: StaffMember, viewer: Viewer): Promise<void> {
  if (member.role !== 'admin') return;
  if (member.id === viewer.id) throw new AppError('conflict', m.people_not_yourself());
  await refuseLastAdmin(db, member.id);
}
