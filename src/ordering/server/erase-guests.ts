import { sql } from 'kysely';
import { inTransaction } from '#database/transaction.ts';
import { doneStatuses, unfinishedStatuses } from '#ordering/order-status.ts';
import {
  erasePersonalOrderData,
  eraseUserFromOrders,
  lockOrder,
  recordGuestErasure,
  recordGuestErasureWithEvent,
} from '#ordering/server/change-orders.ts';
import { idempotencyKeyRetentionMs, presentOrderFor, readOrder } from '#ordering/server/order-calls.ts';
import {
  ordersEndedBefore,
  readOrderIdsOfCustomer,
  readIdentifyingTextsOfOrders,
} from '#ordering/server/order-views.ts';
import { deleteOrderFollows, deleteFollowsAndDevices, deleteUnusedPushDevices } from '#push/server/follows.ts';
import { storeDeadlineSettingsSql } from '#store/server/store-views.ts';
import { startSweep } from '#platform/server/sweep.ts';
import type { OrderSqlParts, OrderServices } from '#ordering/server/services.ts';
import { eraseAuditDetailsOf, eraseAuditMentions, identifyingTextsOf } from '#database/audit.ts';
import { recordErasure } from '#database/erasures.ts';
import type { Db, Tx } from '#database/schema.ts';
import { deleteMailsOfOrders, removeOrphanedMailFiles } from '#mail/server/mail-retention.ts';
import { m } from '#messages';
import type { orderEndpoints } from '#ordering/contract.ts';
import { AppError } from '#platform/errors.ts';
import type { HandlerInput } from '#platform/http/serve.ts';
import type { Order } from '#ordering/order.ts';
import { loadOrders, presentOrder } from '#ordering/server/present-order.ts';

/** Milliseconds between two sweeps. */
const every = 10 * 60_000;
const atOnce = 500;
/** Devices follow an ended order for this time (ms), because its state may still change. */
const followedFor = 24 * 60 * 60_000;

/**
 * Erases guests' details from finished orders older than their store's `keep_guest_days`. Orders that an account has
 * are erased with the account. Returns the number of changed orders.
 */
export async function eraseOldGuests(services: Pick<OrderServices, 'db' | 'now' | 'owed' | 'prints'>): Promise<number> {
  const { db } = services;
  const at = services.now();
  for (let forgotten = 0; ;) {
    const ids = await inTransaction(db, async (tx) => {
      const due = await tx
        .selectFrom('orders')
        .innerJoin(storeDeadlineSettingsSql.as('stores'), 'stores.id', 'orders.store_id')
        .select('orders.id')
        .where('orders.customer_id', 'is', null)
        .where('orders.forgotten_at', 'is', null)
        .where('orders.status', 'in', doneStatuses)
        .where(sql<boolean>`orders.created_at < ${at}::timestamptz - make_interval(days => stores.keep_guest_days)`)
        .limit(atOnce)
        .forUpdate('orders')
        .skipLocked()
        .execute();
      const found = due.map(({ id }) => id);
      await erasePeopleFromOrders(tx, services, found);
      if (found.length > 0) await recordGuestErasure(tx, found, at);
      return found;
    });
    forgotten += ids.length;
    if (ids.length < atOnce) return forgotten;
  }
}

/**
 * Starts the sweep that erases guests' details. The sweep also deletes unused customer names, old idempotency keys,
 * expired account links, push subscriptions to ended orders, and unused push devices.
 */
export function startGuestErasureSweep(
  services: Pick<OrderServices, 'clock' | 'db' | 'log' | 'now' | 'owed' | 'prints'>,
): {
  stop(): Promise<void>;
} {
  const { clock, log } = services;
  return startSweep({ name: 'guests', every, log, clock }, async () => {
    await eraseOldGuests(services);
    await deleteUnusedCustomerNames(services.db);
    const old = new Date(services.now().getTime() - idempotencyKeyRetentionMs);
    await services.db.deleteFrom('order_calls').where('at', '<', old).execute();
    await services.db.deleteFrom('account_links').where('expires_at', '<=', services.now()).execute();
    const ended = new Date(services.now().getTime() - followedFor);
    await deleteOrderFollows(services.db, ordersEndedBefore(ended));
    await deleteUnusedPushDevices(services.db, services.now());
  });
}

/** The services with which other domains erase their data about an order. */
type ForgetServices = Pick<OrderServices, 'owed' | 'prints'>;

/** Erases people from orders. The lines, prices, taxes, payments and times stay, because reports count them. */
export async function erasePeopleFromOrders(
  tx: Tx,
  { owed, prints }: ForgetServices,
  ids: readonly string[],
): Promise<void> {
  if (ids.length === 0) return;
  await prints.forget(tx, ids);
  await owed.forget(tx, ids);
  await erasePersonalOrderData(tx, ids);
  await deleteMailsOfOrders(tx, ids);
  await deleteFollowsAndDevices(tx, ids);
  await eraseAuditDetailsOf(tx, ids);
  await tx.deleteFrom('order_origins').where('order_id', 'in', ids).execute();
  await tx
    .deleteFrom('account_links')
    .where(sql<boolean>`order_ids && ${ids}::uuid[]`)
    .execute();
}

