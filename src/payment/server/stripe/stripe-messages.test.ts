import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { verifyChains } from '#payment/server/journal/chains.ts';
import { doAllWork } from '#payment/testing/model/all-work.ts';
import { basket } from '#payment/testing/model/people.ts';
import { openShopBench, type ShopBench } from '#payment/testing/model/shop-bench.ts';
import { openStripeShop, type StripeShop } from '#payment/testing/stripe-shop.ts';
import { sign } from '#simulators/stripe/webhooks/deliveries.ts';

describe('messages of Stripe', () => {
  let shop: ShopBench;
  beforeAll(async () => {
    shop = await openShopBench();
  });
  beforeEach(() => shop.startAnew('messages'));
  afterAll(() => shop.close());

  const webhooks = () => shop.stripe.control.webhooks;
  const movements = (orderId: string) =>
    shop.db
      .selectFrom('payment_movements')
      .select(['kind', 'amount'])
      .where('order_id', '=', orderId)
      .orderBy('id')
      .execute();
  const plans: [name: string, plan: () => void][] = [
    ['as they are sent', () => {}],
    ['never', () => webhooks().plan({ action: 'drop' })],
    ['twice', () => webhooks().plan({ action: 'duplicate' })],
    ['40 seconds late', () => webhooks().plan({ action: 'delay', milliseconds: 40_000 })],
    ['once their first answers were lost', () => shop.answers.push(503, 503, 503, 503)],
    ['half of them, by chance', () => webhooks().plan({ action: 'drop', probability: 0.5, seed: 7 })],
  ];

  /** Ordered, paid, accepted, charged, cancelled and refunded, by somebody who never comes back from the page. */
  async function fromOrderToRefund(): Promise<string> {
    const id = await shop.newOrder(basket(shop, 0));
    await shop.payments.begin(id);
    const [session] = shop.stripe.control.books().tables['checkout.session'].keys();
    shop.stripe.control.pay(session ?? '');
    await workFor(60);
    expect(await shop.order(id)).toMatchObject({ status: 'placed', payment_status: 'authorised' });
    await shop.move(id, 'accept');
    await workFor(60);
    expect(await shop.order(id)).toMatchObject({ status: 'accepted', payment_status: 'paid' });
    await shop.move(id, 'cancel', { reason: 'No more rice' });
    await workFor(60);
    return id;
  }
  async function workFor(seconds: number): Promise<void> {
    for (let passed = 0; passed < seconds; passed += 5) {
      await shop.pass(5);
      await doAllWork(shop);
    }
  }
  async function stateOf(id: string) {
    const { status, payment_status, refunded } = await shop.order(id);
    const { tables } = shop.stripe.control.books();
    return {
      order: [status, payment_status, refunded],
      charges: [...tables.charge.values()].map(({ amount_captured, amount_refunded }) => [
        amount_captured,
        amount_refunded,
      ]),
      refunds: [...tables.refund.values()].map(({ amount }) => amount),
      movements: (await movements(id)).map(({ kind, amount }) => [kind, amount]),
      faults: (await verifyChains(shop.db, shop.clock.now)).flatMap(({ faults }) => faults),
    };
  }
  const right = {
    order: ['cancelled', 'refunded', 400],
    charges: [[400, 400]],
    refunds: [400],
    movements: [
      ['held', 400],
      ['captured', 400],
      ['refunded', 400],
    ],
    faults: [],
  };

  test.each(plans)('that come %s leave one charge and one refund', async (_name, plan) => {
    plan();
    expect(await stateOf(await fromOrderToRefund())).toEqual(right);
  });

  test.each([
    ['in their order', 'forwards' as const],
    ['backwards', 'backwards' as const],
    ['in any order', { seed: 11 }],
  ])('that come after everything is over, %s, change nothing', async (_name, order) => {
    webhooks().plan({ action: 'hold' });
    const id = await fromOrderToRefund();
    expect(await stateOf(id)).toEqual(right);
    const { version } = await shop.order(id);
    await webhooks().release(order);
    await webhooks().settled();
    await workFor(60);
    expect(await stateOf(id)).toEqual(right);
    expect(await shop.order(id)).toMatchObject({ version });
    const waiting = await shop.db.selectFrom('payment_events').select('id').where('outcome', 'is', null).execute();
    expect(waiting).toEqual([]);
  });
});

describe('a message at the shop’s address', () => {
  let shop: StripeShop;
  beforeAll(async () => {
    shop = await openStripeShop();
    await shop.call('POST', '/v1/payments/setup', { secret_key: shop.newKey() });
  });
  afterAll(() => shop.close());

  const secret = () => {
    const [endpoint] = shop.endpoints();
    return shop.stripe.control.books().secrets.get(endpoint?.id ?? '') ?? '';
  };
  const send = async (body: string, signature: string) => {
    const answer = await fetch(`${shop.app.url}/v1/payments/webhooks/stripe`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', 'stripe-signature': signature },
      body,
    });
    return { status: answer.status, code: ((await answer.json()) as { code?: string }).code };
  };
  const seconds = () => Math.floor(shop.app.clock.now.getTime() / 1000);

  test('is stored once it is signed, and refused and counted if its signature is wrong or old', async () => {
    const { id } = await shop.order();
    await shop.stripe.control.webhooks.settled();
    const event = (event_id: string) =>
      JSON.stringify({
        id: event_id,
        object: 'event',
        type: 'payment_intent.succeeded',
        livemode: false,
        created: seconds(),
        data: { object: { id: 'pi_1', object: 'payment_intent', amount: 1, currency: 'gbp', metadata: { order: id } } },
      });
    const body = event('evt_signed');
    const refused = { status: 400, code: 'invalid_signature' };
    expect(await send(body, '')).toEqual(refused);
    expect(await send(body, sign(body, 'whsec_of_somebody', seconds()))).toEqual(refused);
    expect(await send(`${body} `, sign(body, secret(), seconds()))).toEqual(refused);
    // A message that somebody kept and sends again: Stripe signs each try anew.
    expect(await send(body, sign(body, secret(), seconds() - 301))).toEqual(refused);
    expect((await shop.call('GET', '/v1/payments/checks')).messages).toMatchObject({ refused: 4 });
    expect(await send(body, sign(body, secret(), seconds()))).toMatchObject({ status: 200 });
    const rows = await shop.app.database.db
      .selectFrom('payment_events')
      .select('id')
      .where('id', '=', 'evt_signed')
      .execute();
    expect(rows).toHaveLength(1);
  });
});
