import { sql } from 'kysely';
import { doAllWork } from '#payment/testing/model/all-work.ts';
import { givenBackTwice, keptTooLong, wrongAtRest } from '#payment/testing/model/at-rest.ts';
import { checkNow, type Known, refuse } from '#payment/testing/model/commands.ts';
import { endOutside } from '#payment/testing/model/outside.ts';
import { compareOrdersWithMoney } from '#payment/server/journal/compare-orders.ts';
import { verifyChains } from '#payment/server/journal/chains.ts';
import { type OrderMoney, readMoney } from '#payment/testing/model/read-money.ts';
import type { ShopBench } from '#payment/testing/model/shop-bench.ts';

const hour = 60 * 60;
const day = 24 * hour;

/** Lets everything end: an hour without faults, and then days in which nobody answers. Throws if money is wrong. */
export async function comeToRest(known: Known, shop: ShopBench): Promise<void> {
  for (const task of shop.tasks.waiting()) await shop.tasks.resume(task, { end: 'done', stops: 0 });
  await endOutside(shop);
  await workFor(shop, hour);
  await endOutside(shop);
  await workFor(shop, 10 * 60);
  const afterAnHour = await readMoney(shop);
  refuse(shop, afterAnHour, afterAnHour.flatMap(keptTooLong));
  await workFor(shop, 2 * day);
  await checkNow(known, shop);
  const atRest = await readMoney(shop);
  refuse(shop, atRest, [
    ...atRest.flatMap(wrongAtRest),
    ...(await wrongChecks(shop, atRest)),
    ...(await newDeadlocks(shop)),
  ]);
}

const knownDeadlocks = new WeakMap<ShopBench, number>();

/**
 * PostgreSQL ends them after a second in which the orders cannot be changed. It counts them with a delay of a second.
 */
async function newDeadlocks(shop: ShopBench): Promise<string[]> {
  const { rows } = await sql<{ deadlocks: number }>`
    select deadlocks::int from pg_stat_database where datname = current_database()`.execute(shop.db);
  const count = rows[0]?.deadlocks ?? 0;
  const before = knownDeadlocks.get(shop) ?? 0;
  knownDeadlocks.set(shop, count);
  return count > before ? [`${count - before} deadlocks, of this or the last sequence`] : [];
}

/** What the shop's own checks find: nothing but refunds that failed, and money that the owner gave back twice. */
async function wrongChecks({ clock, db }: ShopBench, all: readonly OrderMoney[]): Promise<string[]> {
  const { disagreements } = await compareOrdersWithMoney(db, clock.now);
  const isKnown = (id: string) =>
    all.some(
      (money) => money.order.id === id && (money.refunds.some(({ due }) => due > 0) || givenBackTwice(money) > 0),
    );
  const journals = await verifyChains(db, clock.now);
  return [
    ...disagreements.filter(({ order_id, kind }) => kind !== 'kept' || !isKnown(order_id)),
    ...journals.flatMap(({ faults }) => faults),
  ].map((fault) => `the shop's checks: ${JSON.stringify(fault)}`);
}

/** Does what is due, whenever it is due, for so many seconds. */
async function workFor(shop: ShopBench, seconds: number): Promise<void> {
  const end = shop.clock.now.getTime() + seconds * 1000;
  for (;;) {
    const next = await doAllWork(shop);
    const now = shop.clock.now.getTime();
    if (next === null || next.getTime() > end) return shop.pass(Math.max((end - now) / 1000, 0));
    await shop.pass(Math.max(Math.ceil((next.getTime() - now) / 1000), 1));
  }
}
