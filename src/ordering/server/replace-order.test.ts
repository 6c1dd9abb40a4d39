import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { countVersionUp } from '#testing/count-version-up.ts';
import { startTestApp, type TestApp } from '#testing/test-app.ts';

let app: TestApp;
beforeAll(async () => {
  app = await startTestApp({}, { PAYMENT_SANDBOX: '1' });
});
afterAll(() => app.close());

interface Waiting {
  id: string;
  session: string;
  page: string;
}

/** A card order that waits for its payment. */
async function wait(change: Record<string, unknown> = {}, token?: string): Promise<Waiting> {
  const session = randomUUID();
  const body = app.orderBody({ session, payment_method: 'card', ...change });
  const { status, body: answer } = await app.request('POST', '/v1/orders', { body, ...(token && { token }) });
  expect(status).toBe(201);
  return { id: answer.data.id, session, page: answer.data.payment.redirect_url };
}

const place = (change: Record<string, unknown>) => app.request('POST', '/v1/orders', { body: app.orderBody(change) });

async function read({ id, session }: Waiting) {
  return (await app.request('GET', `/v1/orders/${id}`, { headers: { 'x-order-session': session } })).body.data;
}

/** The payer approves, and the shop is told nothing. */
async function approve({ page }: Waiting): Promise<void> {
  const body = new URLSearchParams({ outcome: 'approve', delivery: 'never', refuses: 'nothing' });
  const answer = await fetch(new URL(page, app.url), { method: 'POST', body, redirect: 'manual' });
  expect(answer.status).toBe(303);
}

const reconcile = ({ id, session }: Waiting) =>
  app.request('POST', `/v1/orders/${id}/payment/reconcile`, { headers: { 'x-order-session': session }, body: {} });

describe('an order that waits for its payment', () => {
  test('may be cancelled by whoever holds its session, and says so', async () => {
    const waiting = await wait();
    expect((await read(waiting)).actions).toContain('cancel');
    const stranger = await app.request('POST', `/v1/orders/${waiting.id}/cancel`, { body: {} });
    expect(stranger.status).toBe(401);
    const { status, body } = await app.request('POST', `/v1/orders/${waiting.id}/cancel`, {
      headers: { 'x-order-session': waiting.session },
      body: {},
    });
    expect([status, body.data.status]).toEqual([200, 'cancelled']);
  });

  test('may be cancelled by its customer, without its session', async () => {
    const token = await app.signIn('customer');
    const { id } = await wait({}, token);
    const { status, body } = await app.request('POST', `/v1/orders/${id}/cancel`, { token, body: {} });
    expect([status, body.data.status]).toEqual([200, 'cancelled']);
  });

  test('is dropped with the placing of the one that stands in for it', async () => {
    const waiting = await wait();
    const session = randomUUID();
    const placed = await place({ session, replaces: waiting.session });
    expect([placed.status, placed.body.data.status]).toEqual([201, 'placed']);
    expect((await read(waiting)).status).toBe('cancelled');
  });

  test('stays where the other one is refused, and where the other one is placed already', async () => {
    const waiting = await wait();
    const refused = await place({ replaces: waiting.session, expected_total: 1 });
    expect(refused.status).toBe(409);
    expect((await read(waiting)).status).toBe('pending_payment');

    const body = app.orderBody({ replaces: waiting.session });
    const both = await Promise.all([1, 2].map(() => app.request('POST', '/v1/orders', { body })));
    expect(both.map(({ status }) => status).toSorted()).toEqual([200, 201]);
    expect(new Set(both.map((answer) => answer.body.data.id)).size).toBe(1);
    expect((await read(waiting)).status).toBe('cancelled');
  });

  test('and has been paid meanwhile is not dropped, and no second one is placed', async () => {
    const waiting = await wait();
    await approve(waiting);
    expect((await reconcile(waiting)).body.data.status).toBe('placed');
    const session = randomUUID();
    const refused = await place({ session, replaces: waiting.session });
    expect([refused.status, refused.body.code, refused.body.status]).toEqual([409, 'illegal_transition', 'placed']);
    expect((await app.request('GET', `/v1/orders/session/${session}`)).status).toBe(404);
    expect((await read(waiting)).status).toBe('placed');
  });

  test('is either paid or replaced when both come at once, and never both', async () => {
    for (let round = 0; round < 8; round++) {
      const waiting = await wait();
      await approve(waiting);
      const [, placed] = await Promise.all([reconcile(waiting), place({ replaces: waiting.session })]);
      const { status } = await read(waiting);
      expect([placed.status, status]).toEqual(placed.status === 201 ? [201, 'cancelled'] : [409, 'placed']);
    }
  });

  test('that is over, or that nobody knows, is in nobody’s way', async () => {
    const waiting = await wait();
    await app.request('POST', `/v1/orders/${waiting.id}/cancel`, {
      headers: { 'x-order-session': waiting.session },
      body: {},
    });
    expect((await place({ replaces: waiting.session })).status).toBe(201);
    expect((await place({ replaces: randomUUID() })).status).toBe(201);
  });

  test('does not fill the slot that the one that stands in for it is for', async () => {
    await app.database.db.updateTable('stores').set({ max_orders_per_slot: 1 }).execute();
    await countVersionUp(app.database.db);
    const requested_for = '2026-11-21T20:00:00.000Z';
    const waiting = await wait({ requested_for });
    expect((await place({ requested_for })).body.problems).toMatchObject([{ code: 'slot_full' }]);
    const { contact: _contact, session: _session, payment_method: _method, ...basket } = app.orderBody();
    const quote = { ...basket, requested_for, replaces: waiting.session };
    expect((await app.request('POST', '/v1/orders/quote', { body: quote })).body.data.problems).toEqual([]);
    expect((await place({ requested_for, replaces: waiting.session })).status).toBe(201);
    expect((await read(waiting)).status).toBe('cancelled');
  });
});
