import { z } from 'zod';
import { Id, Instant, One, Page, PageQuery } from '#platform/http/shapes.ts';

const MailHead = z.object({ id: Id, at: Instant, from: z.string(), to: z.string(), subject: z.string() });
export const FiledMail = MailHead.extend({ text: z.string() });
export type FiledMail = z.infer<typeof FiledMail>;

/** The mails that a shop without an SMTP server would have sent. */
export const mail = {
  'GET /v1/mail': {
    access: 'admin',
    summary: 'List the mails that were written to files for want of an SMTP server, newest first.',
    query: PageQuery,
    /** `smtp_server`: the server that sends mail; null where there is none and mail is filed. */
    response: Page(MailHead).extend({ smtp_server: z.string().nullable() }),
  },
  'GET /v1/mail/{id}': { access: 'admin', summary: 'Read one filed mail.', response: One(FiledMail) },
} as const;
