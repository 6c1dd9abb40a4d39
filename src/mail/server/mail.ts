import { sql } from 'kysely';
import { type OrderTimelineEntry, createTimelineEntry } from '#database/order-timeline-entry.ts';
import { randomUUIDv7 } from 'node:crypto';
import type { MailKind } from '#database/mail-values.ts';
import type { Jobs } from '#database/jobs/jobs.ts';
import type { Db, Tx } from '#database/schema.ts';
import { inTransaction } from '#database/transaction.ts';
import { textToMailParts, withoutSecretLinks } from '#mail/mail-content.ts';
import { importFiledMails } from '#mail/server/mail-retention.ts';
import { connectSmtp, recordMailGivenUp, sendMail } from '#mail/server/send-mail.ts';
import type { MailSender, MailServices, MailWriter, UnwrittenMail, WrittenMail } from '#mail/server/services.ts';
import { defaultLanguage, type Language } from '#platform/language.ts';

const queue = 'mail';
/** The queue to which a mail's job is moved when all of its attempts have failed. */
const unsent = 'mail.unsent';

export const mailQueues = [queue, unsent] as const;

const tried = { givenUpTo: unsent, allDay: true } as const;

interface MailJob {
  mail_id: string;
}

/**
 * A mail's job that an earlier version queued. The job contains the whole mail, because earlier versions stored no row
 * of it.
 */
interface EarlierJob {
  id: string;
  to: string;
  subject: string;
  text: string;
}

/**
 * Makes the sender of mails. It sends by the server in `SMTP_URL`; without that setting it writes mails to files in the
 * data folder.
 */
export function createMailSender(services: Omit<MailServices, 'mail'>): MailSender {
  const { config, db, jobs, log, now } = services;
  const smtp = config.SMTP_URL ? connectSmtp(config.SMTP_URL, config) : null;
  const writers = new Map<MailKind, MailWriter>();
  const { owe, send } = createMailQueue({ jobs, now });
  const work = async (job: MailJob | EarlierJob) => {
    if ('mail_id' in job) {
      const pause = await sendMail({ ...services, smtp, writers }, job.mail_id);
      if (pause === null) return;
      // The queue uses the machine's clock, so `startAfter` is computed from `Date.now()` and not from `now()`.
      const startAfter = new Date(Date.now() + pause);
      return inTransaction(db, (tx) => jobs.send<MailJob>(tx, queue, job, { ...tried, startAfter }));
    }
    const { id, to, subject, text } = job;
    const content = { subject, parts: textToMailParts(text) };
    const earlier = {
      id,
      to,
      name: '',
      language: defaultLanguage as Language,
      storeId: null,
      content,
      kind: 'other' as const,
    };
    await inTransaction(db, (tx) => send(tx, earlier));
  };
  return {
    send,
    owe,
    writtenBy(kinds, write) {
      for (const kind of kinds) writers.set(kind, write);
    },
    async start() {
      await importFiledMails(services);
      await jobs.work<Partial<MailJob>>(unsent, async ({ mail_id: id }) => {
        log.error({ mail: id }, 'a mail could not be sent');
        if (id) await recordMailGivenUp(services, id);
      });
      await jobs.work<MailJob | EarlierJob>(queue, work, { batchSize: 1 });
    },
    stop: () => smtp?.close(),
  };
}

/** Marks all queued mails as dropped; their jobs then send nothing. */
export async function dropQueuedMails(tx: Tx, now: Date): Promise<void> {
  await tx.updateTable('mails').set({ state: 'dropped', ended_at: now }).where('ended_at', 'is', null).execute();
}

export function createMailQueue({ jobs, now }: Pick<MailServices, 'jobs' | 'now'>): Pick<MailSender, 'owe' | 'send'> {
  const add = (tx: Tx, mail: UnwrittenMail | (WrittenMail & { kind: MailKind; id?: string })) =>
    addMail(tx, jobs, now(), mail);
  return { owe: add, send: add };
}

async function addMail(
  tx: Db,
  jobs: Jobs,
  now: Date,
  mail: UnwrittenMail | (WrittenMail & { kind: MailKind; id?: string }),
): Promise<void> {
  const { id = randomUUIDv7(), kind } = mail;
  const added = await tx
    .insertInto('mails')
    .values({
      id,
      kind,
      created_at: now,
      ...('content' in mail
        ? {
            to_address: mail.to,
            to_name: mail.name,
            locale: mail.language,
            store_id: mail.storeId,
            order_id: mail.order?.id ?? null,
            order_number: mail.order?.number ?? null,
            subject: mail.content.subject,
            content: JSON.stringify(withoutSecretLinks(mail.content)),
          }
        : { to_address: mail.to ?? '', order_id: mail.orderId ?? null, about: JSON.stringify(mail.about) }),
    })
    .onConflict((conflict) => conflict.column('id').doNothing())
    .executeTakeFirst();
  if (added.numInsertedOrUpdatedRows === 0n) return;
  // The cast is right: all callers pass a transaction, so that the mail and its job are committed together.
  await jobs.send<MailJob>(tx as Tx, queue, { mail_id: id }, tried);
}

export async function readOrderMailEvents(db: Db, id: string): Promise<OrderTimelineEntry[]> {
  const rows = await db.selectFrom('mails').selectAll().where('order_id', '=', id).execute();
  const written = rows.map(({ created_at: made, ended_at: ended, kind, state, tries }) =>
    createTimelineEntry('mail', ended ?? made, kind.replaceAll('_', ' '), state, tries > 1 && `after ${tries} tries`),
  );
  return written;
}

/** SQL for a JSON object: the number of mails that wait, and how many of them had a failed attempt. */
export const waitingMailCountsSql = sql<{ waiting: number; refused: number }>`(
  select json_build_object('waiting', count(*), 'refused', count(*) filter (where refused_since is not null))
  from mails where ended_at is null)`;

export async function countWaitingMails(db: Db): Promise<{ waiting: number; refused: number }> {
  const { rows } = await sql<{
    mails: { waiting: number; refused: number };
  }>`select ${waitingMailCountsSql} as mails`.execute(db);
  return rows[0]?.mails ?? { waiting: 0, refused: 0 };
}
