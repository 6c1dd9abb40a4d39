import { eraseKeptAccount } from '#accounts/server/kept-account.ts';
import { reauthoriseSockets } from '#accounts/server/reauthorise-sockets.ts';
import type { AccountServices } from '#accounts/server/services.ts';
import { findUserByEmail, lockUser, type UserRow } from '#accounts/server/users.ts';
import type { Tx } from '#database/schema.ts';
import type { AfterCommit } from '#platform/http/after-commit.ts';

/**
 * The account of an address that a colleague needs. A customer's unconfirmed account gives way and is removed: anybody
 * may have opened it, and would keep somebody from their work. Its orders stay as a guest's, who follows them by their
 * sessions. Never for a customer's wish: a typed address would delete its account.
 */
export async function standingAccount(
  services: Pick<AccountServices, 'log' | 'realtime' | 'totpSecrets'>,
  tx: Tx,
  email: string,
  afterCommit: AfterCommit,
): Promise<UserRow | null> {
  const found = await findUserByEmail(tx, email);
  const user = found && (await lockUser(tx, found.id));
  if (!user) return null;
  if (user.role !== 'customer' || user.email_verified_at !== null) return user;
  await eraseKeptAccount(services.totpSecrets).erase(tx, user);
  afterCommit(reauthoriseSockets(services, user.id));
  return null;
}
