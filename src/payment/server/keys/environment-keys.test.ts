import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { openStripeShop, type StripeShop } from '#payment/testing/stripe-shop.ts';

let shop: StripeShop;
beforeEach(async () => {
  shop = await openStripeShop();
});
afterEach(() => shop.close());

const setup = () => shop.call('GET', '/v1/payments/setup');
const status = (id: string) => shop.call('GET', `/v1/orders/${id}`);

describe('a key of the environment', () => {
  test('takes cards from the start on, with its own endpoint, and is changed there only', async () => {
    const key = shop.newKey();
    const second = await shop.startAnother({ STRIPE_SECRET_KEY: key });
    try {
      const token = shop.owner;
      const { body } = await second.request('GET', '/v1/payments/setup', { token });
      expect(body.data).toMatchObject({
        source: 'environment',
        current: { source: 'environment', mode: 'test', key_hint: key.slice(-4) },
      });
      await shop.until(async () => shop.endpoints().length === 1);
      for (const [method, path] of [
        ['POST', '/v1/payments/setup'],
        ['DELETE', '/v1/payments/setup'],
      ] as const) {
        const answer = await second.request(method, path, {
          token,
          ...(method === 'POST' && { body: { secret_key: key } }),
        });
        expect(answer).toMatchObject({
          status: 409,
          body: { message: expect.stringContaining('settings of the shop’s computer') },
        });
      }
      // The first instance has heard of it.
      await shop.until(async () => shop.app.services.keySets.current() !== null);
    } finally {
      await second.stop();
    }
  });

  test('that is gone at the next start takes no more cards, but finishes what it began', async () => {
    const second = await shop.startAnother({ STRIPE_SECRET_KEY: shop.newKey() });
    await shop.until(async () => shop.endpoints().length === 1);
    const id = await shop.placed();
    await second.stop();
    const third = await shop.startAnother();
    expect((await setup()).current).toBeNull();
    await shop.call('POST', `/v1/orders/${id}/accept`, { minutes: 20 });
    await shop.until(async () => (await status(id)).payment_status === 'paid');
    await third.stop();
  });

  test('does not keep the shop from starting while Stripe is down', async () => {
    shop.stripe.control.faults.setDown(true);
    const second = await shop.startAnother({ STRIPE_SECRET_KEY: shop.newKey() });
    shop.stripe.control.faults.setDown(false);
    expect((await setup()).current).toMatchObject({ source: 'environment', webhook: { state: 'missing' } });
    await second.stop();
  });

  test('whose messages are signed with a secret of the environment gets no endpoint', async () => {
    const second = await shop.startAnother({
      STRIPE_SECRET_KEY: shop.newKey(),
      STRIPE_WEBHOOK_SECRET: 'whsec_of_the_owner',
    });
    await shop.until(async () => shop.app.services.keySets.current());
    await second.request('POST', '/v1/payments/setup/webhook', { token: shop.owner });
    expect(shop.endpoints()).toEqual([]);
    expect(second.services.keySets.current()?.webhookSecrets).toEqual(['whsec_of_the_owner']);
    await second.stop();
  });
});
