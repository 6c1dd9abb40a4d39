import { m } from '#messages';
import { refuseLastAdmin, prepareAccountForNewStaff } from '#accounts/server/account-data.ts';
import { deletePasswordLinks, sendInvitation } from '#accounts/server/account-mail.ts';
import { removeLostSecondFactors } from '#accounts/server/factors/factor-calls.ts';
import { endSignIns, createSocketReauthoriser } from '#accounts/server/sign-ins.ts';
import {
  changeStaff,
  createStaff,
  findUser,
  inviteCustomerAsStaff,
  selectStaff,
  type StaffAssignment,
  type UserRow,
} from '#accounts/server/users.ts';
import { hasMailServer } from '#mail/server/services.ts';
import { deleteFiledMailsBefore } from '#mail/server/mail-retention.ts';
import type { Db, Tx } from '#database/schema.ts';
import type { peopleEndpoints, StaffMember } from '#people/contract.ts';
import { erasePerson } from '#people/server/personal-data.ts';
import type { PeopleServices } from '#people/server/services.ts';
import { AppError, invalidFieldError } from '#platform/errors.ts';
import type { HandlerInput } from '#platform/http/serve.ts';
import type { Viewer } from '#platform/http/viewer.ts';
import { areStoresLive } from '#store/server/store-views.ts';

type StaffCall<K extends keyof typeof peopleEndpoints> = HandlerInput<typeof peopleEndpoints, K, Db, Tx>;

export async function addStaffMember(services: PeopleServices, call: StaffCall<'POST /v1/staff'>) {
  const { db, body, now, afterCommit } = call;
  await checkPlace(db, body);
  const { name, email, role } = body;
  const storeIds = role === 'admin' ? [] : body.store_ids;
  const known = await prepareAccountForNewStaff(services, db, email, afterCommit);
  if (known?.role === 'customer') return inviteKnown(services, call, known, { name, role, store_ids: storeIds });
  const id = await createStaff(db, { name, email, role, store_ids: storeIds, created_at: now });
  if (!id) throw invalidFieldError('email', m.people_email_taken());
  const link = await sendInvitation(services, db, { id, email }, now);
  return { data: await readStaffMember(db, id), invitation_link: link };
}

export async function changeStaffMember(services: PeopleServices, call: StaffCall<'PATCH /v1/staff/{id}'>) {
  const { db, params, body, viewer, now, afterCommit } = call;
  const before = await readStaffMember(db, params.id);
  const role = body.role ?? before.role;
  const storeIds = role === 'admin' ? [] : (body.store_ids ?? before.store_ids);
  const isLess = losesSomething(before, role, storeIds);
  if (body.role !== undefined || body.store_ids !== undefined) await checkPlace(db, { role, store_ids: storeIds });
  if (role !== before.role) await refuseOwnDemotion(db, before, viewer);
  if (body.email !== undefined && body.email.toLowerCase() !== before.email.toLowerCase()) {
    throw invalidFieldError('email', m.people_email_of_others());
  }
  await changeStaff(db, before.id, { name: body.name ?? before.name, role, store_ids: storeIds });
  if (isLess) {
    await endSignIns(db, before.id, now, { except: viewer.id === before.id ? viewer.signInId : null });
    afterCommit(createSocketReauthoriser(services, before.id));
  }
  return { data: await readStaffMember(db, before.id) };
}

export async function removeStaffMember(
  services: PeopleServices,
  call: StaffCall<'DELETE /v1/staff/{id}'>,
): Promise<void> {
  const { db, params, viewer, now, afterCommit } = call;
  const member = await readStaffMember(db, params.id);
  if (member.id === viewer.id) throw new AppError('conflict', m.people_not_yourself());
  const row = await findUser(db, member.id);
  if (!row) throw new AppError('not_found', m.platform_not_found());
  if (row.role === 'customer') {
    // A customer who has not accepted an invitation stays a customer: only the invitation is withdrawn.
    await deletePasswordLinks(db, row.id);
    return inviteCustomerAsStaff(db, row.id, null);
  }
  await erasePerson(db, services.kept, row);
  afterCommit(createSocketReauthoriser(services, member.id));
  // Only mail files from before `now` are removed, because a later file may be the last mail to the person.
  afterCommit(async () => void (await deleteFiledMailsBefore(services.config, now, row.email)));
}

/**
 * Removes the second factors of another member of staff, who has lost them. Throws 409 `conflict` for the caller's own
 * factors: staff change those on their profile page, where they must prove who they are.
 */
export async function removeStaffSecondFactors(
  services: PeopleServices,
  { db, params, viewer, now, afterCommit }: StaffCall<'DELETE /v1/staff/{id}/factors'>,
) {
  const member = await readStaffMember(db, params.id);
  if (member.id === viewer.id) throw new AppError('conflict', m.people_own_factors());
  const isRemoved = await removeLostSecondFactors(db, services, { userId: member.id, by: viewer.name, at: now });
  if (!isRemoved) throw new AppError('conflict', m.people_no_factors());
  afterCommit(createSocketReauthoriser(services, member.id));
  return { data: await readStaffMember(db, member.id) };
}

/**
 * Invites an existing customer to become staff. Throws 422 on `email` without a mail server, because the link may reach
 * nobody but the owner of the address.
 */
async function inviteKnown(
  services: PeopleServices,
  { db, now }: StaffCall<'POST /v1/staff'>,
  { id, email }: UserRow,
  place: StaffAssignment,
) {
  if (!hasMailServer(services.config)) throw invalidFieldError('email', m.people_email_needs_mail());
  await deletePasswordLinks(db, id);
  await inviteCustomerAsStaff(db, id, place);
  await sendInvitation(services, db, { id, email }, now);
  return { data: await readStaffMember(db, id), invitation_link: null };
}

/** Checks that a store_admin works in at least one store, and that the stores exist. Throws 422 on `store_ids`. */
async function checkPlace(
  db: Db,
  { role, store_ids: storeIds }: Pick<StaffMember, 'role' | 'store_ids'>,
): Promise<void> {
  if (role === 'admin') return;
  if (storeIds.length === 0) throw invalidFieldError('store_ids', m.people_shop_needed());
  if (!(await areStoresLive(db, storeIds))) throw invalidFieldError('store_ids', m.people_shop_unknown());
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

type StaffRow = Awaited<ReturnType<ReturnType<typeof selectStaff>['executeTakeFirstOrThrow']>>;

export function presentStaffMember(row: StaffRow): StaffMember {
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

/** Reads a member of staff. Throws 404 for anybody else. */
export async function readStaffMember(db: Db, id: string): Promise<StaffMember> {
  const row = await selectStaff(db).where('users.id', '=', id).executeTakeFirst();
  if (!row) throw new AppError('not_found', m.platform_not_found());
  return presentStaffMember(row);
}
