import type { MailConfig } from '#mail/server/services.ts';

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
