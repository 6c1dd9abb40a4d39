import { removeEndedSignIns } from '#accounts/server/sign-ins.ts';
import { removeFiledMail } from '#database/mail/mail.ts';
import { startSweep, type Sweep } from '#platform/server/sweep.ts';
import type { AccountServices } from '#accounts/server/services.ts';

const every = 60 * 60_000;
const mailKeptFor = 30 * 24 * 60 * 60_000;

/**
 * Tidies away what no longer counts: ended sign-ins, old links, forgotten attempts, filed mail of a month ago.
 * Nothing depends on when it runs: all of it is judged by its own times when it is read.
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
    await db.deleteFrom('throttles').where('expires_at', '<=', now).execute();
    await removeFiledMail(config, new Date(now.getTime() - mailKeptFor));
  };
  return { sweep, ...startSweep({ name: 'account sweep', every, log, clock, atOnce: true }, sweep) };
}
