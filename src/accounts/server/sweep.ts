import { removeEndedSignIns } from '#accounts/server/sign-ins.ts';
import { removeFiledMail } from '#database/mail/mail.ts';
import type { AccountServices } from '#accounts/server/services.ts';

const every = 60 * 60_000;
const mailKeptFor = 30 * 24 * 60 * 60_000;

/**
 * Tidies away what no longer counts: ended sign-ins, old links, forgotten attempts, filed mail of a month ago.
 * Nothing depends on when it runs: all of it is judged by its own times when it is read.
 */
export function startAccountSweep(services: Pick<AccountServices, 'clock' | 'config' | 'db' | 'log' | 'now'>): {
  sweep(): Promise<void>;
  stop(): Promise<void>;
} {
  const { db, config, log } = services;
  const sweep = async () => {
    if (!services.clock.isTrusted()) return;
    const now = services.now();
    await removeEndedSignIns(db, now);
    await db.deleteFrom('password_resets').where('expires_at', '<=', now).execute();
    await db.deleteFrom('email_verifications').where('expires_at', '<=', now).execute();
    await db.deleteFrom('social_attempts').where('expires_at', '<=', now).execute();
    await db.deleteFrom('throttles').where('expires_at', '<=', now).execute();
    await removeFiledMail(config, new Date(now.getTime() - mailKeptFor));
  };
  let running: Promise<void> = Promise.resolve();
  const run = () => {
    running = running.then(sweep).catch((error: unknown) => log.error({ err: error }, 'account sweep'));
  };
  run();
  const timer = setInterval(run, every);
  timer.unref();
  return {
    sweep,
    async stop() {
      clearInterval(timer);
      await running;
    },
  };
}
