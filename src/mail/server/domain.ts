import { calls } from '#database/domain.ts';
import { mail } from '#mail/contract.ts';
import { mailHandlers } from '#mail/server/handlers.ts';
import { eraseMailData, exportMails, startForgettingMail } from '#mail/server/mail-retention.ts';
import type { Parts } from '#platform/server/parts.ts';

type Services = Parameters<typeof startForgettingMail>[0] & Parameters<typeof mailHandlers>[0];

export const mailDomain = {
  name: 'mail',
  calls: [calls(mail, mailHandlers)],
  async start(services: Services, parts: Parts) {
    await services.mail.start();
    parts.add('old mail', startForgettingMail(services));
  },
  personalData: { mails: exportMails },
  eraser: () => eraseMailData,
};
