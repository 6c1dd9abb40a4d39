import { type RawBuilder, sql } from 'kysely';
import { preparedStatementHint } from '#database/connect.ts';
import { overdueOrderWork } from '#ordering/server/deadlines.ts';
import type { Payments } from '#payment/server/services.ts';
import type { ShopBench } from '#payment/testing/model/shop-bench.ts';

/**
 * Does the work that every shop does by itself until there is none left. Returns when there will be some; null: never.
 */
export async function doAllWork(shop: ShopBench): Promise<Date | null> {
  const works = worksOf(shop);
  for (let round = 0; round < 40; round += 1) {
    // A webhook that is under way would come to a shop that already rests.
    await shop.stripe.control.webhooks.settled();
    const { due, hasJobs, next } = await look(shop);
    const count = hasJobs ? await shop.jobs.run() : 0;
    for (const { name, work } of works) if (due.has(name)) await work();
    if (count === 0 && due.size === 0) return next;
  }
  throw new Error('the shop does not come to rest');
}

/** One of the shop's due works. */
export async function workOf(payments: Pick<Payments, 'due'>, name: string): Promise<void> {
  const found = payments.due.find((one) => one.name === name);
  if (!found) throw new Error(`there is no work ${name}`);
  await found.work(true);
}

interface Work {
  name: string;
  due(at: Date): RawBuilder<unknown>;
  work(): Promise<unknown>;
}

function worksOf({ payments, services }: ShopBench): Work[] {
  const ends = overdueOrderWork(services);
  return [...payments.due, ends].map((one) => ({ ...one, work: () => one.work(true) }));
}

interface Ahead {
  due: ReadonlySet<string>;
  hasJobs: boolean;
  next: Date | null;
}

/** In one statement, as the shop looks for what is due. */
async function look(shop: ShopBench): Promise<Ahead> {
  const { clock, db } = shop;
  const columns = worksOf(shop).map(({ name, due }) => sql`(${due(clock.now)}) as ${sql.id(name)}`);
  const { rows } = await sql<Record<string, unknown>>`
    ${preparedStatementHint} select ${sql.join(columns)}, exists (select from test_jobs) as jobs, ${soonest} as next`.execute(
    db,
  );
  const { jobs, next, ...due } = rows[0] ?? {};
  const names = Object.keys(due).filter((name) => due[name] === true);
  return { due: new Set(names), hasJobs: jobs === true, next: next instanceof Date ? next : null };
}

const soonest = sql`(
  select min(at) from (
    select check_at from payments union all select check_at from refund_attempts union all select check_at from payment_events
    union all select expires_at from orders where status = 'pending_payment'
    union all select answer_by from orders where status = 'placed'
    union all select bank_check_at from payment_key_sets
  ) as due (at)
)`;
