import { randomBytes } from 'node:crypto';
import { m } from '#messages';
import { hashToken } from '#accounts/server/hash-token.ts';
import { findUserByEmail } from '#accounts/server/users.ts';
import { unsentMail } from '#database/mail/mail.ts';
import type { Tx } from '#database/schema.ts';
import { guestOrders } from '#ordering/server/order-views.ts';
import type { OrderRow } from '#ordering/server/present-order.ts';
import type { OrderServices } from '#ordering/server/services.ts';
import { languageOfPerson } from '#platform/language.ts';
import { inLanguage } from '#platform/server/request-language.ts';

/** Milliseconds. */
const validFor = 24 * 60 * 60_000;
const queue = 'account-link';

interface WantedAccountLink {
  email: string;
  order_ids: string[];
}

type Services = Pick<OrderServices, 'config' | 'db' | 'jobs' | 'mail' | 'menus' | 'now'>;

/**
 * Queues a link to this address that puts orders into its account, or a new one. Whether it has one is checked later, by the
 * job: the answer and its time are the same.
 */
export async function askForAccountLink(
  { jobs }: Pick<Services, 'jobs'>,
  tx: Tx,
  wanted: WantedAccountLink,
): Promise<void> {
  await jobs.send<WantedAccountLink>(tx, queue, wanted, { givenUpTo: unsentMail });
}

/** Starts sending the queued links. The token is made here, so that no queue stores it. */
export async function startAccountLinks(services: Services): Promise<void> {
  await services.jobs.work<WantedAccountLink>(queue, (wanted) => sendLink(services, wanted), { batchSize: 1 });
}

export interface FoundLink {
  email: string;
  /** Those of its orders that are in no account; newest first. */
  orders: OrderRow[];
}

/** null when the link is unknown, used or expired. With `use` it is used up. */
export async function findAccountLink(tx: Tx, token: string, now: Date, use?: 'use'): Promise<FoundLink | null> {
  const hash = hashToken(token);
  const found = use
    ? tx.deleteFrom('account_links').where('token_hash', '=', hash).where('expires_at', '>', now).returningAll()
    : tx.selectFrom('account_links').selectAll().where('token_hash', '=', hash).where('expires_at', '>', now);
  const link = await found.executeTakeFirst();
  if (!link) return null;
  const orders = await guestOrders(tx).where('id', 'in', link.order_ids).orderBy('id', 'desc').execute();
  return { email: link.email, orders };
}

async function sendLink(services: Services, { email, order_ids: ids }: WantedAccountLink): Promise<void> {
  const { config, db, mail, menus, now } = services;
  const [order] = await guestOrders(db).where('id', 'in', ids).orderBy('id', 'desc').limit(1).execute();
  // It has come into an account, or was forgotten, since the link was asked for.
  if (!order) return;
  const user = await findUserByEmail(db, email);
  const shop = (await menus.store(db, order.store_id))?.store.name ?? '';
  const about = { shop, number: String(order.number), name: user?.name ?? order.contact.name };
  const language = languageOfPerson(user ?? order);
  if (user && user.role !== 'customer') {
    await mail.deliver({ to: email, fromName: shop, ...inLanguage(language, () => staffWords(about)) });
    return;
  }
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
  const write = user ? knownWords : newWords;
  await mail.deliver({ to: email, fromName: shop, ...inLanguage(language, () => write({ ...about, link })) });
}

interface About {
  shop: string;
  number: string;
  name: string;
}

function newWords(about: About & { link: string }) {
  return { subject: m.ordering_link_mail_subject(about), text: m.ordering_link_mail(about) };
}

function knownWords(about: About & { link: string }) {
  return { subject: m.ordering_link_known_mail_subject(about), text: m.ordering_link_known_mail(about) };
}

function staffWords(about: About) {
  return { subject: m.ordering_link_known_mail_subject(about), text: m.ordering_link_staff_mail(about) };
}
