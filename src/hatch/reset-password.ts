import { forgetResets, sendNotice, sendSignInNotice } from '#accounts/server/account-mail.ts';
import { openTotpSecrets, removeFactors } from '#accounts/server/factors/factor-rows.ts';
import { Password } from '#accounts/contract.ts';
import { hashPassword, weaknessOf } from '#accounts/server/hash-password.ts';
import { endSignIns } from '#accounts/server/sign-ins.ts';
import { forgiveAccount } from '#accounts/server/throttle.ts';
import { changeUser, findUserByEmail, lockUser } from '#accounts/server/users.ts';
import { writeAudit } from '#database/audit.ts';
import { startJobs } from '#database/jobs/jobs.ts';
import { inTransaction } from '#database/transaction.ts';
import type { Machine } from '#hatch/machine.ts';
import { createMailQueue, mailQueues } from '#mail/server/mail.ts';
import { ConfigError } from '#platform/config-error.ts';
import { readShop } from '#shop/server/shop-cache.ts';
import { findStoreId, firstStore } from '#store/server/find-store.ts';

export interface Reset {
  email: string;
  name: string;
  role: string;
  /** Whether the account had passkeys, an authenticator app or recovery codes. */
  removed_factors: boolean;
}

/** Refuses an address that has no account. Throws ConfigError. */
export async function accountOf({ db }: Machine, email: string) {
  const user = await findUserByEmail(db, email);
  if (!user) throw new ConfigError(`No account has the address ${email}.`);
  return user;
}

/**
 * Sets the password of an account, removes its second factors and ends its sign-ins. The audit log has a line, and the account's
 * owner is told by mail. Throws ConfigError if there is no such account, or the password would be refused on the page.
 */
export async function resetPassword(machine: Machine, email: string, typed: string): Promise<Reset> {
  const { config, db, url, now } = machine;
  const user = await accountOf(machine, email);
  const read = Password.safeParse(typed);
  if (!read.success) throw new ConfigError('The password must have at least 8 characters, and at most 200.');
  const weakness = weaknessOf(read.data, [user.name, user.email]);
  if (weakness !== null) throw new ConfigError(weakness);
  const passwordHash = await hashPassword(read.data);
  const jobs = await startJobs(machine.database, () => {});
  try {
    const mail = createMailQueue({ jobs, now });
    for (const queue of mailQueues) await jobs.ready(queue);
    const storeId = await findStoreId(db, config.STORE_NAME ?? firstStore);
    const shop = storeId === null ? null : await readShop(db, config, storeId);
    const services = { config: { publicUrl: url }, mail, menus: { store: async () => shop } };
    return await inTransaction(db, async (tx) => {
      await lockUser(tx, user.id);
      await changeUser(tx, user.id, { password_hash: passwordHash });
      const hadFactors = await removeFactors(tx, openTotpSecrets(config), user.id);
      await forgetResets(tx, user.id);
      await endSignIns(tx, user.id, now());
      await forgiveAccount(tx, user.email);
      await writeAudit(tx, {
        viewer: { id: null, name: 'hatch', role: 'admin', scopes: [], signInId: null },
        action: 'PATCH /v1/auth/password',
        params: { id: user.id },
        body: { factors_removed: hadFactors },
        answer: null,
        requestId: 'hatch',
        at: now(),
      });
      if (hadFactors) await sendSignInNotice(tx, services, { change: 'removed_on_machine', to: user, at: now() });
      await sendNotice(tx, services, 'password_changed', user);
      return { email: user.email, name: user.name, role: user.role, removed_factors: hadFactors };
    });
  } finally {
    await jobs.stop();
  }
}
