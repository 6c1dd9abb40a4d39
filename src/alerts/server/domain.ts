import { alertOwner, type AlertServices, startAlertWebhook } from '#alerts/server/alert-owner.ts';
import { sql } from 'kysely';
import { m } from '#messages';
import type { DueWork } from '#database/jobs/due-work.ts';
import type { Db } from '#database/schema.ts';
import { inTransaction } from '#database/transaction.ts';
import { isSmtpSignInRefused } from '#mail/mail-words.ts';
import { isMailTroubleUnreportedSql, recordMailTroubleAlert } from '#mail/server/mail-trouble.ts';

type Services = Parameters<typeof mailTroubleAlertWork>[0];

export const alertsDomain = {
  name: 'alerts',
  start: (services: Pick<AlertServices, 'jobs' | 'config'>) => startAlertWebhook(services),
  work: (services: Services) => [mailTroubleAlertWork(services)],
};

/**
 * Due work that alerts the owner by webhook, at most once a day, when the mail server has refused mail for half an
 * hour.
 */
export function mailTroubleAlertWork(
  services: AlertServices & { db: Db; config: { publicUrl: string } },
): DueWork<boolean> {
  const { config, db, now } = services;
  return {
    name: 'refused mail',
    due: (at) => sql`${isMailTroubleUnreportedSql(at)}`,
    work: () =>
      inTransaction(db, async (tx) => {
        const trouble = await recordMailTroubleAlert(tx, now());
        if (!trouble) return;
        const { waiting: count, answer } = trouble;
        await alertOwner(tx, services, () => ({
          kind: 'mail_failed',
          store: null,
          subject: m.alerts_mail_subject(),
          text: [
            m.alerts_mail({ count }),
            ...(isSmtpSignInRefused(answer ?? '') ? [m.mail_sign_in_refused()] : []),
            ...(answer === null ? [] : [m.alerts_mail_answer({ answer })]),
          ].join('\n\n'),
          link: { words: m.alerts_mail_open(), link: `${config.publicUrl}/admin/mail` },
        }));
      }),
  };
}
