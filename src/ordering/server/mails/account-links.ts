import { randomBytes } from 'node:crypto';
import { m } from '#messages';
import { hashToken } from '#accounts/server/hash-password.ts';
import { greetingWords } from '#accounts/server/write-account-mail.ts';
import { findUserByEmail } from '#accounts/server/users.ts';
import { type MailContent, type MailLink, textToMailParts } from '#mail/mail-content.ts';
import type { WrittenMail } from '#mail/server/services.ts';
import type { Db, Tx } from '#database/schema.ts';
import { inTransaction } from '#database/transaction.ts';
import { selectGuestOrders } from '#ordering/server/order-views.ts';
import type { OrderRow } from '#ordering/server/present-order.ts';
import type { OrderServices } from '#ordering/server/services.ts';
import { languageOfPerson } from '#platform/language.ts';
import { runInLanguage } from '#platform/server/request-language.ts';

/** Milliseconds for which a link is valid. */
const validFor = 24 * 60 * 60_000;
interface WantedAccountLink {
  email: string;
  order_ids: string[];
}

type Services = Pick<OrderServices, 'config' | 'db' | 'jobs' | 'mail' | 'menus' | 'now'>;

/**
 * Queues a mail with a link that attaches orders to the address's account, or to a new account. Only the mail's job
 * looks up the account, so the response does not reveal whether one exists.
 */
export async function queueAccountLinkMail(
  { mail }: Pick<Services, 'mail'>,
  tx: Tx,
  wanted: WantedAccountLink,
): Promise<void> {
  await mail.owe(tx, { kind: 'account_link', to: wanted.email, about: { ...wanted } });
}

/**
 * Registers the writer of mails with account links. The writer makes the link only when the mail is sent, because links
 * are never stored.
 */
export function registerAccountLinkWriter(services: Services): void {
  // The cast is safe: only `queueAccountLinkMail` queues this kind of mail.
  services.mail.writtenBy(['account_link'], ({ about }) => writeLink(services, about as unknown as WantedAccountLink));
}

/** Moves jobs of an earlier release into the queue of mails. */
export async function migrateAccountLinkJobs(services: Pick<Services, 'db' | 'jobs' | 'mail'>): Promise<void> {
  const { db, jobs } = services;
  await jobs.work<WantedAccountLink>('account-link', (wanted) =>
    inTransaction(db, (tx) => queueAccountLinkMail(services, tx, wanted)),
  );
}

export interface FoundAccountLink {
  email: string;
  orders: OrderRow[];
}

/** Finds a mailed link by its token; null when the token is unknown, used or expired. `use` consumes the token. */
export async function findAccountLink(db: Db, token: string, now: Date, use?: 'use'): Promise<FoundAccountLink | null> {
  const hash = hashToken(token);
  const found = use
    ? db.deleteFrom('account_links').where('token_hash', '=', hash).where('expires_at', '>', now).returningAll()
    : db.selectFrom('account_links').selectAll().where('token_hash', '=', hash).where('expires_at', '>', now);
  const link = await found.executeTakeFirst();
  if (!link) return null;
  const orders = await selectGuestOrders(db).where('id', 'in', link.order_ids).orderBy('id', 'desc').execute();
  return { email: link.email, orders };
}

/** Writes the mail with a link; null if the orders were attached or erased since the request. */
async function writeLink(
  services: Services,
  { email, order_ids: ids }: WantedAccountLink,
): Promise<WrittenMail | null> {
  const { config, db, menus, now } = services;
  const [order] = await selectGuestOrders(db).where('id', 'in', ids).orderBy('id', 'desc').limit(1).execute();
  if (!order) return null;
  const user = await findUserByEmail(db, email);
  const known = await menus.store(db, order.store_id);
  const name = user?.name ?? order.contact.name;
  const hello = user?.email_verified_at ? user.name : '';
  const about = { shop: known?.store.name ?? '', number: String(order.number), name: hello };
  const language = languageOfPerson(user ?? order);
  const mail = (content: MailContent): WrittenMail => ({
    to: email,
    name,
    language,
    storeId: order.store_id,
    order: { id: order.id, number: order.number },
    content,
  });
  if (user && user.role !== 'customer') return mail(runInLanguage(language, () => accountLinkMail(about, 'staff')));
  const token = randomBytes(32).toString('base64url');
  await db
    .insertInto('account_links')
    .values({
      token_hash: hashToken(token),
      email,
      order_ids: ids,
      expires_at: new Date(now().getTime() + validFor),
    })
    .execute();
  const link = `${config.publicUrl}/account-link#token=${token}`;
  return mail(runInLanguage(language, () => accountLinkMail({ ...about, link }, user ? 'known' : 'new')));
}

interface About {
  shop: string;
  number: string;
  /** The recipient's name for the greeting; empty for an unconfirmed account, which may be a stranger's. */
  name: string;
  link?: string;
}

/**
 * The mail with a link. `whose`: the kind of account that has the address: none (`new`), a customer's (`known`), or one
 * of staff (`staff`). Staff accounts have no orders, so the mail to staff has no link.
 */
export function accountLinkMail({ link = '', name, ...rest }: About, whose: 'new' | 'known' | 'staff'): MailContent {
  const about = { ...rest, hello: greetingWords(name) };
  if (whose === 'staff') {
    return {
      subject: m.ordering_link_known_mail_subject(about),
      parts: textToMailParts(m.ordering_link_staff_mail(about)),
    };
  }
  const button = (words: string): MailLink => ({ words, link, isSecret: true });
  return whose === 'known'
    ? {
        subject: m.ordering_link_known_mail_subject(about),
        parts: textToMailParts(m.ordering_link_known_mail({ ...about, link }), button(m.ordering_mail_add_order())),
      }
    : {
        subject: m.ordering_link_mail_subject(about),
        parts: textToMailParts(m.ordering_link_mail({ ...about, link }), button(m.ordering_mail_open_link())),
      };
}
