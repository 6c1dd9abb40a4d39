import { sql } from 'kysely';
import { m } from '#messages';
import type { OrderPushKind } from '#database/column-values.ts';
import type { DueWork } from '#database/jobs/due-work.ts';
import { inTransaction } from '#database/transaction.ts';
import { isCalledOff } from '#ordering/order-status.ts';
import { orderRefundWords, promisedTimeRange, promiseWords, removedDishesMoneyWords } from '#ordering/order-words.ts';
import { loadOrders, presentGuestOrder, type OrderRow, type LoadedOrder } from '#ordering/server/present-order.ts';
import type { OrderServices } from '#ordering/server/services.ts';
import { languageOfPerson } from '#platform/language.ts';
import { runInLanguage } from '#platform/server/request-language.ts';
import {
  isOrderNotificationQueuedSql,
  claimOrderNotifications,
  type QueuedOrderNotification,
} from '#push/server/follows.ts';
import { type PushJob, queuePushMessage } from '#push/server/push.ts';
import type { Store } from '#store/contract.ts';

const atOnce = 100;
const minutes = 60_000;

/**
 * Due work that queues a push message for every device that follows an order with news. The work runs separately from
 * the transaction that changed the order.
 */
export function createOrderPushWork(
  services: Pick<OrderServices, 'db' | 'jobs' | 'menus' | 'now' | 'orderParts'>,
): DueWork<boolean> {
  const { db, jobs, menus, now, orderParts } = services;
  return {
    name: 'order news',
    due: () => sql`${isOrderNotificationQueuedSql}`,
    work: () =>
      inTransaction(db, async (tx) => {
        const owed = await claimOrderNotifications(tx, atOnce);
        const ids = [...new Set(owed.map(({ order_id }) => order_id))];
        const orders = new Map((await loadOrders(tx, orderParts, ids)).map((one) => [one.row.id, one]));
        for (const news of owed) {
          const order = orders.get(news.order_id);
          const known = order && (await menus.store(tx, order.row.store_id));
          const job = known && orderPushJob(news, order, known.store, now());
          if (job) await queuePushMessage(tx, jobs, job);
        }
      }),
  };
}

/** The push message about an order's news, from the order's current data; null if the news is stale. */
export function orderPushJob(
  owed: QueuedOrderNotification,
  whole: LoadedOrder,
  store: Store,
  now: Date,
): PushJob | null {
  const { order_id: id, round, news } = owed;
  const { row } = whole;
  if (isCalledOff(row.status) !== (news === 'rejected' || news === 'cancelled')) return null;
  const lang = languageOfPerson(owed);
  const words = runInLanguage(lang, () => ({
    title: m.ordering_push_title({ number: row.number, shop: store.name }),
    body: newsWords(news, whole, store, now).join(' '),
  }));
  return {
    subscription_id: owed.subscription_id,
    about: { order_id: id, round },
    message: { ...words, tag: id, url: `/orders/${id}`, lang },
    urgency: news === 'promised' || news === 'changed' ? 'normal' : 'high',
    // The dashes are removed, because a topic has at most 32 characters.
    topic: id.replaceAll('-', ''),
    until: usefulUntil(news, row, store, now).toISOString(),
  };
}

function newsWords(news: OrderPushKind, whole: LoadedOrder, store: Store, now: Date): string[] {
  const order = presentGuestOrder(whole);
  const promise = order.promised_at === null ? [] : [`${promiseWords(order, order.promised_at, now, store)}.`];
  const moneyBack = orderRefundWords(order, store.currency);
  const money = moneyBack === null ? [] : [moneyBack];
  switch (news) {
    case 'accepted':
      return [m.ordering_push_accepted(), ...promise];
    case 'promised':
      return [m.ordering_push_promised(), ...promise];
    case 'changed': {
      const count = order.removed.reduce((sum, { quantity }) => sum + quantity, 0);
      const after = removedDishesMoneyWords(order, store.currency);
      return [m.ordering_push_changed({ count }), ...(after === null ? [] : [after])];
    }
    case 'ready':
      return [m.ordering_push_ready()];
    case 'on_its_way':
      return [m.ordering_push_on_its_way(), ...promise];
    case 'not_ready':
      return [m.ordering_push_not_ready()];
    case 'rejected':
      return [m.ordering_push_rejected(), ...money];
    case 'cancelled':
      return [m.ordering_push_cancelled(), ...money];
  }
}

/** The time after which a message is useless. A device that is offline until then never gets it. */
function usefulUntil(news: OrderPushKind, row: OrderRow, store: Store, now: Date): Date {
  const after = (duration: number) => now.getTime() + duration;
  if (news === 'rejected' || news === 'cancelled') return new Date(after(24 * 60 * minutes));
  if (news === 'ready') return new Date(after(120 * minutes));
  const promised = row.promised_at?.toISOString() ?? now.toISOString();
  const order = { ...row, requested_for: row.requested_for?.toISOString() ?? null };
  const { to } = promisedTimeRange(promised, order, store.slot_minutes);
  const extra = news === 'on_its_way' || news === 'not_ready' ? 30 * minutes : 0;
  return new Date(Math.max(after(10 * minutes), new Date(to).getTime() + extra));
}
