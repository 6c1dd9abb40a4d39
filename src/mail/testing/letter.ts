import type { MailKind } from '#database/mail-values.ts';
import { textToMailParts } from '#mail/mail-content.ts';
import type { WrittenMail } from '#mail/server/services.ts';

/** A mail that says `text`, for `mail.send`. */
export function letter(
  subject: string,
  { to = 'ada@example.com', text = 'Hello Ada,\n\n£9.50.' } = {},
): WrittenMail & { kind: MailKind } {
  return {
    kind: 'other',
    to,
    name: 'Ada',
    language: 'en',
    storeId: null,
    content: { subject, parts: textToMailParts(text) },
  };
}