/**
 * Erases `names`, and the names and contacts of these orders' customers, from the audit log and from the prints of
 * drafts.
 */
async function forgetElsewhere(
  tx: Tx,
  { prints }: Pick<ForgetServices, 'prints'>,
  ids: readonly string[],
  names: readonly string[] = [],
): Promise<void> {
  const all = [...new Set([...names, ...(ids.length > 0 ? await readIdentifyingTextsOfOrders(tx, ids) : [])])];
  await prints.forgetDrafts(tx, all);
  await eraseAuditMentions(tx, all);
}

/**
 * Deletes customer names that no order uses. A name that another transaction has locked is left for the next run. An
 * order that needs a deleted name inserts it again, and need not wait for this deletion.
 */
export async function deleteUnusedCustomerNames(db: Db): Promise<void> {
  const newest = await db.selectFrom('order_names_left').select('id').orderBy('id', 'desc').limit(1).executeTakeFirst();
  for (let isDone = newest === undefined; !isDone;) {
    isDone = await inTransaction(db, async (tx) => {
      const { rows: left } = await sql<{ name: string }>`
        delete from order_names_left where id in (
          select id from order_names_left where id <= ${newest?.id} order by id limit ${atOnce} for update skip locked)
        returning name`.execute(tx);
      const names = [...new Set(left.map(({ name }) => name))];
      const { rows: held } = await sql<{ id: string }>`
        select id from order_names where name = any(${names}::text[]) for update skip locked`.execute(tx);
      const ids = held.map(({ id }) => id);
      // The deletion is a separate statement with a newer snapshot. So it sees the orders of transactions that ended
      // just before these rows were locked.
      await sql`
        delete from order_names n where id = any(${ids}::bigint[])
          and not exists (select from order_search s where s.name = n.name and s.name <> '')`.execute(tx);
      await sql`
        insert into order_names_left (name)
        select distinct name from order_names where name = any(${names}::text[]) and id <> all(${ids}::bigint[])`.execute(
        tx,
      );
      return left.length < atOnce;
    });
  }
}

type Services = Pick<OrderServices, 'config' | 'db' | 'orderParts' | 'outbox' | 'owed' | 'prints'>;

/**
 * Erases a guest from one order; a second call changes nothing. Throws 404 if there is no such order, and 409 while the
 * order is open or if an account has it.
 */
export async function eraseGuestOfOrder(
  services: Services,
  call: HandlerInput<typeof orderEndpoints, 'POST /v1/orders/{id}/forget', Db, Tx>,
) {
  const { db, params, now, afterCommit } = call;
  const order = await lockOrder(db, params.id);
  if (!order) throw new AppError('not_found', m.ordering_not_found());
  if (order.customer_id !== null) throw new AppError('conflict', m.ordering_forget_account());
  if (await eraseGuestOfEndedOrder(db, services, order.id, now)) {
    afterCommit(async () => {
      await deleteUnusedCustomerNames(services.db);
      await removeOrphanedMailFiles(services);
    });
  }
  return { data: presentOrderFor(await readOrder(services.orderParts, db, order.id), call, 'staff') };
}

/**
 * Erases the guest of an order. Returns false if the order does not exist, or its guest was erased before. Throws 409
 * `conflict` while the order is open.
 */
export async function eraseGuestOfEndedOrder(
  tx: Tx,
  services: Pick<Services, 'outbox' | 'owed' | 'prints'>,
  id: string,
  now: Date,
): Promise<boolean> {
  const order = await lockOrder(tx, id);
  if (!order) return false;
  if (!doneStatuses.includes(order.status)) throw new AppError('conflict', m.ordering_forget_open());
  if (order.forgotten_at !== null) return false;
  await forgetElsewhere(tx, services, [id]);
  await erasePeopleFromOrders(tx, services, [id]);
  await recordGuestErasureWithEvent(tx, services.outbox, order, now);
  await recordErasure(tx, 'order', id);
  return true;
}

interface Person {
  id: string;
}

interface NamedPerson extends Person {
  name: string;
  phone: string;
  email: string;
}

export function createOrderDataExports(parts: OrderSqlParts) {
  return {
    orders: async (db: Db, { user, now }: { user: Person; now: Date }): Promise<Order[]> => {
      const orders = await loadOrders(db, parts, await readOrderIdsOfCustomer(db, user.id));
      return orders.map((order) => presentOrder(order, 'customer', now, { withSession: true, readerId: user.id }));
    },
  };
}

export function createOrderDataEraser(services: ForgetServices) {
  return {
    /** Throws 409 `conflict` while an order of the person is open. */
    async refuse(tx: Tx, { id }: Person): Promise<void> {
      const open = await tx
        .selectFrom('orders')
        .select('id')
        .where('customer_id', '=', id)
        .where('status', 'in', unfinishedStatuses)
        .limit(1)
        .executeTakeFirst();
      if (open) throw new AppError('conflict', m.ordering_open_for_account());
    },
    async erase(tx: Tx, { id, ...named }: NamedPerson): Promise<void> {
      const ids = await readOrderIdsOfCustomer(tx, id);
      await forgetElsewhere(tx, services, ids, identifyingTextsOf([named]));
      await erasePeopleFromOrders(tx, services, ids);
      await eraseUserFromOrders(tx, id);
    },
  };
}
