import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { cashBasket } from '#testing/cash-basket.ts';
import { openShop, type Shop } from '#testing/running-shop.ts';

let shop: Shop;
let body: Record<string, unknown>;
beforeAll(async () => {
  shop = await openShop();
  body = await cashBasket(shop);
});
afterAll(() => shop.stop());

interface OrderAnswer {
  id: string;
  number: string;
  status: string;
  history: { to: string }[];
}

const post = async (session: string) => {
  const { status, body: answer } = await shop.api('POST', '/v1/orders', { ...body, session });
  return { session, status, order: answer['data'] as OrderAnswer };
};
const all = async (): Promise<OrderAnswer[]> => {
  const { body: page } = await shop.api('GET', `/v1/orders?per_page=200`, undefined, shop.adminToken);
  return page['data'] as OrderAnswer[];
};

test(
  'kill -9 in the middle of a rush loses no answered order, doubles none, and accepts each once',
  { timeout: 120_000 },
  async () => {
    const answered: Awaited<ReturnType<typeof post>>[] = [];
    const sessions: string[] = [];
    for (const pause of [5, 25, 60]) {
      const rush = Array.from({ length: 25 }, async () => {
        const session = randomUUID();
        sessions.push(session);
        const answer = await post(session).catch(() => null);
        if (answer?.status !== 201) return;
        answered.push(answer);
        await shop.api('POST', `/v1/orders/${answer.order.id}/accept`, {}, shop.adminToken).catch(() => null);
      });
      await new Promise((resolve) => setTimeout(resolve, pause));
      await Promise.all([shop.restart('SIGKILL'), ...rush]);
    }
    const stored = await all();
    const count = new Map(Map.groupBy(stored, ({ id }) => id));
    for (const { order } of answered) expect(count.get(order.id), `order ${order.number}`).toHaveLength(1);
    expect(new Set(stored.map(({ number }) => number)).size).toBe(stored.length);

    // A customer whose answer was lost posts the same basket again: whatever happened, there is one order afterwards.
    const again = await Promise.all(sessions.map(post));
    expect(again.every(({ status }) => status === 201 || status === 200)).toBe(true);
    expect(new Set(again.map(({ order }) => order.id)).size).toBe(sessions.length);
    for (const { session, order } of answered) {
      expect(again.find((one) => one.session === session)?.order.id).toBe(order.id);
    }

    // Staff whose accept was lost press again.
    for (const { order } of again) await shop.api('POST', `/v1/orders/${order.id}/accept`, {}, shop.adminToken);
    const finished = await all();
    expect(finished.every(({ status }) => status === 'accepted')).toBe(true);
    const steps = finished.map(({ history }) => history.map(({ to }) => to).join());
    expect(new Set(steps)).toEqual(new Set(['placed,accepted']));
  },
);

test('kill -9 right after card orders were accepted charges each of them once', { timeout: 120_000 }, async () => {
  const placed = await Promise.all(
    Array.from({ length: 6 }, async () => {
      const { status, body: answer } = await shop.api('POST', '/v1/orders', {
        ...body,
        session: randomUUID(),
        payment_method: 'card',
      });
      expect(status).toBe(201);
      const order = answer['data'] as OrderAnswer & { payment: { redirect_url: string } };
      const page = new URL(order.payment.redirect_url, shop.url);
      await fetch(page, {
        method: 'POST',
        redirect: 'manual',
        body: new URLSearchParams({ outcome: 'approve', delivery: 'never' }),
      });
      return order;
    }),
  );
  // Nobody returns and no message comes: the shop finds out by itself, or when it is asked.
  for (const { id } of placed) await shop.api('POST', `/v1/orders/${id}/payment/reconcile`, {}, shop.adminToken);
  await Promise.all([
    ...placed.map(({ id }) => shop.api('POST', `/v1/orders/${id}/accept`, {}, shop.adminToken).catch(() => null)),
    new Promise((resolve) => setTimeout(resolve, 15)).then(() => shop.restart('SIGKILL')),
  ]);
  for (const { id } of placed) {
    const { body: again } = await shop.api('POST', `/v1/orders/${id}/accept`, {}, shop.adminToken);
    expect(again['data']).toMatchObject({ status: 'accepted' });
  }
  const paymentStatuses = async () =>
    Promise.all(
      placed.map(async ({ id }) => {
        const { body: answer } = await shop.api('GET', `/v1/orders/${id}`);
        return (answer['data'] as { payment_status: string }).payment_status;
      }),
    );
  await expect.poll(paymentStatuses, { timeout: 90_000, interval: 1_000 }).toEqual(placed.map(() => 'paid'));
});
