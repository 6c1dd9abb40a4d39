import * as fc from 'fast-check';
import pg from 'pg';
import type { PaymentAttemptStatus } from '#payment/payment-state.ts';
import { movedBack, wrongNow } from '#payment/testing/model/always.ts';
import { wrongCalls } from '#payment/testing/model/calls.ts';
import { happenings, type Happening } from '#payment/testing/model/outside.ts';
import { basket, type Action, actions } from '#payment/testing/model/people.ts';
import { inWords, type OrderMoney, readMoney } from '#payment/testing/model/read-money.ts';
import type { ShopBench } from '#payment/testing/model/shop-bench.ts';
import type { RunLimit } from '#payment/testing/model/tasks.ts';

/** What the model knows of the shop: the orders, and how far each payment has come. */
export interface Known {
  orders: string[];
  states: Map<string, PaymentAttemptStatus>;
}

type Step = fc.AsyncCommand<Known, ShopBench>;

/** Tasks that wait at a stop at the same time; the oldest goes on when there are more. */
const maxWaiting = 3;
const toItsEnd: RunLimit = { end: 'done', stops: 0 };

/** Counted over all runs. */
export const counted = { steps: 0 };

/** Steps in which people order, pay and answer, and everything goes wrong that may. */
export function anySteps(maxCommands: number) {
  const n = fc.nat({ max: 1000 });
  const order = fc.nat({ max: 2 });
  const limit: fc.Arbitrary<RunLimit> = fc.oneof(
    { weight: 6, arbitrary: fc.constant(toItsEnd) },
    { weight: 3, arbitrary: fc.record({ end: fc.constant('wait' as const), stops: fc.nat({ max: 9 }) }) },
    { weight: 2, arbitrary: fc.record({ end: fc.constant('kill' as const), stops: fc.nat({ max: 12 }) }) },
  );
  return fc.commands(
    [
      ...[1, 2, 3].map(() => fc.tuple(n, limit).map((drawn) => placing(...drawn))),
      ...oftener(actions).map((action) => fc.tuple(order, n, limit).map((drawn) => doing(action, ...drawn))),
      fc.tuple(n, limit).map((drawn) => resuming(...drawn)),
      ...oftener(happenings).map((happening) => fc.tuple(order, n).map((drawn) => happens(happening, ...drawn))),
    ],
    { maxCommands, size: 'max' },
  );
}

/** What most orders need is drawn more often than the rest. */
function oftener<Kind extends { often?: number }>(kinds: readonly Kind[]): Kind[] {
  return kinds.flatMap((kind) => Array.from({ length: kind.often ?? 1 }, () => kind));
}

/** A customer orders, and is sent to the page. */
export function placing(n: number, limit: RunLimit = toItsEnd): Step {
  return step(`order ${n} ${words(limit)}`, async (_known, shop) => {
    const ordered = async () => shop.payments.begin(await shop.newOrder(basket(shop, n)));
    // A part of the task: it may wait for a lock that another one has.
    await begin(shop, 'order', ordered, limit);
  });
}

function doing(action: Action, order: number, n: number, limit: RunLimit): Step {
  return step(
    `${action.name}, order ${order}, ${n} ${words(limit)}`,
    async ({ orders }, shop) => {
      const work = await action.begin(shop, orders.at(-1 - (order % orders.length)) ?? '', n);
      if (work) await begin(shop, action.name, work, limit);
    },
    hasOrders,
  );
}

function resuming(n: number, limit: RunLimit): Step {
  return step(`go on ${n} ${words(limit)}`, async (_known, { tasks }) => {
    const waiting = tasks.waiting();
    const task = waiting[n % Math.max(waiting.length, 1)];
    if (task) await tasks.resume(task, limit);
  });
}

function happens({ name, happen }: Happening, order: number, n: number): Step {
  return step(
    `${name}, order ${order}, ${n}`,
    async ({ orders }, shop) => happen(shop, orders.at(-1 - (order % orders.length)) ?? '', n),
    hasOrders,
  );
}

function hasOrders({ orders }: Readonly<Known>): boolean {
  return orders.length > 0;
}

function step(
  name: string,
  run: (known: Known, shop: ShopBench) => Promise<void>,
  check: (known: Readonly<Known>) => boolean = () => true,
): Step {
  return {
    check,
    async run(known, shop) {
      await run(known, shop);
      await shop.stripe.control.webhooks.settled();
      counted.steps += 1;
      await checkNow(known, shop);
    },
    toString: () => name,
  };
}

async function begin(shop: ShopBench, name: string, work: () => Promise<unknown>, limit: RunLimit): Promise<void> {
  const { tasks } = shop;
  const [oldest, ...others] = tasks.waiting();
  if (oldest && others.length + 1 >= maxWaiting) await tasks.resume(oldest, toItsEnd);
  await tasks.start(name, work, limit);
}

/** Throws if something is wrong that must never be. */
export async function checkNow(known: Known, shop: ShopBench): Promise<void> {
  const all = await readMoney(shop);
  const payments = all.flatMap((money) => money.payments);
  known.orders.push(...all.map(({ order }) => order.id).filter((id) => !known.orders.includes(id)));
  refuse(shop, all, [
    ...all.flatMap(wrongNow),
    ...movedBack(known.states, payments),
    ...wrongCalls(shop.stripe.control.log),
    ...shop.stripe.control.violations.map((violation) => JSON.stringify(violation)),
    ...shop.tasks.all.filter(({ error }) => isMistake(error)).map(({ name, error }) => `${name}: ${String(error)}`),
  ]);
  for (const { id, status } of payments) known.states.set(id, status);
}

/** Throws the faults, with what is needed to understand them. */
export function refuse(shop: ShopBench, all: readonly OrderMoney[], faults: readonly string[]): void {
  if (faults.length === 0) return;
  const tasks = shop.tasks.all.map(({ name, isDone, isKilled, error, held }) => {
    const end = isKilled ? 'killed' : isDone ? 'done' : `waits ${held.map(({ at }) => at).join(', ')}`;
    return `${name}: ${error === null ? end : String(error)}`;
  });
  throw new Error([...faults, '', ...all.map(inWords), '', ...tasks].join('\n'));
}

/** Refusals and outages are expected. */
function isMistake(error: unknown): boolean {
  return error instanceof TypeError || error instanceof RangeError || error instanceof pg.DatabaseError;
}

function words({ end, stops }: RunLimit): string {
  return end === 'done' ? 'to its end' : `${end === 'kill' ? 'killed' : 'waits'} at stop ${stops}`;
}
