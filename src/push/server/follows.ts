import { type RawBuilder, sql } from 'kysely';
import { m } from '#messages';
import type { OrderPushKind } from '#database/column-values.ts';
import type { Db, Tx } from '#database/schema.ts';
import { AppError } from '#platform/errors.ts';

/** The maximum number of devices that follow one order, enough for a household. */
const maxPerOrder = 5;

/** Subscribes a device to notifications about an order. Throws 409 if the order has the maximum number of devices. */
export async function followOrder(tx: Tx, orderId: string, subscriptionId: string, now: Date): Promise<void> {
  const others = await tx
    .selectFrom('push_follows')
    .select('subscription_id')
    .where('order_id', '=', orderId)
    .where('subscription_id', '!=', subscriptionId)
    .execute();
  if (others.length >= maxPerOrder) throw new AppError('conflict', m.push_too_many());
  await tx
    .insertInto('push_follows')
    .values({ order_id: orderId, subscription_id: subscriptionId, created_at: now })
    .onConflict((conflict) => conflict.doNothing())
    .execute();
}

/**
 * Unsubscribes an endpoint's device from notifications about this order, and about all orders of the device's account.
 * A device without other subscriptions is deleted.
 */
export async function unfollowOrder(tx: Tx, orderId: string, endpoint: string): Promise<void> {
  const row = await tx
    .selectFrom('push_subscriptions')
    .select('id')
    .where('endpoint', '=', endpoint)
    .executeTakeFirst();
  if (!row) return;
  await tx.updateTable('push_subscriptions').set({ wants_own_orders: false }).where('id', '=', row.id).execute();
  await tx.deleteFrom('push_follows').where('order_id', '=', orderId).where('subscription_id', '=', row.id).execute();
  await sql`delete from push_subscriptions s where id = ${row.id} and ${isUnused}`.execute(tx);
}

/**
 * Queues a notification about a changed order for each device that follows the order, or all orders of the customer.
 * Runs in the transaction of the change, and replaces an older notification that is not sent yet.
 */
export async function queueOrderNotifications(
  tx: Tx,
  { orderId, customerId, news, now }: { orderId: string; customerId: string | null; news: OrderPushKind; now: Date },
): Promise<void> {
  if (customerId !== null) {
    await sql`
      insert into push_follows (order_id, subscription_id, created_at)
      select ${orderId}, id, ${now} from push_subscriptions where user_id = ${customerId} and wants_own_orders
      on conflict do nothing`.execute(tx);
  }
  await tx
    .updateTable('push_follows')
    .set((eb) => ({ news, owed_at: now, round: eb('round', '+', 1) }))
    .where('order_id', '=', orderId)
    .execute();
}

export interface QueuedOrderNotification {
  order_id: string;
  subscription_id: string;
  round: number;
  news: OrderPushKind;
  owed_at: Date;
  locale: string;
}

/** An SQL condition: whether a notification about an order waits to be passed to the job queue. */
export const isOrderNotificationQueuedSql = sql<boolean>`exists (select from push_follows where owed_at is not null)`;

/** Claims queued notifications, in the transaction that passes them to the job queue. */
export async function claimOrderNotifications(tx: Tx, limit: number): Promise<QueuedOrderNotification[]> {
  const { rows } = await sql<QueuedOrderNotification>`
    with owed as (
      select order_id, subscription_id, owed_at from push_follows
      where owed_at is not null order by owed_at limit ${limit} for update skip locked
    ), taken as (
      update push_follows f set owed_at = null from owed
      where f.order_id = owed.order_id and f.subscription_id = owed.subscription_id
      returning f.order_id, f.subscription_id, f.round, f.news, owed.owed_at
    )
    select taken.*, s.locale from taken join push_subscriptions s on s.id = taken.subscription_id`.execute(tx);
  return rows;
}

/** The number of the last notification to a device about an order; null: the device does not follow the order. */
export async function readLastNotificationNumber(
  db: Db,
  orderId: string,
  subscriptionId: string,
): Promise<number | null> {
  const row = await db
    .selectFrom('push_follows')
    .select('round')
    .where('order_id', '=', orderId)
    .where('subscription_id', '=', subscriptionId)
    .executeTakeFirst();
  return row?.round ?? null;
}

/** Unsubscribes all devices from these orders. `orderIds`: an SQL query that selects the orders' ids. */
export async function deleteOrderFollows(db: Db, orderIds: RawBuilder<unknown>): Promise<void> {
  await sql`delete from push_follows where order_id in (${orderIds})`.execute(db);
}

/** Unsubscribes all devices from erased customers' orders, and deletes devices without other subscriptions. */
export async function deleteFollowsAndDevices(tx: Tx, orderIds: readonly string[]): Promise<void> {
  const ended = await tx
    .deleteFrom('push_follows')
    .where('order_id', 'in', orderIds)
    .returning('subscription_id')
    .execute();
  const devices = ended.map(({ subscription_id: id }) => id);
  await sql`delete from push_subscriptions s where id = any(${devices}::uuid[]) and ${isUnused}`.execute(tx);
}

/** Deletes devices without subscriptions, except new ones, which may be about to follow an order. */
export async function deleteUnusedPushDevices(db: Db, now: Date): Promise<void> {
  await sql`
    delete from push_subscriptions s where created_at < ${new Date(now.getTime() - 60_000)} and ${isUnused}`.execute(
    db,
  );
}

const isUnused = sql`not s.wants_own_orders and not s.wants_new_orders
  and not exists (select from push_follows f where f.subscription_id = s.id)`;
