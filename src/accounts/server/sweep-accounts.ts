import { removeEndedSignIns } from '#accounts/server/sign-ins.ts';
import { removeFiledMail } from '#database/mail/mail.ts';
import { startSweep, type Sweep } from '#platform/server/sweep.ts';
import type { AccountServices } from '#accounts/server/services.ts';

const every = 60 * 60_000;
const mailKeptFor = 30 * 24 * 60 * 60_000;

/**
 * Deletes what is out of date: ended sign-ins, old links, old attempts, filed mail older than a month.
 * Nothing depends on when it runs: every read checks the times itself.
 */
export function startAccountSweep(
  services: Pick<AccountServices, 'clock' | 'config' | 'db' | 'log' | 'now'>,
): Sweep & { sweep(): Promise<void> } {
  const { clock, db, config, log } = services;
  const sweep = async () => {
    const now = services.now();
    await removeEndedSignIns(db, now);
    await db.deleteFrom('password_resets').where('expires_at', '<=', now).execute();
    await db.deleteFrom('email_verifications').where('expires_at', '<=', now).execute();
    await db.deleteFrom('social_attempts').where('expires_at', '<=', now).execute();
    await db.deleteFrom('social_codes').where('expires_at', '<=', now).execute();
    await db.deleteFrom('given_names').where('expires_at', '<=', now).execute();
    await db.deleteFrom('device_codes').where('expires_at', '<=', now).execute();
    await db.deleteFrom('throttles').where('expires_at', '<=', now).execute();
    await removeFiledMail(config, new Date(now.getTime() - mailKeptFor));
  };
  return { sweep, ...startSweep({ name: 'account sweep', every, log, clock, atOnce: true }, sweep) };
}
