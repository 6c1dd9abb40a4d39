import { createTransport, type Transporter } from 'nodemailer';
import type { MailLogo } from '#mail/mail-content.ts';
import { isSignInRefused } from '#mail/mail-answer.ts';
import { logoId, type RenderedMail } from '#mail/server/render-mail.ts';
import { hostOf, senderOf } from '#mail/server/sender.ts';
import type { MailConfig } from '#mail/server/services.ts';
import { isOnThisMachine } from '#platform/server/addresses.ts';

/** The mail server did not take it; `answer` is in its words, or those of the connection. */
export class MailRefused extends Error {
  readonly answer: string;
  /** Nobody has this address: another try is useless. */
  readonly isForGood: boolean;
  /** Refused for policy: quick retries make it worse. */
  readonly isPolicy: boolean;
  /** It refuses our user name or password: quick retries make it worse. */
  readonly isSignIn: boolean;

  constructor(answer: string, isForGood: boolean, cause: unknown) {
    super(`the mail server refused a mail: ${answer}`, { cause });
    this.answer = answer;
    this.isForGood = isForGood;
    this.isSignIn = isSignInRefused(answer);
    this.isPolicy = !this.isSignIn && /^[45]\d\d[ -]5\.7\.\d/.test(answer);
  }
}

export interface SmtpServer {
  /** Throws `MailRefused`. */
  send(mail: {
    id: string;
    to: string;
    shopName: string;
    /** null: answers go to the sender. */
    replyTo: string | null;
    logo: MailLogo | null;
    rendered: RenderedMail;
  }): Promise<void>;
  close(): void;
}

/** After a lost connection, milliseconds in which others are not tried: each would wait for it again. */
const quietFor = 3_000;

export function connectSmtp(url: string, config: MailConfig): SmtpServer {
  // Together well below the time after which the queue counts a job as lost and hands it out again.
  const smtp = createTransport({
    url,
    // Mails have links that open an account: a server that offers no encryption gets none.
    requireTLS: !isOnThisMachine(new URL(url)),
    connectionTimeout: 8_000,
    greetingTimeout: 6_000,
    socketTimeout: 12_000,
  });
  let lost = { until: 0, answer: '' };
  return {
    async send(mail) {
      if (performance.now() < lost.until) throw new MailRefused(lost.answer, false, null);
      try {
        await smtp.sendMail(messageOf(config, mail));
      } catch (error) {
        const refused = refusalOf(error);
        if (!hasResponse(error)) lost = { until: performance.now() + quietFor, answer: refused.answer };
        throw refused;
      }
    },
    close: () => smtp.close(),
  };
}

function messageOf(
  config: MailConfig,
  { id, to, shopName, replyTo, logo, rendered }: Parameters<SmtpServer['send']>[0],
) {
  const message: Parameters<Transporter['sendMail']>[0] = {
    messageId: `<${id}@${hostOf(config)}>`,
    from: senderOf(config, shopName),
    to,
    ...(replyTo !== null && { replyTo: { name: shopName, address: replyTo } }),
    subject: rendered.subject,
    text: rendered.text,
    html: rendered.html,
    // Nobody's absence is answered to it (RFC 3834).
    headers: { 'Auto-Submitted': 'auto-generated' },
    ...(logo && {
      attachments: [{ filename: 'logo.png', content: logo.png, cid: logoId, contentType: 'image/png' }],
    }),
  };
  return message;
}

/**
 * 5.1.x (RFC 3463) to RCPT TO: the address is bad. Any other refusal may come from our own settings, and is retried.
 */
function refusalOf(error: unknown): MailRefused {
  const isKnown = error instanceof Error;
  const answer = (hasResponse(error) ? error.response : isKnown ? error.message : String(error)).slice(0, 500);
  const isForGood = isKnown && 'command' in error && error.command === 'RCPT TO' && /^5\d\d[ -]5\.1\.\d/.test(answer);
  return new MailRefused(answer, isForGood, error);
}

function hasResponse(error: unknown): error is { response: string } {
  return typeof error === 'object' && error !== null && 'response' in error && typeof error.response === 'string';
}
