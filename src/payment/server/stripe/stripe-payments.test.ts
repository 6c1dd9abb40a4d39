import { createSavedCardsEraser } from '#payment/server/saved-cards.ts';
import { randomUUID } from 'node:crypto';
import { Stripe } from 'stripe';
import { afterAll, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest';
import { endOrdersPastDeadline } from '#ordering/server/deadlines.ts';
import { inTransaction } from '#database/transaction.ts';
import { refundOrder } from '#payment/server/refund-order.ts';
import { createStripeCustomers } from '#payment/server/stripe/customers.ts';
import { evening } from '#payment/testing/bench.ts';
import { addUser } from '#testing/users.ts';
import { openStripeBench, type StripeBench } from '#payment/testing/stripe-bench.ts';

let bench: StripeBench;
beforeAll(async () => {
  bench = await openStripeBench();
});
beforeEach(() => {
  bench.stripe.control.faults.clear();
  bench.stripe.control.clearLog();
});
afterAll(() => bench.close());

const paymentOf = (id: string) =>
  bench.db
    .selectFrom('payments')
    .selectAll()
    .where('order_id', '=', id)
    .orderBy('id', 'desc')
    .executeTakeFirstOrThrow();
const intentOf = async (id: string) => {
  const { intent } = await paymentOf(id);
  return bench.keySet.stripe.paymentIntents.retrieve(intent ?? '', { expand: ['latest_charge'] });
};
const sessions = (session: string) => bench.keySet.stripe.checkout.sessions.retrieve(session);
const capturePath = '/v1/payment_intents/*/capture';
const callsTo = (path: RegExp) =>
  bench.stripe.control.log.filter((entry) => entry.method === 'POST' && path.test(entry.path)).length;

describe('an order paid by card at Stripe', () => {
  test('is held when placed, and charged once it is accepted', async () => {
    const { id, session } = await bench.begun();
    expect(await sessions(session)).toMatchObject({
      amount_total: 1250,
      currency: 'gbp',
      locale: 'en-GB',
      client_reference_id: id,
      expires_at: evening.getTime() / 1000 + 40 * 60,
      success_url: expect.stringMatching(/^http:\/\/localhost:\d+\/orders\/.*\/payment\/callback$/),
    });
    bench.stripe.control.pay(session);
    await bench.payments.reconcile(id);
    expect(await bench.order(id)).toMatchObject({ status: 'placed', payment_status: 'authorised' });
    expect(await intentOf(id)).toMatchObject({ status: 'requires_capture', metadata: { order_id: id } });
    expect(await paymentOf(id)).toMatchObject({ method: 'card', key_set: 'set_test', is_held: true });
    expect((await paymentOf(id)).held_until).toEqual(new Date(evening.getTime() + 7 * 86_400_000));

    await bench.move(id, 'accept');
    await bench.jobs.run();
    await bench.jobs.repeat();
    expect(await bench.order(id)).toMatchObject({ status: 'accepted', payment_status: 'paid' });
    expect(await intentOf(id)).toMatchObject({ status: 'succeeded', amount_received: 1250 });
    expect(await paymentOf(id)).toMatchObject({ status: 'captured', captured: 1250 });
  });

  test('and charged on the page of Stripe by the owner is looked at, and not charged again', async () => {
    const { id, session } = await bench.paid();
    await bench.payments.reconcile(id);
    await bench.move(id, 'accept');
    await bench.keySet.stripe.paymentIntents.capture(bench.atStripe(session).intent.id);
    await bench.jobs.run();
    expect(await bench.order(id)).toMatchObject({ status: 'accepted', payment_status: 'paid' });
    expect(await paymentOf(id)).toMatchObject({ status: 'captured', captured: 1250, attempts: 1 });
    expect(callsTo(/capture$/)).toBe(1);
  });

  test('and charged less on the page of Stripe gives no more back than was charged', async () => {
    const { id, session } = await bench.paid();
    await bench.payments.reconcile(id);
    await bench.move(id, 'accept');
    await bench.keySet.stripe.paymentIntents.capture(bench.atStripe(session).intent.id, { amount_to_capture: 800 });
    await bench.jobs.run();
    expect(await paymentOf(id)).toMatchObject({ status: 'captured', captured: 800 });
    const refund = (amount: number) =>
      inTransaction(bench.db, (tx) =>
        refundOrder(tx, bench.services, {
          orderId: id,
          key: randomUUID(),
          wanted: { amount },
          reason: '',
          actor: 'admin',
          actorId: null,
        }),
      );
    await expect(refund(801)).rejects.toMatchObject({ code: 'invalid', message: 'You can refund £8.00 at most.' });
    await refund(500);
    await bench.jobs.run();
    await expect(refund(301)).rejects.toMatchObject({ code: 'invalid' });
    await refund(300);
    await bench.jobs.run();
    expect(await bench.order(id)).toMatchObject({ payment_status: 'refunded', refunded: 800 });
    // Not by hand either: there is nothing of it left.
    await expect(refund(1)).rejects.toMatchObject({ code: 'conflict' });
  });

  test('is released when it is rejected, and nothing was taken', async () => {
    const { id } = await bench.paid();
    await bench.payments.reconcile(id);
    await bench.move(id, 'reject', { rejectReason: 'too_busy' });
    await bench.jobs.run();
    expect(await intentOf(id)).toMatchObject({ status: 'canceled', amount_received: 0 });
    expect(await bench.order(id)).toMatchObject({ payment_status: 'voided', refunded: 0 });
  });

  test('is charged less after a dish was taken off, and what is left of the hold is no refund', async () => {
    const { id } = await bench.paid();
    await bench.payments.reconcile(id);
    await bench.db.updateTable('orders').set({ total: 1000, subtotal: 1000 }).where('id', '=', id).execute();
    await bench.move(id, 'accept');
    await bench.jobs.run();
    await bench.payments.reconcile(id);
    expect(await intentOf(id)).toMatchObject({ amount: 1250, amount_received: 1000 });
    expect(await paymentOf(id)).toMatchObject({ captured: 1000 });
    expect(await bench.order(id)).toMatchObject({ payment_status: 'paid', refunded: 0 });
  });

  test('by a bank transfer is charged when placed, and refunded when it is rejected', async () => {
    const { id } = await bench.paid({ method: 'pay_by_bank' });
    await bench.payments.reconcile(id);
    expect(await bench.order(id)).toMatchObject({ status: 'placed', payment_status: 'paid' });
    expect(await paymentOf(id)).toMatchObject({ method: 'pay_by_bank', held_until: null, captured: 1250 });
    await bench.move(id, 'reject', { rejectReason: 'too_busy' });
    await bench.jobs.run();
    expect(await bench.order(id)).toMatchObject({ payment_status: 'refunded' });
    expect(await intentOf(id)).toMatchObject({ latest_charge: { amount_refunded: 1250 } });
  });

  test('is charged at once while the shop is closed for longer than a hold', async () => {
    await bench.changeStore({
      closures: JSON.stringify([{ from: '2026-11-21', to: '2026-12-05', reason: 'Holiday' }]),
    });
    const { id, session } = await bench.begun();
    await bench.changeStore({ closures: '[]' });
    expect(await paymentOf(id)).toMatchObject({ is_held: false });
    bench.stripe.control.pay(session);
    await bench.payments.reconcile(id);
    expect(await bench.order(id)).toMatchObject({ status: 'placed', payment_status: 'paid' });
  });

  test('stays open after a declined card, and is paid with another on the same page', async () => {
    const { id, session } = await bench.begun();
    bench.stripe.control.pay(session, { number: '4000000000000002' });
    await bench.payments.reconcile(id);
    expect(await bench.order(id)).toMatchObject({ status: 'pending_payment', payment_status: 'unpaid' });
    bench.stripe.control.pay(session);
    await bench.payments.reconcile(id);
    expect(await bench.order(id)).toMatchObject({ status: 'placed', payment_status: 'authorised' });
  });

  test('waits for the bank to ask its customer', async () => {
    const { id, session } = await bench.paid({ number: '4000000000003220' });
    await bench.payments.reconcile(id);
    expect(await bench.order(id)).toMatchObject({ status: 'pending_payment', payment_status: 'unpaid' });
    bench.stripe.control.answerBank(session, true);
    await bench.payments.reconcile(id);
    expect(await bench.order(id)).toMatchObject({ status: 'placed', payment_status: 'authorised' });
  });

  test('that is cancelled while its page is open has no page any more', async () => {
    const { id, session } = await bench.begun();
    await bench.move(id, 'expire');
    await bench.jobs.run();
    expect(await sessions(session)).toMatchObject({ status: 'expired' });
    expect(await bench.order(id)).toMatchObject({ status: 'expired', payment_status: 'unpaid' });
    expect((await paymentOf(id)).owed).toBeNull();
  });

  test('that nobody pays for half an hour has its page closed by a call, before it would end by itself', async () => {
    const { id, session } = await bench.begun();
    bench.wait(30 * 60 + 1);
    await endOrdersPastDeadline(bench.services);
    await bench.jobs.run();
    expect(await bench.order(id)).toMatchObject({ status: 'expired', payment_status: 'unpaid' });
    expect(callsTo(/expire$/)).toBe(1);
    const { status, expires_at } = await sessions(session);
    expect(status).toBe('expired');
    expect(expires_at * 1000).toBeGreaterThan(bench.clock.now.getTime());
    expect(bench.stripe.control.pay(session)).toEqual({ problem: 'The session is expired.' });
  });

  test('cannot be accepted after its hold, and its released money changes nothing', async () => {
    const { id } = await bench.paid();
    await bench.payments.reconcile(id);
    bench.wait(7 * 86_400);
    await expect(bench.move(id, 'accept')).rejects.toMatchObject({ code: 'hold_ended' });
    await bench.payments.reconcile(id);
    expect(await bench.order(id)).toMatchObject({ status: 'placed', payment_status: 'voided' });
    await expect(bench.move(id, 'accept')).rejects.toMatchObject({ code: 'hold_ended' });
  });
});

describe('a call whose end is not known', () => {
  test.each(['error_before', 'error_after', 'reset_before', 'reset_after', 'lock_timeout', 'rate_limit'] as const)(
    '%s at a capture: charged once in the end',
    async (kind) => {
      const { id } = await bench.paid();
      await bench.payments.reconcile(id);
      await bench.move(id, 'accept');
      // A broken connection is tried once more by the library itself.
      bench.stripe.control.faults.add({ kind, path: capturePath, times: kind.startsWith('reset') ? 2 : 1 });
      await bench.jobs.run();
      expect(await bench.order(id)).toMatchObject({ status: 'accepted', payment_status: 'authorised' });
      await bench.jobs.run();
      expect(await bench.order(id)).toMatchObject({ status: 'accepted', payment_status: 'paid' });
      expect(await intentOf(id)).toMatchObject({ amount_received: 1250 });
    },
  );

  test("Stripe's own failure, which it repeats for a day under the same key, is got over with another key", async () => {
    const id = await bench.newOrder();
    bench.stripe.control.faults.add({ kind: 'error_after', method: 'POST', path: '/v1/checkout/sessions' });
    await expect(bench.payments.begin(id)).rejects.toMatchObject({ code: 'payment_unavailable' });
    expect(await paymentOf(id)).toMatchObject({ attempts: 1, reference: null });
    expect(await bench.payments.begin(id)).toMatch(/^http/);
    expect(await paymentOf(id)).toMatchObject({ attempts: 2 });
  });

  test('a refund whose answer was lost is made once', async () => {
    const { id } = await bench.paid();
    await bench.payments.reconcile(id);
    await bench.move(id, 'accept');
    await bench.jobs.run();
    await bench.move(id, 'cancel', { reason: 'No rice' });
    bench.stripe.control.faults.add({ kind: 'reset_after', method: 'POST', path: '/v1/refunds', times: 2 });
    await bench.jobs.run();
    expect(await bench.order(id)).toMatchObject({ payment_status: 'paid', refunded: 0 });
    await bench.jobs.run();
    expect(await bench.order(id)).toMatchObject({ payment_status: 'refunded', refunded: 1250 });
    const { intent } = await paymentOf(id);
    expect((await bench.keySet.stripe.refunds.list({ payment_intent: intent ?? '' })).data).toHaveLength(1);
  });

  test("a refund gets over Stripe's own failure, which it repeats under the same key", async () => {
    const { id } = await bench.paid();
    await bench.payments.reconcile(id);
    await bench.move(id, 'accept');
    await bench.jobs.run();
    const { refunds } = bench.keySet.stripe;
    const create = vi.spyOn(refunds, 'create');
    for (const headers of [{}, { 'idempotent-replayed': 'true' }]) {
      const raw = { statusCode: 500, type: 'api_error', message: 'sorry', headers };
      // The library makes its errors of what Stripe answers.
      create.mockRejectedValueOnce(new Stripe.errors.StripeAPIError(raw as never));
    }
    const { services } = bench;
    const wanted = {
      orderId: id,
      key: randomUUID(),
      wanted: { amount: 250 },
      reason: 'Cold',
      actor: 'Test',
      actorId: null,
    };
    await inTransaction(bench.db, (tx) => refundOrder(tx, services, wanted));
    for (let round = 0; round < 3; round += 1) await bench.jobs.run();
    expect(create).toHaveBeenCalledTimes(3);
    expect(new Set(create.mock.calls.map(([, options]) => options?.idempotencyKey)).size).toBe(2);
    expect(await bench.order(id)).toMatchObject({ payment_status: 'partially_refunded', refunded: 250 });
  });

  test('a page whose answer was lost is opened once, with the same words in whatever language it is asked again', async () => {
    const id = await bench.newOrder({ locale: 'pl' });
    bench.stripe.control.faults.add({ kind: 'reset_after', method: 'POST', path: '/v1/checkout/sessions', times: 2 });
    await expect(bench.payments.begin(id)).rejects.toMatchObject({ code: 'payment_unavailable' });
    bench.wait(20);
    expect(await bench.payments.begin(id)).toMatch(/^http/);
    const mine = [...bench.stripe.control.books().tables['checkout.session'].values()].filter(
      ({ client_reference_id }) => client_reference_id === id,
    );
    expect(mine).toMatchObject([{ locale: 'pl' }]);
  });

  test('a page that could not be opened for minutes is opened with a new time', async () => {
    const id = await bench.newOrder();
    bench.stripe.control.faults.setDown(true);
    await expect(bench.payments.begin(id)).rejects.toMatchObject({ code: 'payment_unavailable' });
    bench.stripe.control.faults.setDown(false);
    bench.wait(700);
    const url = await bench.payments.begin(id);
    expect(url).toMatch(/^http/);
    const { attempts, reference } = await paymentOf(id);
    expect(attempts).toBe(2);
    expect((await sessions(reference ?? '')).expires_at).toBe(bench.clock.now.getTime() / 1000 + 40 * 60);
  });
});

describe('customers with an account', () => {
  const newUser = async () => (await addUser(bench.db, 'customer')).id;
  const contact = { name: 'Ada', phone: '07700 900123', email: 'ada@example.com' };
  const customersOf = (userId: string) =>
    bench.db.selectFrom('payment_customers').select('customer').where('user_id', '=', userId).execute();

  test('have one customer at Stripe, whatever they order, with their present address', async () => {
    const userId = await newUser();
    const [first, second] = await Promise.all([
      bench.begun({ customer_id: userId, contact }),
      bench.begun({ customer_id: userId, contact }),
    ]);
    const [kept, ...others] = await customersOf(userId);
    expect(others).toEqual([]);
    const seen = [await sessions(first.session), await sessions(second.session)];
    expect(seen.map(({ customer }) => customer)).toEqual([kept?.customer, kept?.customer]);
    expect(seen[0]).toMatchObject({ saved_payment_method_options: { payment_method_save: 'enabled' } });
    expect(await bench.keySet.stripe.customers.retrieve(kept?.customer ?? '')).toMatchObject({
      email: 'ada@example.com',
      metadata: { user_id: userId },
    });
    expect(callsTo(/^\/v1\/customers$/)).toBeLessThanOrEqual(2);
  });

  test('get another one if it was deleted at Stripe', async () => {
    const userId = await newUser();
    await bench.begun({ customer_id: userId });
    const [before] = await customersOf(userId);
    await bench.keySet.stripe.customers.del(before?.customer ?? '');
    const { session } = await bench.begun({ customer_id: userId });
    const [after] = await customersOf(userId);
    expect(after?.customer).not.toBe(before?.customer);
    expect((await sessions(session)).customer).toBe(after?.customer);
  });

  test('keep the one they have when Stripe does not take their address', async () => {
    const userId = await newUser();
    await bench.begun({ customer_id: userId, contact });
    const [before] = await customersOf(userId);
    bench.stripe.control.clearLog();
    bench.stripe.control.faults.add({
      kind: 'refused',
      method: 'POST',
      path: '/v1/customers/*',
      times: 9,
      refusal: { message: 'Invalid email address: ada@example.com', code: 'email_invalid', param: 'email' },
    });
    for (let number = 0; number < 3; number += 1) await bench.begun({ customer_id: userId, contact });
    expect(await customersOf(userId)).toEqual([before]);
    expect(callsTo(/^\/v1\/customers$/)).toBe(0);
  });

  test('are deleted there with the account, and a repeated job is no error', async () => {
    const userId = await newUser();
    await bench.begun({ customer_id: userId });
    const [kept] = await customersOf(userId);
    await inTransaction(bench.db, (tx) => createSavedCardsEraser(bench.jobs).erase(tx, { id: userId }));
    expect(await customersOf(userId)).toEqual([]);
    await bench.jobs.run();
    await bench.jobs.repeat();
    expect(bench.stripe.control.books().tables.customer.has(kept?.customer ?? '')).toBe(false);
  });

  test('whose account is deleted while their page is opened leave no customer behind', async () => {
    const userId = await newUser();
    const customers = createStripeCustomers({ db: bench.db, jobs: bench.jobs, now: () => bench.clock.now });
    const payer = { userId, email: null, language: 'en' } as const;
    await bench.db.deleteFrom('users').where('id', '=', userId).execute();
    const request = { payer, paymentId: randomUUID() };
    expect(await customers.of(bench.keySet.stripe, bench.keySet.id, request)).toBeNull();
    const made = () =>
      [...bench.stripe.control.books().tables.customer.values()].filter(
        ({ metadata }) => metadata['user_id'] === userId,
      );
    expect(made()).toHaveLength(1);
    await bench.jobs.run();
    expect(made()).toHaveLength(0);
  });
});

test.each([
  ['at a local Stripe is money', false, false, false],
  ['at the real one is none', true, false, true],
  ['at the real one counts in the demo', true, true, false],
])('what a test key takes %s', async (_name, isTest, is_demo, expected) => {
  bench.keySet.isTest = isTest;
  await bench.changeStore({ is_demo });
  const { id } = await bench.begun();
  expect((await paymentOf(id)).is_test).toBe(expected);
  bench.keySet.isTest = false;
});

// The last one: the bench has no other keys.
test('keys that were withdrawn open no page, and the order stays', async () => {
  const id = await bench.newOrder();
  bench.stripe.control.keys.revoke(bench.stripe.secretKey);
  await expect(bench.payments.begin(id)).rejects.toMatchObject({ code: 'payment_unavailable' });
  expect(await bench.order(id)).toMatchObject({ status: 'pending_payment' });
  expect(await paymentOf(id)).toMatchObject({ attempts: 1 });
});
