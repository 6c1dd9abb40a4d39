import { z } from 'zod';
import { mailKinds, mailStates } from '#database/mail-values.ts';
import { SearchText } from '#platform/contact-fields.ts';
import {
  Id,
  Instant,
  freshSignInConditionText,
  SingleAnswer,
  PaginatedAnswer,
  PaginatedQuery,
} from '#platform/http/shapes.ts';
import { languages } from '#platform/languages.ts';

export const MailSummary = z.object({
  id: Id,
  kind: z.enum(mailKinds),
  state: z.enum(mailStates),
  /** The recipient's address. Empty until the mail is written, if the address is looked up only then. */
  to: z.string(),
  name: z.string(),
  subject: z.string(),
  order_id: Id.nullable(),
  order_number: z.string().nullable(),
  tries: z.int(),
  /** The mail server's last refusal or the last error of the connection, verbatim; null: none. */
  answer: z.string().nullable(),
  at: Instant,
  tried_at: Instant.nullable(),
  ended_at: Instant.nullable(),
});
export type MailSummary = z.infer<typeof MailSummary>;

/** An undelivered mail about an order, as it is shown with the order. `at`: the time of the last attempt. */
export const FailedMail = MailSummary.pick({ kind: true, state: true, answer: true, at: true });
export type FailedMail = z.infer<typeof FailedMail>;

export const RenderedMail = z.object({ subject: z.string(), text: z.string(), html: z.string() });
export type RenderedMail = z.infer<typeof RenderedMail>;

export const Mail = MailSummary.extend({
  from: z.string(),
  locale: z.enum(languages),
  /**
   * The mail's text; null before the mail is written, and after its content was erased. The text has the secret links
   * only if the mail was written to a file.
   */
  text: z.string().nullable(),
  html: z.string().nullable(),
});
export type Mail = z.infer<typeof Mail>;

export const mailColourScheme = z.enum(['light', 'dark']);

export const mailExampleKinds = mailKinds.filter((kind) => kind !== 'test' && kind !== 'other');
const Example = z.object({ kind: z.enum(mailExampleKinds), locale: z.enum(languages).default('en') });

export const mailEndpoints = {
  'GET /v1/mail': {
    isRecorded: true,
    access: 'admin',
    freshSignInFor: freshSignInConditionText,
    summary: 'List the mails of the last half year with their states, newest first.',
    query: PaginatedQuery.extend({
      /**
       * Finds mails whose recipient's name, recipient's address or subject contains this text. A number also finds the
       * mails about the order with that number.
       */
      search: SearchText.optional(),
      state: z.enum(mailStates).optional(),
      order_id: Id.optional(),
    }),
    /**
     * `smtp_server`: the mail server's host; null: there is none, and mail is written to files. `trouble`: the mails
     * that are retried after a failed attempt; null: none.
     */
    response: PaginatedAnswer(MailSummary).extend({
      smtp_server: z.string().nullable(),
      trouble: z.object({ waiting: z.int(), since: Instant, answer: z.string().nullable() }).nullable(),
    }),
  },
  'GET /v1/mail/{id}': {
    isRecorded: true,
    access: 'admin',
    freshSignInFor: 'a mail with a link to choose a password, or another that opens an account',
    summary: 'Read one mail.',
    response: SingleAnswer(Mail),
  },
  'GET /v1/mail-previews': {
    access: 'admin',
    summary: "See a kind of mail with invented data, in the shop's own look.",
    query: Example.extend({ scheme: mailColourScheme.default('light') }),
    response: SingleAnswer(RenderedMail),
  },
  'POST /v1/mail-tests': {
    access: 'admin',
    summary: 'Send myself a kind of mail with invented data.',
    body: Example,
    response: SingleAnswer(MailSummary),
  },
} as const;
