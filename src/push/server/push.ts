import type { FastifyBaseLogger } from 'fastify';
import type { Jobs } from '#database/jobs/jobs.ts';
import type { Db, Tx } from '#database/schema.ts';
import { inTransaction } from '#database/transaction.ts';
import { readLastNotificationNumber } from '#push/server/follows.ts';
import {
  type PushPostConfig,
  postPushMessage,
  type PushMessage,
  type PushUrgency,
} from '#push/server/post-push-message.ts';
import { endSubscription, findSubscription, recordPushSent } from '#push/server/subscriptions.ts';
import { openVapidKeys, type VapidKeys, type VapidOptions } from '#push/server/vapid-keys.ts';
import { readFile } from 'node:fs/promises';

export interface PushJob {
  subscription_id: string;
  /**
   * The id of the customer's order, and `round`: the number of this notification to this device about that order. The
   * message is dropped if a newer notification exists. null: the message is about no order.
   */
  about: { order_id: string; round: number } | null;
  message: PushMessage;
  urgency: PushUrgency;
  topic: string;
  /** The time after which the message is useless (ISO 8601). */
  until: string;
}

export interface PushSendingServices {
  db: Db;
  jobs: Jobs;
  log: FastifyBaseLogger;
  now: () => Date;
  push: PushSenderConfig;
}

export interface PushSenderConfig extends PushPostConfig {
  /** The keys; null: this instance cannot read the private key, so it sends nothing. Other instances may send. */
  keys: VapidKeys | null;
}

export const pushQueue = 'push';
const queue = pushQueue;

export function queuePushMessage(tx: Tx, jobs: Jobs, job: PushJob): Promise<void> {
  return jobs.send<PushJob>(tx, queue, job);
}

export async function startSendingPushMessages(services: PushSendingServices): Promise<void> {
  const { keys } = services.push;
  if (keys) await services.jobs.work<PushJob>(queue, (job) => deliver(services, keys, job), { batchSize: 1 });
}

/**
 * Sends a queued message. Throws if the queue should retry soon. If the push service named a delay, the message is
 * queued again with that delay.
 */
async function deliver(services: PushSendingServices, keys: VapidKeys, job: PushJob): Promise<void> {
  const { db, log, now, push } = services;
  const left = Date.parse(job.until) - now().getTime();
  const found = left > 0 ? await findSubscription(db, job.subscription_id) : undefined;
  if (!found || (await isOutOfDate(db, job))) return;
  const { id, endpoint, p256dh, auth } = found;
  const { message, urgency, topic } = job;
  // The TTL is at least one second, because with 0 a push service would not store the message.
  const ttl = Math.max(1, Math.ceil(left / 1000));
  const outcome = await postPushMessage(keys, push, { endpoint, p256dh, auth, message, ttl, urgency, topic });
  const at = { host: URL.parse(endpoint)?.host, subscription: id };
  switch (outcome.kind) {
    case 'sent':
      return recordPushSent(db, id, now());
    case 'gone':
      return endSubscription(db, id);
    case 'refused':
      // Only the host is logged, because the endpoint is a secret.
      return log.error({ ...at, why: outcome.why }, 'a push message was refused');
    case 'later':
      if (outcome.after === null) throw new Error(`a push message was not taken: ${outcome.why}`);
      log.warn({ ...at, why: outcome.why, after: outcome.after }, 'a push service asks to wait');
      return sendLater(services, job, outcome.after);
  }
}

async function isOutOfDate(db: Db, { about, subscription_id: id }: PushJob): Promise<boolean> {
  return about !== null && (await readLastNotificationNumber(db, about.order_id, id)) !== about.round;
}

/**
 * Queues a message again, unless it would be useless by then. `startAfter` needs `Date.now()`, because the job queue
 * uses the machine's clock.
 */
async function sendLater({ db, jobs, now }: PushSendingServices, job: PushJob, after: number): Promise<void> {
  if (now().getTime() + after >= Date.parse(job.until)) return;
  const startAfter = new Date(Date.now() + Math.max(1000, after));
  await inTransaction(db, (tx) => jobs.send<PushJob>(tx, queue, job, { startAfter }));
}

export interface PushOptions extends VapidOptions {
  config: VapidOptions['config'] & {
    publicUrl: string;
    ADMIN_EMAIL?: string | undefined;
    PUSH_TEST_SERVICE?: string | undefined;
    PUSH_TEST_CERTIFICATE?: string | undefined;
  };
}

/**
 * Reads this installation's keys and settings for push messages. Throws if the test service's certificate cannot be
 * read.
 */
export async function readPushSenderConfig(options: PushOptions): Promise<PushSenderConfig> {
  const { PUSH_TEST_SERVICE: service, PUSH_TEST_CERTIFICATE: certificate } = options.config;
  const test =
    service && certificate ? { origin: new URL(service).origin, ca: await readFile(certificate, 'utf8') } : undefined;
  return { subject: subjectOf(options.config), keys: await openVapidKeys(options), ...(test && { test }) };
}

/**
 * The address at which a push service can reach the operator. RFC 8292, 2.1, allows only https URLs and mail addresses,
 * so a shop whose URL is not https gives a mail address.
 */
function subjectOf({ publicUrl, ADMIN_EMAIL }: PushOptions['config']): string {
  return publicUrl.startsWith('https:') ? publicUrl : `mailto:${ADMIN_EMAIL ?? 'owner@localhost'}`;
}
