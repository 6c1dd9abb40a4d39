import { m } from '#messages';
import { forgetResets } from '#accounts/server/password-reset.ts';
import { sendInvitation } from '#accounts/server/invitation.ts';
import { reauthoriseSockets } from '#accounts/server/reauthorise-sockets.ts';
import { endSignIns } from '#accounts/server/sign-ins.ts';
import { ownRow } from '#accounts/server/users.ts';
import { listConsents } from '#database/consents.ts';
import { withStatementLimit } from '#database/statement-limit.ts';
import type { Db, Tx } from '#database/schema.ts';
import type { people } from '#people/contract.ts';
import { addMember, changeMember, removeMember, removeMemberFactors } from '#people/server/change-staff.ts';
import { presentCustomer, readCustomer } from '#people/server/customers.ts';
import { deleteOwnAccount, forgetCustomer } from '#people/server/delete-own-account.ts';
import { exportPerson } from '#people/server/kept-data.ts';
import { listCustomers, listStaff } from '#people/server/list-people.ts';
import type { PeopleServices } from '#people/server/services.ts';
import { readStaff } from '#people/server/staff.ts';
import { AppError } from '#platform/errors.ts';
import type { Handlers } from '#platform/http/serve.ts';

export function peopleHandlers(services: PeopleServices): Handlers<typeof people, Db, Tx> {
  return {
    'GET /v1/auth/user/export': async ({ db, viewer, now }) => ({
      data: await withStatementLimit(60_000, async () =>
        exportPerson(db, services.kept, { user: await ownRow(db, viewer), viewer, now }),
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
      afterCommit(reauthoriseSockets(services, id));
    },

    'GET /v1/staff': listStaff,
    'POST /v1/staff': (call) => addMember(services, call),
    'PATCH /v1/staff/{id}': (call) => changeMember(services, call),
    'DELETE /v1/staff/{id}': (call) => removeMember(services, call),

    'DELETE /v1/staff/{id}/factors': (call) => removeMemberFactors(services, call),

    'POST /v1/staff/{id}/invite': async ({ db, params, now }) => {
      const member = await readStaff(db, params.id);
      if (member.has_password) throw new AppError('conflict', m.people_has_password());
      await forgetResets(db, member.id);
      return { data: member, invitation_link: await sendInvitation(services, db, member, now) };
    },

    'POST /v1/staff/{id}/logout-everywhere': async ({ db, params, now, afterCommit }) => {
      const member = await readStaff(db, params.id);
      await endSignIns(db, member.id, now);
      afterCommit(reauthoriseSockets(services, member.id));
      return { data: await readStaff(db, member.id) };
    },
  };
}
