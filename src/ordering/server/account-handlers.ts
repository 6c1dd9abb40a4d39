import { m } from '#messages';
import { sendAccountNotice } from '#accounts/server/account-mail.ts';
import { signInToAccount } from '#accounts/server/sign-ins.ts';
import { hashPassword } from '#accounts/server/hash-password.ts';
import { lockAccountRow, setPasswordByMailedLink } from '#accounts/server/account-data.ts';
import { countAttempt, resetCountsAfterSuccess } from '#accounts/server/throttle.ts';
import { fillMissingUserFields, findUserByEmail, insertUser, type UserRow } from '#accounts/server/users.ts';
import { Email } from '#platform/contact-fields.ts';
import type { Db, Tx } from '#database/schema.ts';
import { inTransaction, changeWithEffects } from '#database/transaction.ts';
import type { accountLinkEndpoints } from '#ordering/contract.ts';
import { queueAccountLinkMail, findAccountLink, type FoundAccountLink } from '#ordering/server/mails/account-links.ts';
import { isSessionOfOrder, orderAccessRefusal } from '#ordering/server/order-calls.ts';
import { findOrder, selectGuestOrders } from '#ordering/server/order-views.ts';
import type { OrderRow } from '#ordering/server/present-order.ts';
import type { OrderServices } from '#ordering/server/services.ts';
import { callerNetwork } from '#platform/server/client-address.ts';
import { hasMailServer } from '#mail/server/services.ts';
import { AppError, invalidFieldError } from '#platform/errors.ts';
import type { HandlerInput, Handlers } from '#platform/http/serve.ts';
import { attachOrdersToAccount } from '#ordering/server/change-orders.ts';
import { hashSession } from '#ordering/server/order-sessions.ts';

type Services = Pick<OrderServices, 'config' | 'db' | 'jobs' | 'log' | 'mail' | 'menus' | 'outbox'>;
type AccountCall<K extends keyof typeof accountLinkEndpoints> = HandlerInput<typeof accountLinkEndpoints, K, Db, Tx>;

/**
 * The calls that attach guest orders to an account. The caller proves the right to the orders by their sessions or by a
 * mailed link.
 */
export function orderAccountHandlers(services: Services): Handlers<typeof accountLinkEndpoints, Db, Tx> {
  return {
    'POST /v1/auth/user/orders': async ({ db, body, viewer, afterCommit }) => {
      const found = await guestOrdersOf(db, body.sessions);
      const ids = found.map(({ id }) => id);
      const attached = await attachOrders(db, services, ids, viewer.id ?? '');
      afterCommit(services.outbox.wake);
      return { data: await present(services, db, attached) };
    },

    'POST /v1/orders/{id}/account-link': (call) => askForLink(services, call),

    'POST /v1/account-links/read': async ({ db, body, now, address }) => {
      await countAttempt(db, 'account-link', { address }, now);
      const found = await inTransaction(db, async (tx) => {
        const link = await findAccountLink(tx, body.token, now);
        return link && { ...link, user: await findUserByEmail(tx, link.email) };
      });
      if (!found) throw invalidFieldError('token', m.ordering_link_refused());
      await resetCountsAfterSuccess(db, 'account-link', { address });
      const { email, orders, user } = found;
      return { data: { email, has_account: hasAccount(user), orders: await present(services, db, orders) } };
    },

    'POST /v1/account-links/use': (call) => useLink(services, call),
  };
}

async function askForLink(services: Services, call: AccountCall<'POST /v1/orders/{id}/account-link'>) {
  const { db, params, body, secret, now, address } = call;
  const order = await findOrder(db, params.id);
  if (!order) throw new AppError('not_found', m.ordering_not_found());
  if (!isSessionOfOrder(order, secret)) throw orderAccessRefusal(call);
  if (order.customer_id !== null || order.placed_by !== null)
    throw new AppError('conflict', m.ordering_link_in_account());
  const email = Email.safeParse(order.contact.email).data;
  if (email === undefined) throw new AppError('conflict', m.ordering_link_no_email());
  await countAttempt(db, 'account-link', { email, address }, now);
  const others = await guestOrdersOf(db, body.sessions);
  const ids = [...new Set([order.id, ...others.map(({ id }) => id)])];
  await inTransaction(db, (tx) => queueAccountLinkMail(services, tx, { email, order_ids: ids }));
  return {
    message: hasMailServer(services.config) ? m.ordering_link_sent({ email }) : m.ordering_link_unsent({ email }),
  };
}

