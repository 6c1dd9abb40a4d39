import { randomUUIDv7 } from 'node:crypto';
import { m } from '#messages';
import type { Tx } from '#database/schema.ts';
import { inTransaction } from '#database/transaction.ts';
import { type Message, unsentMail } from '#database/mail/mail.ts';
import type { FastifyBaseLogger } from 'fastify';
import type { Db } from '#database/schema.ts';
import type { Jobs } from '#database/jobs/jobs.ts';
import type { Mail } from '#database/mail/mail.ts';

export type AlertKind =
  | 'boards_lost'
  | 'boards_back'
  | 'orders_waiting'
  | 'capture_failed'
  | 'refund_failed'
  | 'card_keys_refused'
  | 'dispute'
  | 'mail_failed'
  | 'disk_low';

export interface Alert {
  kind: AlertKind;
  /** null: it concerns the whole installation. */
  store: { id: string; name: string } | null;
  subject: string;
  text: string;
}

/** The message to `ALERT_WEBHOOK_URL`. One alert has one id, however often it is sent. */
interface AlertJob {
  id: string;
  kind: AlertKind;
  store_id: string | null;
  store: string | null;
  subject: string;
  text: string;
  at: string;
}

const queue = 'alert';
const patience = 10_000;

/**
 * Queues an alert to the owner, in `tx`: a mail to each admin, unless mail itself fails, and a message to
 * `ALERT_WEBHOOK_URL` where that is set.
 */
export async function alertOwner(tx: Tx, services: AlertServices, alert: Alert): Promise<void> {
  if (alert.kind !== 'mail_failed') await mailAdmins(tx, services, alert);
  if (!services.config.ALERT_WEBHOOK_URL) return;
  const { kind, store, subject, text } = alert;
  await services.jobs.send<AlertJob>(tx, queue, {
    id: randomUUIDv7(),
    kind,
    store_id: store?.id ?? null,
    store: store?.name ?? null,
    subject,
    text,
    at: services.now().toISOString(),
  });
}

/**
 * Starts sending alerts to `ALERT_WEBHOOK_URL`: JSON by POST, repeated for about half an hour until the answer is 2xx.
 * It also reports mails that could not be sent.
 */
export async function startAlerts(services: AlertServices & { db: Db; log: FastifyBaseLogger }): Promise<void> {
  const { jobs, config, db, log } = services;
  await jobs.work<Partial<Message>>(unsentMail, async ({ fromName = 'Hatch', subject }) => {
    log.error({ subject }, 'a mail could not be sent');
    const words = { subject: m.watch_mail_subject(), text: m.watch_mail({ sender: fromName }) };
    await inTransaction(db, (tx) => alertOwner(tx, services, { kind: 'mail_failed', store: null, ...words }));
  });
  await jobs.work<AlertJob>(
    queue,
    async (alert) => {
      const url = config.ALERT_WEBHOOK_URL;
      // The setting was removed since: the alert is dropped.
      if (!url) return;
      const answer = await fetch(url, {
        method: 'POST',
        headers: { 'content-type': 'application/json', 'idempotency-key': alert.id },
        body: JSON.stringify(alert),
        redirect: 'error',
        signal: AbortSignal.timeout(patience),
      });
      await answer.body?.cancel();
      if (!answer.ok) throw new Error(`ALERT_WEBHOOK_URL answered ${answer.status}`);
    },
    { batchSize: 1 },
  );
}

export interface AlertServices {
  /** The receivers of the mails, whom accounts know. */
  adminEmails(tx: Tx): Promise<string[]>;
  config: { ALERT_WEBHOOK_URL?: string | undefined };
  jobs: Jobs;
  mail: Mail;
  now: () => Date;
}

async function mailAdmins(
  tx: Tx,
  { adminEmails, mail }: AlertServices,
  { store, subject, text }: Alert,
): Promise<void> {
  for (const email of await adminEmails(tx))
    await mail.send(tx, { to: email, fromName: store?.name ?? 'Hatch', subject, text });
}
