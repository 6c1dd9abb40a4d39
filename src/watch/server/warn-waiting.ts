import { type RawBuilder, sql } from 'kysely';
import { m } from '#messages';
import { inTransaction } from '#database/transaction.ts';
import { pressesFor } from '#kitchen/board-alarms.ts';
import { unansweredOrders } from '#ordering/server/order-views.ts';
import { timeWords } from '#platform/date-words.ts';
import { storeTimes } from '#store/server/store-views.ts';
import { type Alert, alertOwner } from '#alerts/server/alert-owner.ts';
import type { Store } from '#store/contract.ts';
import type { WatchServices } from '#watch/server/services.ts';

/** One alert covers all orders waiting then; the next one is sent after this long (milliseconds), or for an order whose time runs out before. */
const quietFor = 10 * 60_000;

interface WaitingOrder {
  id: string;
  store_id: string;
  number: number;
  answer_by: Date;
  heard_at: Date | null;
  presses: boolean;
}

/** Whether there may be such orders. */
export function areWaiting(now: Date): RawBuilder<boolean> {
  return sql`exists (
    select from ${unansweredOrders} as orders join ${storeTimes} as stores on stores.id = orders.store_id
      left join order_watches as w on w.order_id = orders.id
    where w.warned_at is null and ${halfGone(now)})`;
}

/**
 * Tells the owner of each order that was not answered for half of its answer minutes, whether or not somebody at a
 * board acknowledged it: its deadline stays the same. Returns how many orders it reported.
 */
export async function warnOfWaiting(
  services: Pick<WatchServices, 'admins' | 'config' | 'db' | 'jobs' | 'mail' | 'menus' | 'now'>,
): Promise<number> {
  const { db } = services;
  const stores = await db
    .selectFrom(unansweredOrders.as('orders'))
    .innerJoin(storeTimes.as('stores'), 'stores.id', 'orders.store_id')
    .select('orders.store_id')
    .distinct()
    .where(halfGone(services.now()))
    .execute();
  let told = 0;
  for (const { store_id: storeId } of stores) told += await warnStore(services, storeId);
  return told;
}

/** The minutes the shop has to answer; for a pre-order placed at night, without the night before them. */
function halfGone(now: Date) {
  return sql<boolean>`orders.answer_by - make_interval(secs => stores.answer_minutes * 30) <= ${now}`;
}

/** Whether the owner must be told now, so that there is time left to act. */
function presses(now: Date) {
  return sql<boolean>`orders.answer_by - make_interval(secs => ${pressesFor / 1000}) <= ${now}`;
}

async function warnStore(
  services: Pick<WatchServices, 'admins' | 'config' | 'db' | 'jobs' | 'mail' | 'menus' | 'now'>,
  storeId: string,
): Promise<number> {
  const shop = await services.menus.shop(storeId);
  if (!shop) return 0;
  const { store } = shop;
  return inTransaction(services.db, async (tx) => {
    await tx
      .insertInto('board_watches')
      .values({ store_id: storeId })
      .onConflict((conflict) => conflict.column('store_id').doNothing())
      .execute();
    const watch = await tx
      .selectFrom('board_watches')
      .select('warned_at')
      .where('store_id', '=', storeId)
      .forUpdate()
      .executeTakeFirstOrThrow();
    // Another instance may have held the row for a while.
    const now = services.now();
    const waiting: WaitingOrder[] = await tx
      .selectFrom(unansweredOrders.as('orders'))
      .innerJoin(storeTimes.as('stores'), 'stores.id', 'orders.store_id')
      .leftJoin('order_watches as w', 'w.order_id', 'orders.id')
      .select(['orders.id', 'orders.store_id', 'orders.number', 'w.heard_at'])
      .select([sql<Date>`orders.answer_by`.as('answer_by'), presses(now).as('presses')])
      .where('orders.store_id', '=', storeId)
      .where('w.warned_at', 'is', null)
      .where(halfGone(now))
      .orderBy('orders.answer_by')
      .execute();
    if (waiting.length === 0) return 0;
    const isQuiet = watch.warned_at !== null && now.getTime() - watch.warned_at.getTime() < quietFor;
    if (isQuiet && !waiting.some((order) => order.presses)) return 0;
    await tx
      .insertInto('order_watches')
      .values(waiting.map(({ id }) => ({ order_id: id, warned_at: now })))
      .onConflict((conflict) => conflict.column('order_id').doUpdateSet({ warned_at: now }))
      .execute();
    await tx.updateTable('board_watches').set({ warned_at: now }).where('store_id', '=', storeId).execute();
    await alertOwner(tx, services, () => waitingAlert(services.config, store, waiting));
    return waiting.length;
  });
}

/** `waiting` begins with the order whose time runs out first. */
export function waitingAlert(
  config: { publicUrl: string },
  store: Pick<Store, 'id' | 'name' | 'timezone'>,
  waiting: readonly Pick<WaitingOrder, 'number' | 'answer_by' | 'heard_at'>[],
): Alert {
  const about = { count: waiting.length, shop: store.name };
  const time = (at: Date | number) => timeWords(new Date(at), store.timezone);
  const heardAt = waiting.reduce((latest, { heard_at: at }) => Math.max(latest, at?.getTime() ?? 0), 0);
  return {
    kind: 'orders_waiting',
    store: { id: store.id, name: store.name },
    subject: m.watch_waiting_subject(about),
    text: m.watch_waiting({
      ...about,
      numbers: waiting.map(({ number }) => `#${number}`).join(', '),
      time: time(waiting[0]?.answer_by ?? 0),
      heard: heardAt === 0 ? '' : m.watch_waiting_heard({ time: time(heardAt) }),
    }),
    link: { words: m.watch_open_board(), link: `${config.publicUrl}/store/orders` },
  };
}
