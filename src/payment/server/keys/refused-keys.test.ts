import { sql } from 'kysely';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { checkKeySets } from '#payment/server/keys/check-key-sets.ts';
import { localRight, openStripeShop, type StripeShop } from '#payment/testing/stripe-shop.ts';
import { stripeRightNames } from '#payment/stripe-rights.ts';

let shop: StripeShop;
beforeEach(async () => {
  shop = await openStripeShop({ ALERT_WEBHOOK_URL: 'http://127.0.0.1:9/alerts' });
});
afterEach(() => shop.close());

const setUp = (secret_key: string) => shop.call('POST', '/v1/payments/setup', { secret_key });
const setup = () => shop.call('GET', '/v1/payments/setup');
const status = (id: string) => shop.call('GET', `/v1/orders/${id}`);
const look = () => checkKeySets(shop.app.services);
const cardProvider = async () => (await shop.call('GET', `/v1/stores/${shop.app.shop.storeId}`)).card_provider;
const cardStatus = () => shop.call('GET', `/v1/stores/${shop.app.shop.storeId}/card-payments`);

describe('keys that are refused while they are in use', () => {
  test('are a problem with a next step, told once to the owner with the orders that are not paid', async () => {
    const key = shop.newKey();
    await setUp(key);
    const id = await shop.placed();
    const order_number = String((await status(id)).number);
    shop.stripe.control.keys.revoke(key);
    await shop.call('POST', `/v1/orders/${id}/accept`, { minutes: 20 });
    await shop.until(async () => (await setup()).current.problem);
    expect((await setup()).current.problem).toMatchObject({ kind: 'keys_refused' });
    expect(await cardStatus()).toEqual({
      mode: 'test',
      problem: { kind: 'keys_refused', rights: [] },
      uncharged: [{ order_id: id, order_number }],
    });
    shop.wait(300);
    await look();
    const alerts = await sentAlerts();
    expect(alerts).toHaveLength(1);
    expect(alerts[0]).toMatchObject({
      kind: 'card_keys_refused',
      store_id: null,
      subject: 'Card payments do not work',
    });
    expect(alerts[0]?.text).toContain(`This order is not paid: ${order_number}.`);
    expect(
      await shop.app.request('POST', '/v1/orders', { body: shop.app.orderBody({ payment_method: 'card' }) }),
    ).toMatchObject({ status: 422, body: { errors: { payment_method: [expect.any(String)] } } });

    // The owner makes a new key.
    await setUp(shop.newKey());
    expect((await setup()).current.problem).toBeNull();
    expect(await cardProvider()).toBe('stripe');
    shop.wait(60);
    await shop.app.services.payments.sweep();
    await shop.until(async () => (await status(id)).payment_status === 'paid');
    expect(await cardStatus()).toEqual({ mode: 'test', problem: null, uncharged: [] });
  });

  test('and lack a right only, recover by themselves once it is given', async () => {
    const key = shop.newKey();
    await setUp(key);
    const id = await shop.placed();
    shop.stripe.control.keys.change(
      key,
      stripeRightNames.filter((name) => name !== 'rak_payment_intent_write').map(localRight),
    );
    await shop.call('POST', `/v1/orders/${id}/accept`, { minutes: 20 });
    await shop.until(async () => (await setup()).current.problem);
    expect((await setup()).current.problem).toMatchObject({
      kind: 'missing_right',
      rights: ['rak_payment_intent_write'],
    });
    shop.stripe.control.keys.change(key, stripeRightNames.map(localRight));
    shop.wait(130);
    await shop.until(async () => (await setup()).current.problem === null);
    await shop.app.services.payments.sweep();
    await shop.until(async () => (await status(id)).payment_status === 'paid');
  });

  test('and lack several, tell the owner once, also when some of them are given', async () => {
    const key = shop.newKey();
    await setUp(key);
    // The shop's own check may have been first, so its end is awaited, not that of the look.
    const without = async (missing: string[]) => {
      shop.stripe.control.keys.change(key, stripeRightNames.filter((name) => !missing.includes(name)).map(localRight));
      shop.wait(25 * 60 * 60);
      await look();
      await expect.poll(async () => (await setup()).current.problem?.rights).toEqual(missing);
    };
    const before = (await sentAlerts()).length;
    await without(['rak_charge_write', 'rak_dispute_read']);
    expect((await sentAlerts())[0]?.text).toContain('Missing: Charges and Refunds: Write, Disputes: Read.');
    await without(['rak_dispute_read']);
    expect(await sentAlerts()).toHaveLength(before + 1);
    await without(['rak_coupon_write', 'rak_dispute_read']);
    expect(await sentAlerts()).toHaveLength(before + 2);
  });

  test('and are limited to other IP addresses say so, and recover once this one is added', async () => {
    const key = shop.newKey();
    await setUp(key);
    const id = await shop.placed();
    shop.stripe.control.keys.limitToOthers(key);
    await shop.call('POST', `/v1/orders/${id}/accept`, { minutes: 20 });
    await shop.until(async () => (await setup()).current.problem);
    expect((await setup()).current.problem).toMatchObject({ kind: 'address_refused', rights: [] });
    expect((await cardStatus()).uncharged).toEqual([{ order_id: id, order_number: String((await status(id)).number) }]);
    expect((await sentAlerts())[0]?.text).toContain('the key is limited to other IP addresses');
    shop.stripe.control.keys.limitToOthers(key, false);
    shop.wait(130);
    await look();
    expect((await setup()).current.problem).toBeNull();
    await shop.app.services.payments.sweep();
    await shop.until(async () => (await status(id)).payment_status === 'paid');
  });

  test('name only orders that should be charged: one that waits for its answer is not', async () => {
    const key = shop.newKey();
    await setUp(key);
    await shop.placed();
    shop.stripe.control.keys.revoke(key);
    shop.wait(25 * 60 * 60);
    await look();
    expect(await cardStatus()).toMatchObject({ problem: { kind: 'keys_refused' }, uncharged: [] });
  });

  test.each([
    ['a right that payments need', 'rak_payment_intent_write', null],
    ['a right that only reports need', 'rak_payout_read', 'stripe'],
  ])('and lack %s: cards are offered only if they can be paid', async (_name, missing, provider) => {
    const key = shop.newKey();
    await setUp(key);
    expect(await cardProvider()).toBe('stripe');
    shop.stripe.control.keys.change(key, stripeRightNames.filter((name) => name !== missing).map(localRight));
    shop.wait(25 * 60 * 60);
    await look();
    expect((await setup()).current.problem).toMatchObject({ kind: 'missing_right', rights: [missing] });
    expect(await cardProvider()).toBe(provider);
    shop.stripe.control.keys.change(key, stripeRightNames.map(localRight));
    shop.wait(130);
    await look();
    expect(await cardProvider()).toBe('stripe');
  });

  test('do not make way for the sandbox, where an order would be paid without money', async () => {
    await shop.app.database.db.updateTable('stores').set({ is_demo: true }).execute();
    const key = shop.newKey();
    await setUp(key);
    shop.stripe.control.keys.revoke(key);
    shop.wait(25 * 60 * 60);
    await look();
    expect((await setup()).current.problem).toMatchObject({ kind: 'keys_refused' });
    expect(await cardProvider()).toBeNull();
    expect(await shop.call('POST', '/v1/stores', { name: 'Second Shop' })).toMatchObject({ card_provider: null });
    await setUp(shop.newKey());
    expect(await cardProvider()).toBe('stripe');
  });

  test('of real cards end the sandbox of a demo shop for good; test keys only while they are there', async () => {
    const { db } = shop.app.database;
    await db.updateTable('stores').set({ is_demo: true }).execute();
    await setUp(shop.newKey());
    await shop.call('DELETE', '/v1/payments/setup');
    expect(await cardProvider()).toBe('sandbox');
    await setUp(shop.newKey());
    await db.updateTable('payment_key_sets').set({ mode: 'live' }).execute();
    await shop.call('DELETE', '/v1/payments/setup');
    expect(await cardProvider()).toBeNull();
  });

  test('are no problem when Stripe was only away', async () => {
    await setUp(shop.newKey());
    const id = await shop.placed();
    shop.stripe.control.faults.setDown(true);
    await shop.call('POST', `/v1/orders/${id}/accept`, { minutes: 20 });
    shop.wait(130);
    await look();
    shop.stripe.control.faults.setDown(false);
    expect((await setup()).current.problem).toBeNull();
  });
});

