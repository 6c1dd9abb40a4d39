import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { cashBasket } from '#testing/cash-basket.ts';
import type { Shop } from '#testing/running-shop.ts';

export interface RushAnswer {
  status: number;
  retryAfter: string | null;
  /** The duration (ms). */
  took: number;
  id: string | undefined;
}

export interface OrderRush {
  sessions: string[];
  /** The order's id by session, for calls that were answered with 201. */
  answered: Map<string, string>;
  /** The number of responses by status; 0: the connection broke. */
  statuses: Map<number, number>;
  withoutRetryAfter: number;
  /** The longest duration (ms). */
  slowest: number;
  place(session: string): Promise<RushAnswer | null>;
  stop(): Promise<void>;
}

/** Sends forty orders a second, without waiting for responses. */
export async function startRush(shop: Shop): Promise<OrderRush> {
  const basket = await cashBasket(shop);
  const place = async (session: string): Promise<RushAnswer | null> => {
    const started = performance.now();
    try {
      const response = await fetch(`${shop.url}/v1/orders`, {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify({ ...basket, session }),
      });
      const { data } = (await response.json()) as { data?: { id: string } };
      const took = performance.now() - started;
      return { status: response.status, retryAfter: response.headers.get('retry-after'), took, id: data?.id };
    } catch {
      return null;
    }
  };
  const rush: Omit<OrderRush, 'stop'> = {
    sessions: [],
    answered: new Map(),
    statuses: new Map(),
    withoutRetryAfter: 0,
    slowest: 0,
    place,
  };
  const open = new Set<Promise<void>>();
  const order = async () => {
    const session = randomUUID();
    rush.sessions.push(session);
    const answer = await place(session);
    const status = answer?.status ?? 0;
    rush.statuses.set(status, (rush.statuses.get(status) ?? 0) + 1);
    if (!answer) return;
    rush.slowest = Math.max(rush.slowest, answer.took);
    if (status === 201 && answer.id) rush.answered.set(session, answer.id);
    if (status === 503 && !answer.retryAfter) rush.withoutRetryAfter += 1;
  };
  const timer = setInterval(() => {
    const one = order().finally(() => open.delete(one));
    open.add(one);
  }, 25);
  return Object.assign(rush, {
    async stop() {
      clearInterval(timer);
      await Promise.all(open);
    },
  });
}

/**
 * Sends each order again. Checks that none was lost or duplicated, that every status was 201 or 503, and that each 503
 * had a Retry-After.
 */
export async function checkRush(shop: Shop, rush: OrderRush): Promise<[string, boolean][]> {
  // A repeated call with the same session must return the order that the first call created.
  const ids = new Set<string>();
  let lost = 0;
  let refused = 0;
  for (const session of rush.sessions) {
    const again = await rush.place(session);
    if (!again?.id) refused += 1;
    else if (rush.answered.has(session) && rush.answered.get(session) !== again.id) lost += 1;
    else ids.add(again.id);
  }
  const doubled = (await countOrders(shop)) - rush.sessions.length;
  const bad = [...rush.statuses].filter(([status]) => ![0, 201, 503].includes(status));
  console.log(
    `${rush.sessions.length} orders asked for; ${[...rush.statuses].map(([s, n]) => `${s || 'broken off'}: ${n}`).join(', ')}`,
  );
  const facts: [string, boolean][] = [
    [`lost ${lost + refused + (rush.sessions.length - ids.size - lost - refused)}`, ids.size === rush.sessions.length],
    [`doubled ${doubled}`, doubled === 0],
    [`other answers ${bad.map(([status, count]) => `${status}: ${count}`).join(', ') || 'none'}`, bad.length === 0],
    [`503 without Retry-After ${rush.withoutRetryAfter}`, rush.withoutRetryAfter === 0],
  ];
  return facts;
}

export function printChecks(facts: readonly [string, boolean][]): boolean {
  for (const [fact, isGood] of facts) console.log(`  ${isGood ? 'good' : 'BAD '}  ${fact}`);
  return facts.every(([, isGood]) => isGood);
}

async function countOrders(shop: Shop): Promise<number> {
  const { body } = await shop.api('GET', '/v1/orders?per_page=1', undefined, shop.adminToken);
  return (body['meta'] as { total: number }).total;
}

export async function waitUntilHealthy(shop: Shop): Promise<void> {
  for (const deadline = performance.now() + 60_000; performance.now() < deadline; await sleep(50)) {
    const answer = await fetch(`${shop.url}/health`).catch(() => null);
    if (answer?.ok) return;
  }
  throw new Error('The shop did not come back within a minute.');
}
