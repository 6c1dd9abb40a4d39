import { forgetResets } from '#accounts/server/password-reset.ts';
import { endSignIns } from '#accounts/server/sign-ins.ts';
import { removeIdentities } from '#accounts/server/social/identities.ts';
import type { UserRow } from '#accounts/server/users.ts';
import type { Tx } from '#database/schema.ts';

interface Taking {
  userId: string;
  passwordHash: string;
  device: string | null;
  now: Date;
  /** A customer who was invited becomes staff. */
  isInvitation?: boolean;
}

/**
 * Gives an account to the reader of its address's mail: their password replaces earlier ones, sign-ins and links.
 * `device` is their token, if they have signed in on it before. If nobody had confirmed the address, the account may be
 * somebody else's trap: its connections are removed too.
 */
export async function takeAccount(
  tx: Tx,
  { userId, passwordHash, device, now, isInvitation = false }: Taking,
): Promise<UserRow> {
  const before = await tx
    .selectFrom('users')
    .select(['email_verified_at', 'invited'])
    .where('id', '=', userId)
    .forUpdate()
    .executeTakeFirstOrThrow();
  const changed = await tx
    .updateTable('users')
    .set({
      password_hash: passwordHash,
      email_verified_at: before.email_verified_at ?? now,
      ...(isInvitation && { ...before.invited, invited: null }),
    })
    .where('id', '=', userId)
    .returningAll()
    .executeTakeFirstOrThrow();
  if (!before.email_verified_at) await removeIdentities(tx, userId);
  await forgetResets(tx, userId);
  await endSignIns(tx, userId, now, { stays: device });
  return changed;
}
