import { type Selectable, sql, type Updateable } from 'kysely';
import type { MailKind, MailState } from '#database/mail-values.ts';
import type { MailsTable } from '#database/schema.ts';
import { isForRecipientOnly, isSmtpSignInRefused } from '#mail/mail-words.ts';
import { type MailContent, type MailLogo, withoutSecretLinks } from '#mail/mail-content.ts';
import { inTransaction } from '#database/transaction.ts';
import { writeMailFile, mailFilePath, eraseAccountDeletedMails } from '#mail/server/mail-retention.ts';
import { logoContentId, type RenderedMail, renderMail } from '#mail/server/render-mail.ts';
import {
  mailHostOf,
  type MailConfig,
  type MailServices,
  type MailWriter,
  mailFromField,
  type WrittenMail,
} from '#mail/server/services.ts';
import { languageOfPerson } from '#platform/language.ts';
import { createTransport, type Transporter } from 'nodemailer';
import { isLoopbackUrl } from '#platform/server/addresses.ts';

type MailRow = Selectable<MailsTable>;
type MailChange = Updateable<MailsTable> & { state: MailState };
type SendServices = Omit<MailServices, 'mail'> & {
  smtp: SmtpServer | null;
  writers: ReadonlyMap<MailKind, MailWriter>;
};

/**
 * Sends a queued mail, unless it has ended or is stale. Throws while another job sends it, and after a failure that the
 * queue may retry soon. If the server accepted the mail, but a crash or lost connection prevents the update of the
 * mail's row, the mail is sent again. Both copies have the same Message-ID. Returns the milliseconds until the next
 * attempt; null: no further attempt is needed.
 */
export async function sendMail(services: SendServices, id: string): Promise<number | null> {
  const row = await claim(services, id);
  if (!row) {
    await refuseIfOpen(services, id);
    return null;
  }
  const settle = (change: MailChange) => settleMail(services, id, change);
  let written: WrittenMail | null = null;
  try {
    written =
      row.about === null ? asWritten(row) : await writerOf(services, row.kind)(row as MailRow & { about: object });
    if (!written) {
      await settle({ state: 'dropped', ended_at: services.now() });
      return null;
    }
    await deliver(services, id, row.kind as MailKind, written);
  } catch (error) {
    return settleFailure(services, row, settle, error, written && headOf(written));
  }
  await settle({ state: services.smtp ? 'sent' : 'filed', ...headOf(written), ended_at: services.now() });
  return null;
}

/**
 * Records a failed attempt to send. Throws if the queue is to retry the job by its own backoff. Otherwise returns the
 * milliseconds until the next attempt; null: no further attempt is needed.
 */
async function settleFailure(
  services: SendServices,
  row: MailRow,
  settle: (change: MailChange) => Promise<void>,
  error: unknown,
  head: ReturnType<typeof headOf> | null,
): Promise<number | null> {
  const refusal = error instanceof MailRefusedError ? error : null;
  const told = { ...head, ...(refusal && { answer: refusal.answer }) };
  if (refusal?.isForGood) {
    services.log.warn({ mail: row.id, kind: row.kind, order: row.order_id }, 'nobody has the address of a mail');
    await settle({ state: 'refused', ...told, ended_at: services.now() });
    return null;
  }
  const refusedSince = row.refused_since ?? services.now();
  if (refusal?.isPolicy || refusal?.isSignIn) {
    if (refusal.isSignIn) services.log.error('the mail server does not take the user name or password of SMTP_URL');
    return putOff(services, settle, { ...told, refused_since: refusedSince });
  }
  await settle({ state: 'retrying', ...told, refused_since: refusedSince });
  // The server's answer is stored in the row alone, because it may name the recipient: errors of jobs are logged, and
  // logs outlive mails.
  throw refusal ? new Error('the mail server refused a mail') : error;
}

/**
 * Milliseconds until the next attempt, if the server's policy refuses the mail, or the server refuses the shop's
 * sign-in. Quick retries would get the shop blocked.
 */
const longPause = 15 * 60_000;
const longestWait = 24 * 60 * 60_000;

/** Postpones a mail that the server refused, because quick retries would get the shop blocked; gives up after a day. */
async function putOff(
  { log, now }: Pick<SendServices, 'log' | 'now'>,
  settle: (change: MailChange) => Promise<void>,
  told: Updateable<MailsTable> & { refused_since: Date },
): Promise<number | null> {
  if (now().getTime() - told.refused_since.getTime() < longestWait) {
    await settle({ state: 'retrying', ...told });
    return longPause;
  }
  log.error('a mail was refused for a day, and is given up');
  await settle({ state: 'given_up', ...told, ended_at: now() });
  return null;
}

export async function recordMailGivenUp(services: Pick<MailServices, 'db' | 'now'>, id: string): Promise<void> {
  await settleMail(services, id, { state: 'given_up', ended_at: services.now() });
}

async function deliver(services: SendServices, id: string, kind: MailKind, written: WrittenMail): Promise<void> {
  const { config, log, smtp, mailShop, now } = services;
  const { to, language, storeId, content } = written;
  const shop = await mailShop(storeId);
  const rendered = renderMail(content, shop, language);
  const mail = { id, to, shopName: shop.name, replyTo: shop.email, logo: shop.logo, rendered };
  if (smtp) return smtp.send(mail);
  await writeMailFile(config, { ...mail, at: now() });
  if (isForRecipientOnly(kind))
    log.info({ kind, file: mailFilePath(id) }, 'a mail with a link is in a file, as no server sends it');
}

