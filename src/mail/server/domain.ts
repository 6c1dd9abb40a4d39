import { endpointRegistration } from '#database/endpoint-registration.ts';
import { mailEndpoints } from '#mail/contract.ts';
import { mailHandlers } from '#mail/server/handlers.ts';
import { mailDataEraser, exportMails, startMailRetention } from '#mail/server/mail-retention.ts';
import type { ServerParts } from '#platform/server/parts.ts';

type Services = Parameters<typeof startMailRetention>[0] & Parameters<typeof mailHandlers>[0];

export const mailDomain = {
  name: 'mail',
  calls: [endpointRegistration(mailEndpoints, mailHandlers)],
  async start(services: Services, parts: ServerParts) {
    await services.mail.start();
    parts.add('old mail', startMailRetention(services));
  },
  personalData: { mails: exportMails },
  eraser: () => mailDataEraser,
};
