import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { doAllWork } from '#payment/testing/model/all-work.ts';
import { basket, replace } from '#payment/testing/model/people.ts';
import { openShopBench, type ShopBench } from '#payment/testing/model/shop-bench.ts';
import type { RunLimit } from '#payment/testing/model/tasks.ts';
import type { FaultKind } from '#simulators/stripe/api/faults.ts';

/** Ways in which other shops lost money or orders with a card payment, as their users reported them. */

let shop: ShopBench;
beforeAll(async () => {
  shop = await openShopBench();
});
beforeEach(() => shop.startAnew('failures'));
afterAll(() => shop.close());

const toItsEnd: RunLimit = { end: 'done', stops: 0 };
const untilStop = (stops: number): RunLimit => ({ end: 'wait', stops });

/** An order of £4, before anybody is sent to a page. */
async function ordered(n = 0): Promise<string> {
  return shop.newOrder(basket(shop, n));
}

function books() {
  const { tables } = shop.stripe.control.books();
  const all = {
    sessions: [...tables['checkout.session'].values()],
    intents: [...tables.payment_intent.values()],
    charges: [...tables.charge.values()],
  };
  const taken = all.charges.reduce((sum, charge) => sum + charge.amount_captured - charge.amount_refunded, 0);
  return { ...all, taken, held: all.intents.filter(({ status }) => status === 'requires_capture').length };
}

const session = (at = -1) => books().sessions.at(at)?.id ?? '';
const callsTo = (path: RegExp) =>
  shop.stripe.control.log.filter((call) => call.method === 'POST' && path.test(call.path));

describe('the return page and a message handle one payment at the same time', () => {
  // https://github.com/medusajs/medusa/issues/13301: it was captured twice, or its order vanished.
  test.each([0, 1, 2, 3, 4, 5, 6])('wherever the return page is (after %i stops)', async (returnStops) => {
    for (let messageStops = 0; messageStops <= 6; messageStops += 1) {
      await shop.startAnew(`race ${messageStops}`);
      await shop.changeStore({ auto_accept: true });
      const id = await ordered();
      await shop.payments.begin(id);
      shop.stripe.control.pay(session());
      await shop.stripe.control.webhooks.settled();
      const back = await shop.tasks.start('return', () => shop.payments.reconcile(id), untilStop(returnStops));
      const told = await shop.tasks.start('messages', () => shop.instance().handleEvents(), untilStop(messageStops));
      await shop.tasks.resume(back, toItsEnd);
      await shop.tasks.resume(told, toItsEnd);
      await doAllWork(shop);
      expect([back.error, told.error]).toEqual([null, null]);
      expect(await shop.order(id)).toMatchObject({ status: 'accepted', payment_status: 'paid' });
      expect(callsTo(/capture$/)).toHaveLength(1);
      expect(books()).toMatchObject({ taken: 400, held: 0 });
      expect(await shop.paymentsOf(id)).toHaveLength(1);
    }
  });
});

describe('a message that comes before the shop has written what it is about', () => {
  // https://github.com/medusajs/medusa/issues/3146: the message came before the order's transaction was committed.
  test('cannot be about an order that is not committed: Stripe is asked after the commit', async () => {
    const id = await ordered();
    const begun = await shop.tasks.start('begin', () => shop.payments.begin(id), untilStop(0));
    while (!begun.held.some(({ at }) => at.includes('POST'))) await shop.tasks.resume(begun, untilStop(1));
    expect(books().sessions).toEqual([]);
    expect(await shop.order(id)).toMatchObject({ status: 'pending_payment' });
    expect(await shop.paymentsOf(id)).toMatchObject([{ status: 'pending' }]);
    await shop.tasks.resume(begun, toItsEnd);
  });

  test('places the order once, also when it comes before the page is known', async () => {
    const id = await ordered();
    const begun = await shop.tasks.start('begin', () => shop.payments.begin(id), untilStop(0));
    while (books().sessions.length === 0) await shop.tasks.resume(begun, untilStop(1));
    shop.stripe.control.pay(session());
    await shop.stripe.control.webhooks.settled();
    await shop.payments.handleEvents();
    await shop.tasks.resume(begun, toItsEnd);
    await doAllWork(shop);
    expect(await shop.order(id)).toMatchObject({ status: 'placed', payment_status: 'authorised' });
    expect(books()).toMatchObject({ held: 1, sessions: [{ client_reference_id: id }] });
  });
});

