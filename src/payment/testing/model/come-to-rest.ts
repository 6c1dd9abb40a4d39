import { sql } from 'kysely';
import { keptTooLong, wrongAtRest } from '#payment/testing/model/at-rest.ts';
import { checkNow, type Known, refuse } from '#payment/testing/model/commands.ts';
import { endOutside } from '#payment/testing/model/outside.ts';
import { doAllWork } from '#payment/testing/model/people.ts';
import { readMoney } from '#payment/testing/model/read-money.ts';
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
  refuse(shop, atRest, atRest.flatMap(wrongAtRest));
}

/** Does what is due, whenever it is due, for so many seconds. */
async function workFor(shop: ShopBench, seconds: number): Promise<void> {
  const end = shop.clock.now.getTime() + seconds * 1000;
  for (;;) {
    await doAllWork(shop);
    const next = await nextDue(shop);
    const now = shop.clock.now.getTime();
    if (next === null || next.getTime() > end) return shop.pass(Math.max((end - now) / 1000, 0));
    await shop.pass(Math.max(Math.ceil((next.getTime() - now) / 1000), 1));
  }
}

async function nextDue({ db }: ShopBench): Promise<Date | null> {
  const { rows } = await sql<{ at: Date | null }>`
    select min(at) as at from (
      select check_at from payments union all select check_at from refunds union all select check_at from payment_events
      union all select expires_at from orders where status = 'pending_payment'
      union all select answer_by from orders where status = 'placed'
      union all select bank_check_at from payment_key_sets
    ) as due (at)`.execute(db);
  return rows[0]?.at ?? null;
}