function claim({ db, now }: SendServices, id: string): Promise<MailRow | undefined> {
  return db
    .updateTable('mails')
    .set((eb) => ({
      sending_until: sql`clock_timestamp() + interval '40 seconds'`,
      tries: eb('tries', '+', 1),
      tried_at: now(),
    }))
    .where('id', '=', id)
    .where('ended_at', 'is', null)
    .where((eb) => eb.or([eb('sending_until', 'is', null), eb('sending_until', '<', sql<Date>`clock_timestamp()`)]))
    .returningAll()
    .executeTakeFirst();
}

async function refuseIfOpen({ db }: SendServices, id: string): Promise<void> {
  const open = await db
    .selectFrom('mails')
    .select('id')
    .where('id', '=', id)
    .where('ended_at', 'is', null)
    .executeTakeFirst();
  if (open) throw new Error('a mail is being sent by another job');
}

async function settleMail({ db }: Pick<MailServices, 'db'>, id: string, change: MailChange): Promise<void> {
  await inTransaction(db, async (tx) => {
    await tx
      .updateTable('mails')
      .set({ ...change, sending_until: null })
      .where('id', '=', id)
      .where('ended_at', 'is', null)
      .execute();
    if (change.ended_at) await eraseAccountDeletedMails(tx, id);
  });
}

function headOf({ to, name, language, storeId, order, content }: WrittenMail) {
  return {
    to_address: to,
    to_name: name,
    locale: language,
    store_id: storeId,
    ...(order && { order_id: order.id, order_number: order.number }),
    subject: content.subject,
    content: JSON.stringify(withoutSecretLinks(content)),
  };
}

function asWritten(row: MailRow): WrittenMail {
  return {
    to: row.to_address,
    name: row.to_name,
    language: languageOfPerson(row),
    storeId: row.store_id,
    ...(row.order_id !== null &&
      row.order_number !== null && { order: { id: row.order_id, number: row.order_number } }),
    // Only `addMail` writes a row without `about`, so the type of `content` is known.
    content: row.content as MailContent,
  };
}

function writerOf({ writers }: SendServices, kind: MailKind): MailWriter {
  const write = writers.get(kind);
  if (!write) throw new Error(`nobody writes mails of the kind ${kind}`);
  return write;
}

/**
 * Thrown if the mail server refused a mail or could not be reached. `answer`: the server's answer, or the error of the
 * connection.
 */
export class MailRefusedError extends Error {
  readonly answer: string;
  /** Whether the recipient's address does not exist, so that no retry can help. */
  readonly isForGood: boolean;
  /** Whether the server refuses the mail because of its policy. Quick retries would get the shop blocked. */
  readonly isPolicy: boolean;
  /** Whether the server refuses the user name or password. Quick retries would get the shop blocked. */
  readonly isSignIn: boolean;

  constructor(answer: string, isForGood: boolean, cause: unknown) {
    super(`the mail server refused a mail: ${answer}`, { cause });
    this.answer = answer;
    this.isForGood = isForGood;
    this.isSignIn = isSmtpSignInRefused(answer);
    this.isPolicy = !this.isSignIn && /^[45]\d\d[ -]5\.7\.\d/.test(answer);
  }
}

interface SmtpServer {
  /** Throws `MailRefusedError`. */
  send(mail: {
    id: string;
    to: string;
    shopName: string;
    /** The address for answers; null: answers go to the sender. */
    replyTo: string | null;
    logo: MailLogo | null;
    rendered: RenderedMail;
  }): Promise<void>;
  close(): void;
}

/** After a lost connection no mail is tried for this time (ms), because each attempt would wait for a timeout. */
const quietFor = 3_000;

export function connectSmtp(url: string, config: MailConfig): SmtpServer {
  // The sum of these timeouts is well below the time after which the queue restarts the job.
  const smtp = createTransport({
    url,
    // Mails may have secret links, so they go to a server on another machine only over TLS.
    requireTLS: !isLoopbackUrl(new URL(url)),
    connectionTimeout: 8_000,
    greetingTimeout: 6_000,
    socketTimeout: 12_000,
  });
  let lost = { until: 0, answer: '' };
  return {
    async send(mail) {
      if (performance.now() < lost.until) throw new MailRefusedError(lost.answer, false, null);
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
    messageId: `<${id}@${mailHostOf(config)}>`,
    from: mailFromField(config, shopName),
    to,
    ...(replyTo !== null && { replyTo: { name: shopName, address: replyTo } }),
    subject: rendered.subject,
    text: rendered.text,
    html: rendered.html,
    // Prevents automatic replies (RFC 3834).
    headers: { 'Auto-Submitted': 'auto-generated' },
    ...(logo && {
      attachments: [{ filename: 'logo.png', content: logo.png, cid: logoContentId, contentType: 'image/png' }],
    }),
  };
  return message;
}

/**
 * Turns an error into MailRefusedError. An answer 5.1.x (RFC 3463) to RCPT TO means that the recipient's address is
 * wrong. Other refusals may be caused by the shop's settings, and are retried.
 */
function refusalOf(error: unknown): MailRefusedError {
  const isKnown = error instanceof Error;
  const answer = (hasResponse(error) ? error.response : isKnown ? error.message : String(error)).slice(0, 500);
  const isForGood = isKnown && 'command' in error && error.command === 'RCPT TO' && /^5\d\d[ -]5\.1\.\d/.test(answer);
  return new MailRefusedError(answer, isForGood, error);
}

function hasResponse(error: unknown): error is { response: string } {
  return typeof error === 'object' && error !== null && 'response' in error && typeof error.response === 'string';
}
