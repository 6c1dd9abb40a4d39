import { type RawBuilder, sql } from 'kysely';
import { m } from '#messages';
import { staffIdsOfStore } from '#accounts/server/users.ts';
import type { Tx } from '#database/schema.ts';
import { inTransaction } from '#database/transaction.ts';
import { storeBoardsChannel } from '#kitchen/channels.ts';
import { unansweredOrdersSql } from '#ordering/server/order-views.ts';
import { timeWords } from '#platform/date-words.ts';
import { queuePushMessage } from '#push/server/push.ts';
import { findDevicesForNewOrders } from '#push/server/subscriptions.ts';
import type { Store } from '#store/contract.ts';
import { boardContactMaxAgeMs } from '#watch/board-watch.ts';
import type { WatchServices } from '#watch/server/services.ts';

type Services = Pick<WatchServices, 'db' | 'jobs' | 'menus' | 'now' | 'realtime'>;

/** Milliseconds until devices are notified again of an unanswered order. */
const againAfter = 2 * 60_000;

/** The ids of stores whose devices must be notified of unanswered orders, as JSON; null: there are none. */
export function selectStoresWithOrdersToPush(now: Date): RawBuilder<string[] | null> {
  return sql`
    select json_agg(distinct orders.store_id) from ${unansweredOrdersSql} as orders
      left join order_watches as w on w.order_id = orders.id
      left join board_watches as b on b.store_id = orders.store_id
    where ${isUntold(now)} and (b.seen_at is null or b.seen_at <= ${freshSince(now)})`;
}

/**
 * Notifies the staff's devices of waiting orders while no board is on: at once, and then every two minutes until an
 * answer. In each round only one instance notifies of an order.
 */
export async function pushNewOrders(services: Services, storeIds: readonly string[]): Promise<void> {
  const { db, menus, realtime } = services;
  for (const id of storeIds) {
    const known = realtime.countMembers(storeBoardsChannel(id)) > 0 ? null : await menus.shop(id);
    if (known) await inTransaction(db, (tx) => pushOf(tx, services, known.store));
  }
}

async function pushOf(tx: Tx, { jobs, now }: Services, store: Store): Promise<void> {
  await tx
    .insertInto('board_watches')
    .values({ store_id: store.id })
    .onConflict((conflict) => conflict.column('store_id').doNothing())
    .execute();
  // The row is locked until the transaction ends, so that instances notify one after the other.
  const watch = await tx
    .selectFrom('board_watches')
    .select('seen_at')
    .where('store_id', '=', store.id)
    .forUpdate()
    .executeTakeFirstOrThrow();
  const at = now();
  if (watch.seen_at !== null && watch.seen_at > freshSince(at)) return;
  const waiting = await tx
    .selectFrom(unansweredOrdersSql.as('orders'))
    .leftJoin('order_watches as w', 'w.order_id', 'orders.id')
    .select(['orders.id', 'orders.number', 'orders.answer_by', isUntold(at).as('is_untold')])
    .where('orders.store_id', '=', store.id)
    .orderBy('orders.answer_by')
    .execute();
  const [first] = waiting;
  if (!first || !waiting.some(({ is_untold }) => is_untold)) return;
  await tx
    .insertInto('order_watches')
    .values(waiting.map(({ id }) => ({ order_id: id, pushed_at: at })))
    .onConflict((conflict) => conflict.column('order_id').doUpdateSet({ pushed_at: at }))
    .execute();
  const count = waiting.length;
  const message = {
    title: m.watch_push_title({ count, shop: store.name }),
    body: m.watch_push({
      numbers: waiting.map(({ number }) => `#${number}`).join(', '),
      time: timeWords(first.answer_by, store.timezone),
    }),
    tag: `new-orders ${store.id}`,
    url: '/store/orders',
    lang: 'en',
  };
  for (const device of await findDevicesForNewOrders(tx, await staffIdsOfStore(tx, store.id))) {
    await queuePushMessage(tx, jobs, {
      subscription_id: device,
      about: null,
      message,
      urgency: 'high',
      topic: store.id.replaceAll('-', ''),
      // The message is useless after this time, at which the devices are notified again.
      until: new Date(at.getTime() + againAfter).toISOString(),
    });
  }
}

function isUntold(now: Date): RawBuilder<boolean> {
  return sql`(w.pushed_at is null or w.pushed_at <= ${new Date(now.getTime() - againAfter)})`;
}

function freshSince(now: Date): Date {
  return new Date(now.getTime() - boardContactMaxAgeMs);
}
