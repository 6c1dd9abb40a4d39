import { m } from '#messages';
import type { SignIn, User } from '#accounts/contract.ts';
import type { KeptFactors } from '#accounts/factor-contract.ts';
import { presentPasskey } from '#accounts/server/factors/factor-calls.ts';
import { factorsOf, removeFactors, type TotpSecrets } from '#accounts/server/factors/factor-rows.ts';
import { listIdentities } from '#accounts/server/social/identities.ts';
import { listKnownDevices } from '#accounts/server/known-devices.ts';
import { listSignIns } from '#accounts/server/sign-ins.ts';
import { presentUser, type UserRow } from '#accounts/server/users.ts';
import { sql } from 'kysely';
import { forgetAudited } from '#database/audit.ts';
import type { Db, Tx } from '#database/schema.ts';
import { AppError } from '#platform/errors.ts';
import type { Viewer } from '#platform/http/viewer.ts';

interface Asker {
  user: UserRow;
  viewer: Viewer;
  now: Date;
}

/** The accounts' data about a person, for their export. */
export const readKeptAccount = {
  user: async (_db: Db, { user }: Asker): Promise<User & { created_at: string }> => ({
    ...presentUser(user),
    created_at: user.created_at.toISOString(),
  }),
  known_devices: (db: Db, { user, now }: Asker) => listKnownDevices(db, user.id, now),
  sign_ins: (db: Db, { viewer, now }: Asker): Promise<SignIn[]> => listSignIns(db, viewer, now),
  second_factors: async (db: Db, { user }: Asker): Promise<KeptFactors> => {
    const { passkeys, totp, recoveryCodes } = await factorsOf(db, user.id);
    return {
      passkeys: passkeys.map(presentPasskey),
      totp_since: totp?.confirmed_at.toISOString() ?? null,
      recovery_codes_left: recoveryCodes,
    };
  },
  identities: async (db: Db, { user }: Asker) =>
    (await listIdentities(db, user.id)).map(({ issuer, subject, email, created_at: at }) => ({
      issuer,
      subject,
      email,
      created_at: at.toISOString(),
    })),
};

/** How it is erased: after everything that refers to the account. */
export const eraseKeptAccount = (totpSecrets: TotpSecrets) => ({
  /** Throws 409 `conflict` for the shop's only admin. */
  async refuse(tx: Tx, { id, role }: UserRow): Promise<void> {
    if (role === 'admin') await refuseLastAdmin(tx, id);
  },
  /** Sign-ins, known devices, passkeys and reset links are deleted with the row; `placed_by` of orders they entered for others becomes null. */
  async erase(tx: Tx, { id }: UserRow): Promise<void> {
    await forgetAudited(tx, [id]);
    // Its secret may be in a file.
    await removeFactors(tx, totpSecrets, id);
    await sql`
      delete from given_names g using identities i
      where i.user_id = ${id} and i.issuer = g.issuer and i.subject = g.subject`.execute(tx);
    await tx.deleteFrom('users').where('id', '=', id).execute();
  },
});

/** An order being placed locks the same row, so that none is added until the transaction ends. */
export async function lockAccount(tx: Tx, id: string): Promise<void> {
  await tx.selectFrom('users').select('id').where('id', '=', id).forUpdate().executeTakeFirst();
}

/** Throws 409 `conflict` when nobody else is an admin. */
export async function refuseLastAdmin(tx: Tx, id: string): Promise<void> {
  // Locked in one order, so that the last two admins cannot both leave together.
  const admins = await tx
    .selectFrom('users')
    .select('id')
    .where('role', '=', 'admin')
    .orderBy('id')
    .forUpdate()
    .execute();
  if (!admins.some((admin) => admin.id !== id)) throw new AppError('conflict', m.accounts_last_admin());
}
