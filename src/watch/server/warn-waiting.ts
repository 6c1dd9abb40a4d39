import { type RawBuilder, sql } from 'kysely';
import { m } from '#messages';
import { inTransaction } from '#database/transaction.ts';
import { timeWords } from '#platform/date-words.ts';
import type { Services } from '#services.ts';
import { alertOwner } from '#watch/server/alert-owner.ts';

/** One alert about waiting orders tells enough; the next one comes when this long (milliseconds) has passed. */
const quietFor = 10 * 60_000;

interface WaitingOrder {
  id: string;
  store_id: string;
  number: number;
  answer_by: Date;
}

/** Whether there may be such orders. */
export function areWaiting(now: Date): RawBuilder<boolean> {
  return sql`exists (
    select from orders join stores on stores.id = orders.store_id
      left join order_watches as w on w.order_id = orders.id
    where orders.status = 'placed' and w.heard_at is null and w.warned_at is null and ${halfGone(now)})`;
}

/**
 * Tells the owner of orders that nobody answered or acknowledged while half of their answer minutes went by. Answers how
 * many orders it told of. An acknowledged order is in somebody's hands; it has its deadline all the same.
 */
export async function warnOfWaiting(services: Services): Promise<number> {
  const { db } = services;
  const now = services.now();
  const stores = await db
    .selectFrom('orders')
    .innerJoin('stores', 'stores.id', 'orders.store_id')
    .select('orders.store_id')
    .distinct()
    .where('orders.status', '=', 'placed')
    .where(halfGone(now))
    .execute();
  let told = 0;
  for (const { store_id: storeId } of stores) told += await warnStore(services, storeId, now);
  return told;
}

/** Of the minutes the shop has to answer; a pre-order placed at night has the whole night on top of them. */
function halfGone(now: Date) {
  return sql<boolean>`orders.answer_by - make_interval(secs => stores.answer_minutes * 30) <= ${now}`;
}

async function warnStore(services: Services, storeId: string, now: Date): Promise<number> {
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
    if (watch.warned_at && now.getTime() - watch.warned_at.getTime() < quietFor) return 0;
    const waiting: WaitingOrder[] = await tx
      .selectFrom('orders')
      .innerJoin('stores', 'stores.id', 'orders.store_id')
      .leftJoin('order_watches as w', 'w.order_id', 'orders.id')
      .select(['orders.id', 'orders.store_id', 'orders.number', sql<Date>`orders.answer_by`.as('answer_by')])
      .where('orders.store_id', '=', storeId)
      .where('orders.status', '=', 'placed')
      .where('w.heard_at', 'is', null)
      .where('w.warned_at', 'is', null)
      .where(halfGone(now))
      .orderBy('orders.answer_by')
      .execute();
    const [first] = waiting;
    if (!first) return 0;
    await tx
      .insertInto('order_watches')
      .values(waiting.map(({ id }) => ({ order_id: id, warned_at: now })))
      .onConflict((conflict) => conflict.column('order_id').doUpdateSet({ warned_at: now }))
      .execute();
    await tx.updateTable('board_watches').set({ warned_at: now }).where('store_id', '=', storeId).execute();
    const count = waiting.length;
    const numbers = waiting.map(({ number }) => `#${number}`).join(', ');
    await alertOwner(tx, services, {
      kind: 'orders_waiting',
      store: { id: store.id, name: store.name },
      subject: m.watch_waiting_subject({ count, shop: store.name }),
      text: m.watch_waiting({
        count,
        numbers,
        shop: store.name,
        time: timeWords(first.answer_by, store.timezone),
        link: `${services.config.publicUrl}/store/orders`,
      }),
    });
    return count;
  });
}
