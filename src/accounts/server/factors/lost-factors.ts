import { sendSignInNotice } from '#accounts/server/account-mail.ts';
import { factorsOf, isSecondNeeded, removeFactors } from '#accounts/server/factors/factor-rows.ts';
import type { AccountServices } from '#accounts/server/services.ts';
import { endSignIns } from '#accounts/server/sign-ins.ts';
import { lockUser } from '#accounts/server/users.ts';
import type { Tx } from '#database/schema.ts';

/**
 * Removes the second factor of somebody who has lost it, ends their sign-ins, and tells them by mail that `by` did it. False if
 * there is none.
 */
export async function removeLostFactors(
  tx: Tx,
  services: Pick<AccountServices, 'config' | 'mail' | 'menus' | 'totpSecrets'>,
  { userId, by, at }: { userId: string; by: string; at: Date },
): Promise<boolean> {
  // Waits for another owner who removes it, and for the person who adds one.
  const user = await lockUser(tx, userId);
  if (!user || !isSecondNeeded(await factorsOf(tx, user.id))) return false;
  await removeFactors(tx, services.totpSecrets, user.id);
  await endSignIns(tx, user.id, at);
  await sendSignInNotice(tx, services, { change: 'removed_by_owner', to: user, by, at });
  return true;
}
