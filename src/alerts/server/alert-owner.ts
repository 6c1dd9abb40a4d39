import { randomUUIDv7 } from 'node:crypto';
import type { OwnerMailKind } from '#database/mail-values.ts';
import type { Jobs } from '#database/jobs/jobs.ts';
import type { Tx } from '#database/schema.ts';
import { type MailContent, type MailLink, textToMailParts } from '#mail/mail-content.ts';
import type { MailSender } from '#mail/server/services.ts';
import { defaultLanguage, languageOfPerson } from '#platform/language.ts';
import { runInLanguage } from '#platform/server/request-language.ts';

/** The kinds that go only to the webhook: mail cannot report its own failure, and staff see a printer's fault. */
const ofWebhook = ['mail_failed', 'printer_fault'] as const;
type WebhookKind = (typeof ofWebhook)[number];
export type AlertKind = Exclude<OwnerMailKind, 'takings'> | WebhookKind;

export interface Alert {
  kind: AlertKind;
  /** The store; null: the alert is about the whole installation. */
  store: { id: string; name: string } | null;
  subject: string;
  /** The text, whose paragraphs are separated by empty lines. */
  text: string;
  /** The page on which the owner can solve the problem. */
  link?: MailLink;
}

/** The message to `ALERT_WEBHOOK_URL`. `id` stays the same in all retries. */
interface AlertJob {
  id: string;
  kind: AlertKind;
  store_id: string | null;
  store: string | null;
  subject: string;
  text: string;
  at: string;
}

export const alertQueue = 'alert';
const queue = alertQueue;
/** The timeout of a call to the webhook (ms). */
const timeout = 10_000;

/**
 * Queues an alert to the owner in `tx`: a mail to each admin in their language, and a message to `ALERT_WEBHOOK_URL` in
 * the default language. Some kinds go only to the webhook. `write` is called again for each admin, in their language.
 */
export async function alertOwner(tx: Tx, services: AlertServices, write: () => Alert): Promise<void> {
  const { kind, store, subject, text, link } = runInLanguage(defaultLanguage, write);
  if (!isOfWebhook(kind)) {
    const content = () => alertToMail(write());
    await mailAdmins(tx, services, { kind, storeId: store?.id ?? null, content });
  }
  if (!services.config.ALERT_WEBHOOK_URL) return;
  await services.jobs.send<AlertJob>(tx, queue, {
    id: randomUUIDv7(),
    kind,
    store_id: store?.id ?? null,
    store: store?.name ?? null,
    subject,
    text: link ? `${text}\n\n${link.words}:\n${link.link}` : text,
    at: services.now().toISOString(),
  });
}

function isOfWebhook(kind: AlertKind): kind is WebhookKind {
  return ofWebhook.some((one) => one === kind);
}

export async function mailAdmins(
  tx: Tx,
  { admins, mail }: Pick<AlertServices, 'admins' | 'mail'>,
  { kind, storeId, content }: { kind: OwnerMailKind; storeId: string | null; content: () => MailContent },
): Promise<void> {
  for (const admin of await admins(tx)) {
    const language = languageOfPerson(admin);
    await mail.send(tx, {
      kind,
      storeId,
      name: '',
      to: admin.email,
      language,
      content: runInLanguage(language, content),
    });
  }
}

export function alertToMail({ subject, text, link }: Pick<Alert, 'subject' | 'text' | 'link'>): MailContent {
  return { subject, parts: [...textToMailParts(text), ...(link ? [link] : [])] };
}

/** Starts sending to `ALERT_WEBHOOK_URL`: JSON by POST, retried for half an hour until a 2xx status. */
export async function startAlertWebhook({ jobs, config }: Pick<AlertServices, 'jobs' | 'config'>): Promise<void> {
  await jobs.work<AlertJob>(
    queue,
    async (alert) => {
      const url = config.ALERT_WEBHOOK_URL;
      // The setting was removed, so the alert is dropped.
      if (!url) return;
      const answer = await fetch(url, {
        method: 'POST',
        headers: { 'content-type': 'application/json', 'idempotency-key': alert.id },
        body: JSON.stringify(alert),
        redirect: 'error',
        signal: AbortSignal.timeout(timeout),
      });
      await answer.body?.cancel();
      if (!answer.ok) throw new Error(`ALERT_WEBHOOK_URL answered ${answer.status}`);
    },
    { batchSize: 1 },
  );
}

export interface AlertServices {
  admins(tx: Tx): Promise<{ email: string; locale: string }[]>;
  config: { ALERT_WEBHOOK_URL?: string | undefined };
  jobs: Jobs;
  mail: MailSender;
  now: () => Date;
}
