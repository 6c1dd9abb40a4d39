import type { FastifyBaseLogger } from 'fastify';
import type { Jobs } from '#database/jobs/jobs.ts';
import type { Db, Tx } from '#database/schema.ts';
import type { MailKind } from '#database/mail-values.ts';
import type { MailContent, MailShop } from '#mail/mail-content.ts';
import type { Language } from '#platform/languages.ts';

export interface HasMailSender {
  mail: MailSender;
}

export interface MailSender {
  /** Queues a written mail in `tx`, the transaction of the change that the mail reports. */
  send(tx: Tx, mail: WrittenMail & { id?: string; kind: MailKind }): Promise<void>;
  /**
   * Queues a mail that is written only when it is sent, because its text must be current or must never be stored.
   * Further calls with the same `id` (UUID) do nothing.
   */
  owe(tx: Tx, mail: UnwrittenMail): Promise<void>;
  /**
   * Registers the writer of mails of these kinds. Must be called before `start`; the writer is called at each attempt
   * to send.
   */
  writtenBy(kinds: readonly MailKind[], write: MailWriter): void;
  start(): Promise<void>;
  stop(): void;
}

export interface UnwrittenMail {
  id?: string;
  kind: MailKind;
  orderId?: string | undefined;
  to?: string;
  about: Record<string, unknown>;
}

export interface WrittenMail {
  to: string;
  /** The recipient's name, for the office; empty if it is not known. */
  name: string;
  language: Language;
  /** The store whose name and colours the mail has; null: the first store. */
  storeId: string | null;
  order?: { id: string; number: number };
  content: MailContent;
}

/** Writes a queued mail; null: the mail is stale, or has no recipient. */
export type MailWriter = (owed: {
  id: string;
  kind: MailKind;
  about: Record<string, unknown>;
}) => Promise<WrittenMail | null>;

/** Reads the shop in whose name a mail is sent; the first store for null. */
export type ReadMailShop = (storeId: string | null) => Promise<MailShop>;

export type MailConfig = {
  SMTP_URL?: string | undefined;
  MAIL_FROM?: string | undefined;
  APP_URL?: string | undefined;
  dataDir: string;
};

export interface MailServices extends HasMailSender {
  config: MailConfig;
  db: Db;
  jobs: Jobs;
  log: FastifyBaseLogger;
  mailShop: ReadMailShop;
  now: () => Date;
}

/** Whether there is a mail server; without one, mail is only written to files. */
export function hasMailServer({ SMTP_URL }: Pick<MailConfig, 'SMTP_URL'>): boolean {
  return SMTP_URL !== undefined;
}

/** A mail's sender: `MAIL_FROM`, or the shop's name and an address at the host of `APP_URL`. */
export function mailFromField(config: MailConfig, shopName: string): string | { name: string; address: string } {
  return config.MAIL_FROM ?? { name: shopName, address: `no-reply@${mailHostOf(config)}` };
}

/** A mail's sender as a string: `Small Shop <no-reply@shop.example>`. */
export function mailFromWords(config: MailConfig, shopName: string): string {
  const sender = mailFromField(config, shopName);
  return typeof sender === 'string' ? sender : `${sender.name} <${sender.address}>`;
}

export function mailFromAddress(config: MailConfig): string {
  const sender = mailFromField(config, '');
  return typeof sender === 'string' ? (/<([^<>]+)>\s*$/.exec(sender)?.[1] ?? sender) : sender.address;
}

export function mailHostOf({ APP_URL }: Pick<MailConfig, 'APP_URL'>): string {
  return APP_URL ? new URL(APP_URL).hostname : 'localhost';
}
