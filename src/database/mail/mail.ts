import { randomUUIDv7 } from 'node:crypto';
import { mkdir, readdir, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { createTransport, type Transporter } from 'nodemailer';
import type { Tx } from '#database/schema.ts';
import type { FiledMail } from '#database/mail/mail-contract.ts';
import type { Jobs } from '#database/jobs/jobs.ts';

export interface Message {
  to: string;
  /** The sender's name: that of the shop. */
  fromName: string;
  subject: string;
  text: string;
  /** The same as HTML, for programs that show it; files keep the plain text. */
  html?: string;
}

export interface Mail {
  /** Queues a mail; in `tx`, so it is sent exactly if the change is made. Sent at least once, under one Message-ID. */
  send(tx: Tx, message: Message): Promise<void>;
  /**
   * Sends a mail now, for content that must never be stored: a secret link, an order's details. The caller is a job, so a
   * failure is tried again; with an `id`, a UUID, every attempt is the same mail. Throws `RefusedReceiver` if a retry is useless.
   */
  deliver(message: Message, id?: string): Promise<void>;
  /** Starts sending queued mails. */
  start(): Promise<void>;
  /** Closes the connections to the SMTP server. */
  stop(): void;
}

/** The SMTP server refused this receiver permanently. */
export class RefusedReceiver extends Error {}

export type MailConfig = {
  SMTP_URL?: string | undefined;
  MAIL_FROM?: string | undefined;
  APP_URL?: string | undefined;
  dataDir: string;
};
interface OwedMail extends Message {
  id: string;
}

/** Mail by `SMTP_URL`, or into files in the data folder if it is not set. */
export function createMail(config: MailConfig, jobs: Jobs, now: () => Date): Mail {
  const smtp = config.SMTP_URL ? connectSmtp(config.SMTP_URL) : null;
  const deliver = (mail: OwedMail) =>
    smtp ? sendBySmtp(smtp, config, mail) : writeToFolder(mailFolder(config), config, mail, now());
  return {
    send: (tx, message) =>
      jobs.send<OwedMail>(tx, queue, { id: randomUUIDv7(), ...message }, { givenUpTo: unsentMail }),
    deliver: (message, id = randomUUIDv7()) => deliver({ id, ...message }),
    start: () => jobs.work<OwedMail>(queue, deliver, { batchSize: 1 }),
    stop: () => smtp?.close(),
  };
}

/** The ids of the filed mails, newest first. */
export async function listFiledMail(config: MailConfig): Promise<string[]> {
  const names = await readdir(mailFolder(config)).catch(() => []);
  return names
    .filter((name) => name.endsWith('.json'))
    .map((name) => name.slice(0, -'.json'.length))
    .toSorted()
    .toReversed();
}

/** `id` is a UUID: the router has checked it. */
export async function readFiledMail(config: MailConfig, id: string): Promise<FiledMail | null> {
  const text = await readFile(fileOf(mailFolder(config), id), 'utf8').catch(() => null);
  // Only this module writes the file.
  return text === null ? null : (JSON.parse(text) as FiledMail);
}

/** Removes filed mails from before `before`, of one receiver or of all; returns how many. */
export async function removeFiledMail(config: MailConfig, before: Date, to?: string): Promise<number> {
  let removed = 0;
  for (const id of await listFiledMail(config)) {
    const mail = await readFiledMail(config, id);
    if (!mail || new Date(mail.at) >= before || (to !== undefined && mail.to !== to)) continue;
    await rm(fileOf(mailFolder(config), id), { force: true });
    removed += 1;
  }
  return removed;
}

const queue = 'mail';
/** The queue of mails that failed at every attempt: a `Message`, or no content for a mail with a secret link. */
export const unsentMail = 'mail.unsent';

function connectSmtp(url: string): Transporter {
  // Together well below the time after which the queue counts a job as lost and hands it out again.
  return createTransport({ url, connectionTimeout: 8_000, greetingTimeout: 6_000, socketTimeout: 12_000 });
}

async function sendBySmtp(smtp: Transporter, config: MailConfig, { id, to, subject, text, html, ...mail }: OwedMail) {
  const content = { subject, text, ...(html !== undefined && { html }) };
  await smtp
    .sendMail({ messageId: `<${id}@${hostOf(config)}>`, from: senderOf(config, mail), to, ...content })
    .catch((error: unknown) => {
      throw isRefusedReceiver(error) ? new RefusedReceiver('the receiver was refused', { cause: error }) : error;
    });
}

/**
 * Whether the address itself is permanently bad: 5.1.x (RFC 3463) to RCPT TO. Any other refusal may come from our own
 * settings, and the owner must be told.
 */
function isRefusedReceiver(error: unknown): boolean {
  if (!(error instanceof Error) || !('command' in error) || !('response' in error)) return false;
  return error.command === 'RCPT TO' && /^5\d\d[ -]5\.1\.\d/.test(String(error.response));
}

/** Written under a temporary name first, so that nobody reads half a mail; the same mail again replaces itself. */
async function writeToFolder(
  folder: string,
  config: MailConfig,
  { id, to, subject, text, fromName }: OwedMail,
  at: Date,
) {
  const sender = senderOf(config, { fromName });
  const from = typeof sender === 'string' ? sender : `${sender.name} <${sender.address}>`;
  const filed: FiledMail = { id, at: at.toISOString(), from, to, subject, text };
  await mkdir(folder, { recursive: true, mode: 0o700 });
  const draft = join(folder, `${id}.${randomUUIDv7()}.draft`);
  await writeFile(draft, JSON.stringify(filed, null, 2), { mode: 0o600 });
  await rename(draft, fileOf(folder, id));
}

function senderOf(config: MailConfig, { fromName }: Pick<Message, 'fromName'>) {
  return config.MAIL_FROM ?? { name: fromName, address: `no-reply@${hostOf(config)}` };
}

/** The address that the shop's mails come from. */
export function senderAddress(config: MailConfig): string {
  const sender = senderOf(config, { fromName: '' });
  return typeof sender === 'string' ? (/<([^<>]+)>\s*$/.exec(sender)?.[1] ?? sender) : sender.address;
}

function hostOf({ APP_URL }: MailConfig): string {
  return APP_URL ? new URL(APP_URL).hostname : 'localhost';
}

function mailFolder({ dataDir }: MailConfig): string {
  return join(dataDir, 'mail');
}

function fileOf(folder: string, id: string): string {
  return join(folder, `${id}.json`);
}
