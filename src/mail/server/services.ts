import type { FastifyBaseLogger } from 'fastify';
import type { Jobs } from '#database/jobs/jobs.ts';
import type { Db, Tx } from '#database/schema.ts';
import type { MailKind } from '#database/mail-values.ts';
import type { MailContent, MailShop } from '#mail/mail-content.ts';
import type { Language } from '#platform/languages.ts';

/** The services of every domain that sends mail. */
export interface Sending {
  mail: Mail;
}

export interface Mail {
  /** Queues a mail whose text is known; in `tx`, so it is sent exactly if the change is made. */
  send(tx: Tx, mail: WrittenMail & { id?: string; kind: MailKind }): Promise<void>;
  /**
   * Queues a mail that is written when it is sent: its text must be true then, or must never be stored. With an `id`, a
   * UUID, a second call does nothing.
   */
  owe(tx: Tx, mail: QueuedMail): Promise<void>;
  /** Registers the writer of mails of these kinds: called at each try, and once before `start`. */
  writtenBy(kinds: readonly MailKind[], write: MailWriter): void;
  /** Starts sending. */
  start(): Promise<void>;
  /** Closes the connections to the mail server. */
  stop(): void;
}

export interface QueuedMail {
  id?: string;
  kind: MailKind;
  orderId?: string | undefined;
  /** The receiver, if known. */
  to?: string;
  about: Record<string, unknown>;
}

export interface WrittenMail {
  to: string;
  /** The receiver's name, for the office; empty if unknown. */
  name: string;
  language: Language;
  /** Whose name and colours it has; null: the first store's. */
  storeId: string | null;
  order?: { id: string; number: number };
  content: MailContent;
}

/** Returns null if there is nothing to say any more, or nobody to say it to. */
export type MailWriter = (owed: {
  id: string;
  kind: MailKind;
  about: Record<string, unknown>;
}) => Promise<WrittenMail | null>;

/** The shop of a mail, which depends on stores and is passed in. Without an id, the first one. */
export type ReadMailShop = (storeId: string | null) => Promise<MailShop>;

export type MailConfig = {
  SMTP_URL?: string | undefined;
  MAIL_FROM?: string | undefined;
  APP_URL?: string | undefined;
  dataDir: string;
};

export interface MailServices extends Sending {
  config: MailConfig;
  db: Db;
  jobs: Jobs;
  log: FastifyBaseLogger;
  mailShop: ReadMailShop;
  now: () => Date;
}

/** Whether mail is sent at all: without a mail server it is only written to files, which nobody gets. */
export function sendsMail({ SMTP_URL }: Pick<MailConfig, 'SMTP_URL'>): boolean {
  return SMTP_URL !== undefined;
}

/** A mail's sender: `MAIL_FROM`, or the shop's name and an address at the host of `APP_URL`. */
export function senderOf(config: MailConfig, shopName: string): string | { name: string; address: string } {
  return config.MAIL_FROM ?? { name: shopName, address: `no-reply@${hostOf(config)}` };
}

/** The same as words: `Small Shop <no-reply@shop.example>`. */
export function senderWords(config: MailConfig, shopName: string): string {
  const sender = senderOf(config, shopName);
  return typeof sender === 'string' ? sender : `${sender.name} <${sender.address}>`;
}

/** The address that the shop's mails come from. */
export function senderAddress(config: MailConfig): string {
  const sender = senderOf(config, '');
  return typeof sender === 'string' ? (/<([^<>]+)>\s*$/.exec(sender)?.[1] ?? sender) : sender.address;
}

export function hostOf({ APP_URL }: Pick<MailConfig, 'APP_URL'>): string {
  return APP_URL ? new URL(APP_URL).hostname : 'localhost';
}