describe('an account that is not activated', () => {
  const change = (charges_enabled: boolean) => shop.stripe.control.setAccount({ charges_enabled });

  test('takes test payments all the same', async () => {
    change(false);
    await setUp(shop.newKey());
    expect((await setup()).current.problem).toBeNull();
    expect(await shop.placed()).toBeTruthy();
  });

  test('is a problem of real cards, told once, until its owner has answered Stripe', async () => {
    await setUp(shop.newKey());
    // The local Stripe takes test keys only; this is what a live one is told of its account.
    await shop.app.database.db.updateTable('payment_key_sets').set({ mode: 'live' }).execute();
    await shop.app.services.keySets.reload();
    change(false);
    for (let day = 0; day < 2; day += 1) {
      shop.wait(24 * 60 * 60 + 1);
      await look();
    }
    expect((await setup()).current.problem).toMatchObject({ kind: 'not_activated', rights: [] });
    expect((await cardStatus()).problem).toEqual({ kind: 'not_activated', rights: [] });
    const alerts = await sentAlerts();
    expect(alerts).toHaveLength(1);
    expect(alerts[0]?.text).toContain('The Stripe account is not activated yet');
    change(true);
    shop.wait(130);
    await look();
    // Only the shop's missing address is left.
    expect((await setup()).current.problem).toMatchObject({ kind: 'no_address' });
  });
});

async function sentAlerts(): Promise<Record<string, string>[]> {
  const { rows } = await sql<{ data: Record<string, string> }>`
    select data from pgboss.job where name = 'alert'`.execute(shop.app.database.db);
  return rows.map(({ data }) => data);
}
