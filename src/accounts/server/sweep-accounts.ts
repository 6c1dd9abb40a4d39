import { removeOldDevices } from '#accounts/server/known-devices.ts';
import { removeEndedSignIns } from '#accounts/server/sign-ins.ts';
import { startSweep, type Sweep } from '#platform/server/sweep.ts';
import type { AccountServices } from '#accounts/server/services.ts';

const every = 60 * 60_000;

/**
 * Deletes stale rows: ended sign-ins, old links, old attempts. Nothing depends on when it runs: every read checks the
 * times itself.
 */
export function startAccountSweep(
  services: Pick<AccountServices, 'clock' | 'db' | 'log' | 'now'>,
): Sweep & { sweep(): Promise<void> } {
  const { clock, db, log } = services;
  const sweep = async () => {
    const now = services.now();
    await removeEndedSignIns(db, now);
    await removeOldDevices(db, now);
    await db.deleteFrom('password_resets').where('expires_at', '<=', now).execute();
    await db.deleteFrom('email_verifications').where('expires_at', '<=', now).execute();
    await db.deleteFrom('passkey_attempts').where('expires_at', '<=', now).execute();
    await db.deleteFrom('social_attempts').where('expires_at', '<=', now).execute();
    await db.deleteFrom('social_codes').where('expires_at', '<=', now).execute();
    await db.deleteFrom('given_names').where('expires_at', '<=', now).execute();
    await db.deleteFrom('device_codes').where('expires_at', '<=', now).execute();
    await db.deleteFrom('throttles').where('expires_at', '<=', now).execute();
  };
  return { sweep, ...startSweep({ name: 'account sweep', every, log, clock, atOnce: true }, sweep) };
}
