import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { cashBasket } from '#testing/cash-basket.ts';
import { databaseProcesses, signalAll } from '#testing/database-processes.ts';
import { openShop, type Shop } from '#testing/running-shop.ts';

let shop: Shop;
let basket: Record<string, unknown>;
beforeAll(async () => {
  shop = await openShop({ LOG_LEVEL: 'silent' });
  basket = await cashBasket(shop);
});
afterAll(() => shop.stop());

interface Answer {
  status: number;
  retryAfter: string | null;
  data: { id: string } | undefined;
}

async function call(method: string, path: string, body?: unknown, isStaff = false): Promise<Answer> {
  const response = await fetch(shop.url + path, {
    method,
    headers: {
      ...(body !== undefined && { 'content-type': 'application/json' }),
      ...(isStaff && { authorization: `Bearer ${shop.adminToken}` }),
    },
    ...(body !== undefined && { body: JSON.stringify(body) }),
  });
  const text = await response.text();
  const { data } = (text.startsWith('{') ? JSON.parse(text) : {}) as { data?: { id: string } };
  return { status: response.status, retryAfter: response.headers.get('retry-after'), data };
}

const place = (session: string) => call('POST', '/v1/orders', { ...basket, session });
const health = () => call('GET', '/health');
const isHealthy = () => expect.poll(async () => (await health()).status).toBe(200);

/** Each session has one order, and a caller who asks again gets that one. */
async function expectOneEach(sessions: string[], answered: Map<string, string>): Promise<void> {
  const again = await Promise.all(sessions.map(place));
  expect(again.filter(({ status }) => status !== 201 && status !== 200)).toEqual([]);
  expect(new Set(again.map(({ data }) => data?.id)).size).toBe(sessions.length);
  const told = new Map(sessions.map((session, index) => [session, again[index]?.data?.id]));
  for (const [session, id] of answered) expect(told.get(session)).toBe(id);
}

test(
  'a database that is killed comes back, and what was asked meanwhile is told so',
  { timeout: 120_000 },
  async () => {
    const sessions: string[] = [];
    const answered = new Map<string, string>();
    const others: Answer[] = [];
    for (const pause of [20, 60, 120]) {
      let isOver = false;
      const customers = Array.from({ length: 8 }, async () => {
        while (!isOver) {
          const session = randomUUID();
          sessions.push(session);
          const answer = await place(session);
          if (answer.status === 201 && answer.data) answered.set(session, answer.data.id);
          else others.push(answer);
        }
      });
      await sleep(pause);
      signalAll('SIGKILL', databaseProcesses(shop.dataDir).slice(0, 1));
      await sleep(500);
      await isHealthy();
      isOver = true;
      await Promise.all(customers);
    }
    expect(others.length).toBeGreaterThan(0);
    expect(others.filter(({ status, retryAfter }) => status !== 503 || !retryAfter)).toEqual([]);
    await expectOneEach(sessions, answered);
  },
);

test(
  'a frozen database: every call is answered meanwhile, and afterwards it is told what was done',
  { timeout: 120_000 },
  async () => {
    await isHealthy();
    const frozen = databaseProcesses(shop.dataDir);
    signalAll('SIGSTOP', frozen);
    const sessions = Array.from({ length: 24 }, () => randomUUID());
    try {
      const [live, sick, ...answers] = await Promise.all([
        call('GET', '/live'),
        health(),
        ...sessions.map(place),
        ...Array.from({ length: 8 }, () => call('GET', '/v1/orders', undefined, true)),
        ...Array.from({ length: 8 }, (_, n) => call('POST', '/v1/categories', { name: `New ${n}` }, true)),
        call('POST', '/v1/auth/login', { email: 'nobody@example.com', password: 'wrong password' }),
      ]);
      expect(live.status).toBe(200);
      expect(sick.status).toBe(503);
      expect(answers.filter(({ status, retryAfter }) => status !== 503 || !retryAfter)).toEqual([]);
    } finally {
      signalAll('SIGCONT', frozen);
    }
    await isHealthy();
    await expectOneEach(sessions, new Map());
  },
);