async function useLink(services: Services, call: AccountCall<'POST /v1/account-links/use'>) {
  const { db, body, now, address, secret } = call;
  await countAttempt(db, 'account-link', { address }, now);
  if (!(await findAccountLink(db, body.token, now))) throw invalidFieldError('token', m.ordering_link_refused());
  const passwordHash = body.password === undefined ? null : await hashPassword(body.password, callerNetwork(address));
  const { user, orders, isPasswordNew } = await changeWithEffects(services, async (tx, afterCommit) => {
    const link = await findAccountLink(tx, body.token, now, 'use');
    if (!link) throw invalidFieldError('token', m.ordering_link_refused());
    const owner = await accountFor(services, tx, link, { passwordHash, device: secret, now });
    const ids = link.orders.map(({ id }) => id);
    afterCommit(services.outbox.wake);
    return { ...owner, orders: await attachOrders(tx, services, ids, owner.user.id) };
  });
  await resetCountsAfterSuccess(db, 'account-link', { address });
  const data = { orders: await present(services, db, orders) };
  if (!isPasswordNew) return { data: { ...data, signed_in: null } };
  return { data: { ...data, signed_in: await signInToAccount(services, db, user, call, 'beginning') } };
}

/** Whether a user's account is confirmed. A link does not change the password of a confirmed account. */
function hasAccount(user: UserRow | undefined): boolean {
  return user?.email_verified_at !== undefined && user.email_verified_at !== null;
}

interface Owner {
  user: UserRow;
  /** Whether this call has set the account's password; its caller is then signed in. */
  isPasswordNew: boolean;
}

/**
 * Returns the account with the link's address, or a new account. An unconfirmed account is confirmed and gets the new
 * password, because a stranger may have registered it.
 */
async function accountFor(
  services: Services,
  tx: Tx,
  { email, orders }: FoundAccountLink,
  { passwordHash, device, now }: { passwordHash: string | null; device: string | null; now: Date },
): Promise<Owner> {
  const user = await findUserByEmail(tx, email);
  if (user && user.role !== 'customer') throw new AppError('conflict', m.ordering_link_staff());
  if (user && hasAccount(user)) return { user, isPasswordNew: false };
  if (passwordHash === null) throw invalidFieldError('password', m.accounts_password_missing());
  if (user) {
    const taken = await setPasswordByMailedLink(tx, { userId: user.id, passwordHash, device, now });
    await sendAccountNotice(tx, services, 'password_changed', taken);
    return { user: taken, isPasswordNew: true };
  }
  const [newest] = orders;
  if (!newest) throw invalidFieldError('token', m.ordering_link_refused());
  const { name, phone } = newest.contact;
  const created = await insertUser(tx, {
    name,
    email,
    phone,
    role: 'customer',
    passwordHash,
    locale: newest.locale,
    emailVerifiedAt: now,
    createdAt: now,
  });
  if (!created) throw new AppError('conflict', m.ordering_link_again());
  return { user: created, isPasswordNew: true };
}

async function present({ menus }: Services, db: Db, orders: readonly OrderRow[]) {
  const currencies = new Map<string, string>();
  for (const id of new Set(orders.map(({ store_id: storeId }) => storeId))) {
    const known = await menus.store(db, id);
    if (known) currencies.set(id, known.store.currency);
  }
  return orders.map((order) => ({
    id: order.id,
    number: String(order.number),
    placed_at: order.placed_at?.toISOString() ?? null,
    total: order.total,
    currency: currencies.get(order.store_id) ?? '',
  }));
}

/**
 * Attaches guest orders to an account. The newest order fills the account's missing phone and address. Orders of
 * another account are skipped. Returns those of `ids` that the account now has, newest first.
 */
async function attachOrders(
  tx: Tx,
  { outbox }: Pick<OrderServices, 'outbox'>,
  ids: readonly string[],
  userId: string,
): Promise<OrderRow[]> {
  if (ids.length === 0) return [];
  await lockAccountRow(tx, userId);
  const attached = await attachOrdersToAccount(tx, outbox, ids, userId);
  const [newest] = attached;
  if (newest) await fillMissingUserFields(tx, userId, { phone: newest.contact.phone, address: newest.address });
  return tx
    .selectFrom('orders')
    .selectAll()
    .where('id', 'in', ids)
    .where('customer_id', '=', userId)
    .orderBy('id', 'desc')
    .execute();
}

async function guestOrdersOf(db: Db, sessions: readonly string[]): Promise<OrderRow[]> {
  if (sessions.length === 0) return [];
  return selectGuestOrders(db).where('session_hash', 'in', sessions.map(hashSession)).orderBy('id', 'desc').execute();
}