describe('a call that Stripe carried out, and whose answer never came', () => {
  // https://github.com/woocommerce/woocommerce-gateway-stripe/issues/3638: the customer tried again, and paid twice.
  test.each<FaultKind>(['timeout_after', 'reset_after', 'error_after'])('(%s) is paid once', async (kind) => {
    const id = await ordered();
    shop.stripe.control.faults.add({ kind, method: 'POST', times: 2 });
    await expect(shop.payments.payAgain(id, 'card')).rejects.toMatchObject({ code: 'payment_unavailable' });
    shop.stripe.control.faults.clear();
    for (let tries = 0; tries < 3; tries += 1) await shop.payments.payAgain(id, 'card').catch(() => undefined);
    const shown = await shop.payments.begin(id);
    shop.stripe.control.pay(books().sessions.find(({ url }) => url === shown)?.id ?? '');
    await shop.payments.payAgain(id, 'card');
    await shop.move(id, 'accept');
    shop.stripe.control.faults.add({ kind, method: 'POST', path: '/v1/payment_intents/*/capture', times: 2 });
    await doAllWork(shop);
    await shop.pass(60);
    await doAllWork(shop);
    expect(books()).toMatchObject({ taken: 400, held: 0 });
    expect(books().charges).toHaveLength(1);
    expect(await shop.order(id)).toMatchObject({ status: 'accepted', payment_status: 'paid' });
  });

  // https://github.com/woocommerce/woocommerce-gateway-stripe/issues/2339: the retry had a new key, and made a second
  // one.
  test.each<FaultKind>([
    'rate_limit',
    'lock_timeout',
    'error_before',
    'timeout_before',
    'timeout_after',
    'reset_before',
    'reset_after',
    'unavailable',
  ])('(%s) is repeated under its key', async (kind) => {
    const id = await ordered();
    shop.stripe.control.faults.add({ kind, method: 'POST', path: '/v1/checkout/sessions', times: 2 });
    await expect(shop.payments.begin(id)).rejects.toMatchObject({ code: 'payment_unavailable' });
    shop.stripe.control.faults.clear();
    await shop.pass(5);
    await shop.payments.begin(id);
    expect(new Set(callsTo(/sessions$/).map(({ idempotencyKey }) => idempotencyKey)).size).toBe(1);
    expect(books().sessions).toHaveLength(1);
  });
});

describe('an order that is cancelled while its money is captured', () => {
  // https://github.com/solidusio/solidus_stripe/issues/56, https://github.com/spree/spree/issues/14561: the captured
  // payment was sent a cancel, which Stripe refuses, and nobody tried the refund.
  test.each([0, 1, 2, 3, 4, 5, 6, 7, 8])('gets it back (the capture is at stop %i)', async (stops) => {
    const id = await ordered();
    await shop.payments.begin(id);
    shop.stripe.control.pay(session());
    await shop.payments.reconcile(id);
    await shop.move(id, 'accept');
    const job = (await shop.jobs.pending()).find(({ queue }) => queue === 'payment.capture');
    const capture = await shop.tasks.start('capture', () => shop.jobs.attempt(job?.id ?? ''), untilStop(stops));
    const cancel = await shop.tasks.start('cancel', () => shop.move(id, 'cancel', { reason: 'No more rice' }));
    expect(cancel.error).toBeNull();
    await shop.tasks.resume(capture, toItsEnd);
    await doAllWork(shop);
    expect(books()).toMatchObject({ taken: 0, held: 0 });
    const refused = callsTo(/cancel$/).filter(({ status }) => status !== 200);
    expect(refused).toEqual([]);
    const wasCharged = books().charges.some(({ captured }) => captured);
    expect(await shop.order(id)).toMatchObject({
      status: 'cancelled',
      payment_status: wasCharged ? 'refunded' : 'voided',
    });
  });
});

describe('a payment that was made while its order was not placed', () => {
  // https://github.com/saleor/saleor/issues/12229: the next call paid again.
  test.each(['before commit', 'after commit'])('places the order at the next call (killed %s)', async (where) => {
    const id = await ordered();
    await shop.payments.begin(id);
    shop.stripe.control.pay(session());
    const back = await shop.tasks.start('return', () => shop.payments.reconcile(id), untilStop(0));
    while (!back.held.some(({ at }) => at === where)) await shop.tasks.resume(back, untilStop(1));
    await shop.tasks.resume(back, { end: 'kill', stops: 0 });
    await shop.payments.payAgain(id, 'card');
    expect(await shop.order(id)).toMatchObject({ status: 'placed', payment_status: 'authorised' });
    expect(books().sessions).toHaveLength(1);
    expect(await shop.paymentsOf(id)).toMatchObject([{ status: 'authorised' }]);
  });
});

describe('a basket that gets cheaper while the payment page is open', () => {
  // https://github.com/saleor/storefront/issues/620: the page went on charging the old total.
  test('is paid at its new total only, whichever page the customer pays on', async () => {
    const old = await ordered(2);
    await shop.payments.begin(old);
    expect(await shop.order(old)).toMatchObject({ total: 1320 });
    const id = await replace(shop, old, 0);
    // The other tab has the old page still.
    shop.stripe.control.pay(session(0));
    await doAllWork(shop);
    expect(books()).toMatchObject({ taken: 0, held: 0 });
    await shop.payments.begin(id);
    shop.stripe.control.pay(session());
    await doAllWork(shop);
    await shop.move(id, 'accept');
    await doAllWork(shop);
    expect(await shop.order(old)).toMatchObject({ status: 'cancelled' });
    expect(await shop.order(id)).toMatchObject({ status: 'accepted', payment_status: 'paid', total: 400 });
    expect(books()).toMatchObject({ taken: 400, held: 0 });
  });
});
