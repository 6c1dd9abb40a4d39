import { m } from '#messages';
import type { Db, Tx } from '#database/schema.ts';
import { AppError } from '#platform/errors.ts';
import type { Handlers } from '#platform/http/serve.ts';
import type { mail } from '#database/mail/mail-contract.ts';
import { type MailConfig, listFiledMail, readFiledMail } from '#database/mail/mail.ts';
import { pageOf } from '#database/read-page.ts';

export function mailHandlers({ config }: { config: MailConfig }): Handlers<typeof mail, Db, Tx> {
  return {
    'GET /v1/mail': async ({ query }) => {
      const { data: ids, ...page } = pageOf('/v1/mail', query, await listFiledMail(config));
      const mails = await Promise.all(ids.map((id) => readFiledMail(config, id)));
      // A mail may have been deleted since the folder was listed.
      const server = config.SMTP_URL ? new URL(config.SMTP_URL).host : null;
      return { ...page, data: mails.filter((filed) => filed !== null), smtp_server: server };
    },

    'GET /v1/mail/{id}': async ({ params }) => {
      const filed = await readFiledMail(config, params.id);
      if (!filed) throw new AppError('not_found', m.platform_not_found());
      return { data: filed };
    },
  };
}
